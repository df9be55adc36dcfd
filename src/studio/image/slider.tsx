import * as l10n from '@vscode/l10n';
import type { JSX, TargetedKeyboardEvent, TargetedPointerEvent } from 'preact';
import { useState } from 'preact/hooks';
import type { Pair } from './pair.ts';
import { Layer, ZoomPane } from '../components/zoomPane.tsx';

/** Shows one image over the other, with a divider that uncovers it. */
export function Slider({ control, before, after, onSize }: Pair): JSX.Element {
  const [position, setPosition] = useState(50);

  const drag = (event: TargetedPointerEvent<HTMLDivElement>): void => {
    const frame = control.element?.getBoundingClientRect();
    if (frame && event.currentTarget.hasPointerCapture(event.pointerId)) {
      setPosition(within(((event.clientX - frame.left) / frame.width) * 100));
    }
  };
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const next = movedByKey(position, event);
    if (next !== undefined) {
      event.preventDefault();
      setPosition(within(next));
    }
  };
  return (
    <ZoomPane control={control} label={l10n.t('{0} over {1}', after.name, before.name)}>
      <Layer control={control} url={before.url} alt={before.name} onSize={onSize} />
      <div class="slider-after" style={{ clipPath: `inset(0 0 0 ${position}%)` }}>
        <Layer control={control} url={after.url} alt={after.name} />
      </div>
      <span class="compare-label">{before.name}</span>
      <span class="compare-label end">{after.name}</span>
      <div
        class="slider-divider"
        role="slider"
        tabIndex={0}
        aria-label={l10n.t('Divider')}
        title={l10n.t('Drag, or press the arrow keys')}
        aria-orientation="horizontal"
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={Math.round(position)}
        aria-valuetext={l10n.t('{0}% of the first image', Math.round(position))}
        style={{ left: `${position}%` }}
        onKeyDown={onKeyDown}
        onDblClick={(event) => event.stopPropagation()}
        onPointerDown={(event) => {
          event.stopPropagation();
          event.currentTarget.setPointerCapture(event.pointerId);
        }}
        onPointerMove={drag}
      />
    </ZoomPane>
  );
}

function within(position: number): number {
  return Math.min(100, Math.max(0, position));
}

function movedByKey(position: number, { key, shiftKey }: KeyboardEvent): number | undefined {
  const step = shiftKey ? 10 : 2;
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return position - step;
    case 'ArrowRight':
    case 'ArrowUp':
      return position + step;
    case 'PageDown':
      return position - 10;
    case 'PageUp':
      return position + 10;
    case 'Home':
      return 0;
    case 'End':
      return 100;
    default:
      return undefined;
  }
}
