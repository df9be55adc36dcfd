import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';

const shares = [0, 0.5, 1] as const;

/** One of nine positions in an image, each coordinate from 0 to 1, from the top left corner. */
export interface Anchor {
  x: (typeof shares)[number];
  y: (typeof shares)[number];
}

interface NinePlacesProps {
  /** Name of the radio group, unique in the page. */
  name: string;
  label: string;
  place: { x: number; y: number };
  change: (place: Anchor) => void;
}

export function NinePlaces({ name, label, place, change }: NinePlacesProps): JSX.Element {
  const rows = [l10n.t('top'), l10n.t('middle'), l10n.t('bottom')];
  const columns = [l10n.t('left'), l10n.t('center'), l10n.t('right')];
  return (
    <div class="nine-places" role="radiogroup" aria-label={label}>
      {shares.map((y, row) =>
        shares.map((x, column) => (
          <label key={`${x} ${y}`} title={`${rows[row]}, ${columns[column]}`}>
            <input
              type="radio"
              name={name}
              aria-label={`${rows[row]}, ${columns[column]}`}
              checked={place.x === x && place.y === y}
              onChange={() => change({ x, y })}
            />
          </label>
        )),
      )}
    </div>
  );
}
