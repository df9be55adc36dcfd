import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Button, IconButton, Icon } from '../components/button.tsx';
import type { Card } from '../protocol/draft.ts';
import { referenceTo, type Result } from '../store/resultList.ts';
import type { StudioContext } from '../store/studioStore.ts';
import { CardFields } from './cardFields.tsx';
import { cardSize } from './cardLayout.ts';
import { cardOn, changeCard } from './cards.ts';
import { leastContrast } from './contrast.ts';
import { drawCard, type DrawnCard } from './drawCard.ts';

interface CardViewProps extends StudioContext {
  result: Result;
  leave: () => void;
}

export function CardView({ store, host, result, leave }: CardViewProps): JSX.Element {
  const card = cardOn(result, store.state.draft.view.cards);
  const { canvas, drawn, problem } = useDrawing(result.url, card);
  const [isSaving, setIsSaving] = useState(false);
  const [saved, setSaved] = useState<string>();
  const page = result.task.socialCard?.page ?? '';
  const hasWords = card.title.trim() !== '' || card.siteName.trim() !== '';
  const change = (changes: Partial<Card>): void => {
    setSaved(undefined);
    changeCard(store, card, changes);
  };
  const save = async (): Promise<void> => {
    setIsSaving(true);
    await store.attempt(async () => {
      const bytes = canvas.current && (await pngOf(canvas.current));
      if (bytes) {
        const { title, siteName } = card;
        const name = await host.ask('saveCard', { ...referenceTo(result), bytes, title, siteName });
        if (name !== null) {
          setSaved(l10n.t('Saved {0}. {1} refers to it once you accept that change.', name, page));
        }
      }
    });
    setIsSaving(false);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && !event.defaultPrevented) {
      event.preventDefault();
      leave();
    }
  };
  return (
    // Handles the key wherever the focus is inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div class="social-card" onKeyDown={onKeyDown}>
      <div class="social-card-bar" role="toolbar" aria-label={l10n.t('Social Card')}>
        <IconButton icon="arrow-left" label={l10n.t('Back to All Results')} onClick={leave} />
        <h2>{l10n.t('Social card of {0}', page)}</h2>
        <IconButton
          icon="file-media"
          label={l10n.t('Show Background Alone')}
          onClick={() => store.updateView({ showsCard: false })}
        />
      </div>
      <div class="social-card-body">
        <canvas
          ref={canvas}
          class="social-card-canvas"
          role="img"
          aria-label={l10n.t('Card that says "{0}"', [card.title, card.siteName].join(' · '))}
          {...cardSize}
        />
        <CardFields card={card} change={change} />
        <div class="social-card-end">
          <Button primary icon="save" disabled={!drawn || !hasWords || isSaving} onClick={() => void save()}>
            {l10n.t('Save Card')}
          </Button>
          <div class="social-card-notes" role="status">
            {saved !== undefined && (
              <p>
                <Icon name="check" /> {saved}
              </p>
            )}
            {notesOn(drawn, problem).map((note) => (
              <p key={note}>{note}</p>
            ))}
          </div>
        </div>
      </div>
    </div>
  );
}

function notesOn(drawn: DrawnCard | undefined, problem: string | undefined): string[] {
  if (!drawn) {
    return problem === undefined ? [] : [problem];
  }
  const { contrast, isCut, isOtherShade } = drawn;
  return [
    ...(contrast === undefined
      ? []
      : [
          l10n.t(
            'Lowest contrast: {0} : 1. The shade is strengthened to keep {1} : 1.',
            Math.floor(contrast * 10) / 10,
            leastContrast,
          ),
        ]),
    ...(isOtherShade
      ? [l10n.t("The text can't be read on this shade, so a black or white one is used.")]
      : []),
    ...(isCut ? [l10n.t('The title is too long for the card and is shortened.')] : []),
  ];
}

function useDrawing(
  url: string,
  card: Card,
): {
  canvas: { current: HTMLCanvasElement | null };
  drawn: DrawnCard | undefined;
  problem: string | undefined;
} {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [loaded, setLoaded] = useState<{ url: string; image: HTMLImageElement | undefined }>();
  const [drawn, setDrawn] = useState<DrawnCard>();
  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      const image = await load(url);
      if (isCurrent) {
        setLoaded({ url, image });
      }
    };
    void show();
    return () => {
      isCurrent = false;
    };
  }, [url]);
  const image = loaded?.url === url ? loaded.image : undefined;
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d', { willReadFrequently: true });
    setDrawn(context && image ? drawCard(context, image, card, editorFont()) : undefined);
  }, [image, JSON.stringify(card)]);
  const isLost = loaded?.url === url && !image;
  return { canvas, drawn, problem: isLost ? l10n.t("The background can't be read.") : undefined };
}

/** @returns undefined if it is not an image */
async function load(url: string): Promise<HTMLImageElement | undefined> {
  const image = new Image();
  // Lets the canvas read images from another origin.
  image.crossOrigin = 'anonymous';
  image.src = url;
  return image.decode().then(
    () => image,
    () => undefined,
  );
}

function editorFont(): string {
  return getComputedStyle(document.body).getPropertyValue('--vscode-editor-font-family').trim();
}

async function pngOf(canvas: HTMLCanvasElement): Promise<Uint8Array<ArrayBuffer>> {
  const blob = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  if (!blob) {
    throw new Error(l10n.t("The card can't be written as a PNG."));
  }
  return new Uint8Array(await blob.arrayBuffer());
}
