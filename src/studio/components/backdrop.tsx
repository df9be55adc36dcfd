import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Draft } from '../protocol/draft.ts';
import { IconButton } from './button.tsx';
import { ColorInput } from './colorInput.tsx';
import { Menu } from './menu.tsx';
import type { Point } from './zoom.ts';

type Shown = Draft['view']['backdrop'];

interface BackdropProps {
  backdrop: Shown;
  change: (backdrop: Shown) => void;
}

/** Shows what is seen through transparent images, and changes it: a dark icon is invisible on black. */
export function Backdrop({ backdrop, change }: BackdropProps): JSX.Element {
  const [at, openAt] = useState<Point>();
  const bar = useRef<HTMLSpanElement>(null);
  const isColor = backdrop.startsWith('#');
  const names: readonly (readonly [value: Shown, name: string])[] = [
    ['checker', l10n.t('Checkerboard')],
    ['white', l10n.t('White')],
    ['black', l10n.t('Black')],
  ];
  const name = names.find(([value]) => value === backdrop)?.[1] ?? backdrop;
  return (
    <span ref={bar} class="backdrop-choice">
      <IconButton
        icon="color-mode"
        label={l10n.t('Backdrop: {0}', name)}
        aria-haspopup="menu"
        onClick={({ currentTarget }) => {
          const { left, bottom } = currentTarget.getBoundingClientRect();
          openAt({ x: left, y: bottom });
        }}
      />
      <ColorInput
        aria-label={l10n.t('Color of the Backdrop')}
        tabIndex={-1}
        value={isColor ? backdrop : '#808080'}
        change={change}
      />
      {at && (
        <Menu
          label={l10n.t('Backdrop')}
          at={at}
          close={() => openAt(undefined)}
          items={[
            ...names.map(([value, label]) => ({
              label,
              icon: iconOf(value === backdrop),
              run: () => change(value),
            })),
            {
              label: l10n.t('Other Color…'),
              icon: iconOf(isColor),
              run: () => bar.current?.querySelector('input')?.showPicker(),
            },
          ]}
        />
      )}
    </span>
  );
}

/** Returns the attributes of an element in which transparent images show a backdrop. */
export function onBackdrop(backdrop: Shown): { 'data-backdrop': string; style: Record<string, string> } {
  return backdrop.startsWith('#')
    ? { 'data-backdrop': 'color', style: { '--checkerboard': `linear-gradient(${backdrop} 0 0)` } }
    : { 'data-backdrop': backdrop, style: {} };
}

function iconOf(isShown: boolean): string {
  return isShown ? 'check' : 'blank';
}
