import './dropHint.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Icon } from '../components/icon.tsx';
import type { DropState } from './useFileDrop.ts';

/** Covers the page while something that it could take is dragged over it. */
export function DropHint({ dropState }: { dropState: Exclude<DropState, 'nothing'> }): JSX.Element {
  return (
    <div class="drop-hint" role="status">
      <p>
        <Icon name={dropState === 'drop' ? 'file-media' : 'info'} />
        {dropState === 'drop'
          ? l10n.t('Drop to add as an input image')
          : l10n.t('Hold Shift to drop it here')}
      </p>
    </div>
  );
}
