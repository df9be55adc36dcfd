import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { IconButton } from './button.tsx';
import type { StudioContext } from '../store/studioStore.ts';

/** Shows what is seen through transparent images, and changes it: a dark icon is invisible on black. */
export function Backdrop({ store }: Pick<StudioContext, 'store'>): JSX.Element {
  const { backdrop } = store.state.draft.view;
  const next = { checker: 'white', white: 'black', black: 'checker' } as const;
  const names = {
    checker: l10n.t('Backdrop: Checkerboard'),
    white: l10n.t('Backdrop: White'),
    black: l10n.t('Backdrop: Black'),
  };
  return (
    <IconButton
      icon="color-mode"
      label={names[backdrop]}
      onClick={() => store.updateView({ backdrop: next[backdrop] })}
    />
  );
}
