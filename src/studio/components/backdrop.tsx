import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { Draft } from '../protocol/draft.ts';
import { IconButton } from './button.tsx';

type Shown = Draft['view']['backdrop'];

interface BackdropProps {
  backdrop: Shown;
  change: (backdrop: Shown) => void;
}

/** Shows what is seen through transparent images, and changes it: a dark icon is invisible on black. */
export function Backdrop({ backdrop, change }: BackdropProps): JSX.Element {
  const next = { checker: 'white', white: 'black', black: 'checker' } as const;
  const names = {
    checker: l10n.t('Backdrop: Checkerboard'),
    white: l10n.t('Backdrop: White'),
    black: l10n.t('Backdrop: Black'),
  };
  return <IconButton icon="color-mode" label={names[backdrop]} onClick={() => change(next[backdrop])} />;
}
