import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import type { Pair } from './pair.ts';
import { Layer, ZoomPane } from '../components/zoomPane.tsx';

/** Milliseconds for which each image is shown: slow enough for photosensitive users. */
const interval = 800;

/** Shows two images alternately in one place; automatically, unless the user prefers reduced motion. */
export function Flicker({ control, before, after, onSize }: Pair): JSX.Element {
  const [isBefore, setIsBefore] = useState(true);
  const [isRunning, setIsRunning] = useState(() => !isLessMotionWanted());
  const seen = isBefore ? before : after;
  const toggle = (): void => setIsBefore((was) => !was);

  useEffect(() => {
    const running = isRunning ? setInterval(() => setIsBefore((was) => !was), interval) : undefined;
    return () => clearInterval(running);
  }, [isRunning]);

  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    if (event.key === ' ' && event.target instanceof Element && event.target.matches('.zoom-pane')) {
      event.preventDefault();
      toggle();
    }
  };
  return (
    // Handles a key of the image inside.
    <div class="flicker" onKeyDown={onKeyDown}>
      <ZoomPane control={control} label={l10n.t('{0}. Press Space for the other image.', seen.name)}>
        {/* Both stay loaded, so that neither flashes when it appears. */}
        <Layer control={control} url={before.url} alt={before.name} onSize={onSize} />
        <div class={isBefore ? 'flicker-after hidden' : 'flicker-after'}>
          <Layer control={control} url={after.url} alt={after.name} />
        </div>
        <span class="compare-label">{seen.name}</span>
      </ZoomPane>
      <div class="flicker-buttons">
        <Button icon="arrow-swap" onClick={toggle}>
          {l10n.t('Show Other Image')}
        </Button>
        {!isLessMotionWanted() && (
          <Button
            icon={isRunning ? 'debug-pause' : 'debug-start'}
            aria-pressed={isRunning}
            onClick={() => setIsRunning(!isRunning)}
          >
            {l10n.t('Switch Automatically')}
          </Button>
        )}
      </div>
    </div>
  );
}

function isLessMotionWanted(): boolean {
  return (
    matchMedia('(prefers-reduced-motion: reduce)').matches ||
    document.body.classList.contains('vscode-reduce-motion')
  );
}
