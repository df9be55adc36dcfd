import './problemBar.css';
import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { Parts } from './parts.ts';
import { Icon } from './parts/icon.tsx';
import { IconButton } from './parts/iconButton.tsx';

/** What went wrong last, above everything, until it is dismissed. */
export function ProblemBar({ work }: Pick<Parts, 'work'>): JSX.Element {
  const { problem } = work.state;
  return (
    <div class="problem-bar" role="alert">
      {problem !== undefined && (
        <div class="problem">
          <Icon name="error" />
          <p>{problem}</p>
          <IconButton icon="close" label={t('Dismiss')} onClick={() => work.dismissProblem()} />
        </div>
      )}
    </div>
  );
}
