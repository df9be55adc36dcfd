import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { leastChange } from '../../common/requestValues.ts';
import {
  type Box,
  type Difference,
  differenceText,
  type LoadedPair,
  markDifference,
  maxPixels,
} from './difference.ts';
import type { Pair } from './pair.ts';
import { Layer, layerStyle, ZoomPane } from '../components/zoomPane.tsx';

interface DifferenceViewProps extends Pair {
  /** URL of the mask with which `after` was made from `before`. */
  maskUrl?: string | undefined;
  /** Whether both files have the same bytes; undefined if nobody looked. */
  isSameFile?: boolean | undefined;
}

/** Marks the pixels that differ, and says how many there are. */
export function DifferenceView({
  control,
  before,
  after,
  maskUrl,
  isSameFile,
  onSize,
}: DifferenceViewProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [pair, setPair] = useState<LoadedPair>();
  const [least, setLeast] = useState(leastChange);
  const [difference, setDifference] = useState<Difference>();
  const [problem, setProblem] = useState<string>();
  const isPlaced = control.placed !== undefined;
  const showSize = useRef(onSize);
  showSize.current = onSize;

  const { width = 0, height = 0 } = control.image ?? {};
  const isTooLarge = width * height > maxPixels;
  const fail = (): void =>
    setProblem(
      isTooLarge
        ? l10n.t('The images have too many pixels to be compared one by one.')
        : l10n.t("The images can't be compared."),
    );
  useEffect(() => {
    let isCurrent = true;
    setPair(undefined);
    setProblem(undefined);
    const load = async (): Promise<void> => {
      if (isTooLarge) {
        throw new RangeError();
      }
      const [first, second, mask] = await Promise.all([
        loaded(before.url),
        loaded(after.url),
        // A missing or unreadable mask is ignored.
        maskUrl === undefined ? undefined : loaded(maskUrl).catch(() => undefined),
      ]);
      if (isCurrent) {
        showSize.current({ width: first.naturalWidth, height: first.naturalHeight });
        setPair({ before: first, after: second, mask });
      }
    };
    load().catch(() => isCurrent && fail());
    return () => {
      isCurrent = false;
    };
  }, [before.url, after.url, maskUrl, isTooLarge]);
  useEffect(() => {
    const ending = new AbortController();
    setDifference(undefined);
    if (pair && canvas.current) {
      markDifference(pair, canvas.current, ending.signal, least).then(
        setDifference,
        () => ending.signal.aborted || fail(),
      );
    }
    return () => ending.abort();
  }, [pair, least, isPlaced]);

  return (
    <>
      <ZoomPane control={control} label={l10n.t('Differences between {0} and {1}', before.name, after.name)}>
        <div class="difference-after">
          <Layer control={control} url={after.url} alt={after.name} />
        </div>
        <canvas ref={canvas} class="layer" aria-hidden="true" style={layerStyle(control)} />
        {difference?.box && <div class="difference-box" style={boxStyle(control, difference.box)} />}
      </ZoomPane>
      <p
        class="difference-text"
        role="status"
        title={l10n.t('Slightly: by less than {0} of 255 in every color channel', least)}
      >
        {problem ?? (difference && sentences(difference, pair, isSameFile)) ?? l10n.t('Comparing…')}
      </p>
      <label class="difference-least">
        <span>{l10n.t('Threshold')}</span>
        <input
          type="range"
          min={1}
          max={128}
          value={least}
          aria-valuetext={l10n.t('{0} of 255', least)}
          onInput={({ currentTarget }) => setLeast(currentTarget.valueAsNumber)}
        />
        <output>{least}</output>
      </label>
    </>
  );
}

/** Says how two images differ, and that their files do where no pixel does. */
function sentences(
  difference: Difference,
  pair: LoadedPair | undefined,
  isSameFile: boolean | undefined,
): string {
  const text = differenceText(difference, document.documentElement.lang);
  const isAlike =
    difference.all.changed + difference.all.slight === 0 &&
    pair?.before.naturalWidth === pair?.after.naturalWidth &&
    pair?.before.naturalHeight === pair?.after.naturalHeight;
  return isAlike && isSameFile === false
    ? l10n.t('No visible pixel differs: only metadata, the encoding, or further frames of the files do.')
    : text;
}

/** Places a box of pixels where the zoomed image is. */
function boxStyle({ placed }: Pair['control'], { left, top, right, bottom }: Box): Record<string, string> {
  const { x, y, scale } = placed ?? { x: 0, y: 0, scale: 1 };
  return {
    left: `${x + left * scale}px`,
    top: `${y + top * scale}px`,
    width: `${(right - left + 1) * scale}px`,
    height: `${(bottom - top + 1) * scale}px`,
  };
}

/** Loads an image from another origin so that a canvas can read it. */
async function loaded(url: string): Promise<HTMLImageElement> {
  const image = new Image();
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  return image;
}
