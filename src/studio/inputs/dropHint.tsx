import './dropHint.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { Icon } from '../components/icon.tsx';
import type { Incoming } from './useDropAndPaste.ts';

/** Covers the page while something that it could take is dragged over it. */
export function DropHint({ incoming }: { incoming: Exclude<Incoming, 'nothing'> }): JSX.Element {
  return (
    <div class="drop-hint" role="status">
      <p>
        <Icon name={incoming === 'drop' ? 'file-media' : 'info'} />
        {incoming === 'drop' ? l10n.t('Drop to add as an input image') : l10n.t('Hold Shift to drop it here')}
      </p>
    </div>
  );
}
