import type { JSX } from 'preact';
import type { Pair } from './pair.ts';
import { Layer, ZoomPane } from '../components/zoomPane.tsx';

/** Shows two images side by side, always the same part of each. */
export function SideBySide({ control, before, after, onSize }: Pair): JSX.Element {
  return (
    <div class="side-by-side">
      <ZoomPane control={control} label={before.name}>
        <Layer control={control} url={before.url} alt={before.name} onSize={onSize} />
        <span class="compare-label">{before.name}</span>
      </ZoomPane>
      <ZoomPane control={control} isMeasure={false} label={after.name}>
        <Layer control={control} url={after.url} alt={after.name} />
        <span class="compare-label">{after.name}</span>
      </ZoomPane>
    </div>
  );
}
