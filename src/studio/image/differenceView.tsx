import './image.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { differenceText, leastChange, markDifference } from './difference.ts';
import type { Pair } from './pair.ts';
import { Layer, layerStyle, ZoomPane } from '../components/zoomPane.tsx';

interface DifferenceViewProps extends Pair {
  /** URL of the mask with which `after` was made from `before`. */
  maskUrl: string | undefined;
}

/** Marks the pixels that differ, and says how many there are. */
export function DifferenceView({
  control,
  before,
  after,
  maskUrl,
  onSize,
}: DifferenceViewProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [text, setText] = useState<string>();
  const isPlaced = control.placed !== undefined;
  const showSize = useRef(onSize);
  showSize.current = onSize;

  useEffect(() => {
    const ending = new AbortController();
    setText(undefined);
    const compare = async (): Promise<void> => {
      const [first, second, mask] = await Promise.all([
        loaded(before.url),
        loaded(after.url),
        // A missing or unreadable mask is ignored.
        maskUrl === undefined ? undefined : loaded(maskUrl).catch(() => undefined),
      ]);
      if (!ending.signal.aborted && canvas.current) {
        showSize.current({ width: first.naturalWidth, height: first.naturalHeight });
        const pair = { before: first, after: second, mask };
        const difference = await markDifference(pair, canvas.current, ending.signal);
        setText(differenceText(difference, document.documentElement.lang));
      }
    };
    compare().catch(() => {
      if (!ending.signal.aborted) {
        setText(l10n.t("The images can't be compared."));
      }
    });
    return () => ending.abort();
  }, [before.url, after.url, maskUrl, isPlaced]);

  return (
    <>
      <ZoomPane control={control} label={l10n.t('Differences between {0} and {1}', before.name, after.name)}>
        <div class="difference-after">
          <Layer control={control} url={after.url} alt={after.name} />
        </div>
        <canvas ref={canvas} class="layer" aria-hidden="true" style={layerStyle(control)} />
      </ZoomPane>
      <p
        class="difference-text"
        role="status"
        title={l10n.t('Slightly: by less than {0} of 255 in every color channel', leastChange)}
      >
        {text ?? l10n.t('Comparing…')}
      </p>
    </>
  );
}

/** Loads an image from another origin so that a canvas can read it. */
async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  return image;
}
