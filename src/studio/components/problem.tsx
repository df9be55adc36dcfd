import './problem.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { ErrorAction } from '../store/studioStore.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';

interface ProblemProps {
  /** Undefined while there is no problem. */
  message: string | undefined;
  errorActions: readonly ErrorAction[];
  dismiss: () => void;
}

/** Shows a problem with the buttons that fix it, and announces it at once. */
export function Problem({ message, errorActions, dismiss }: ProblemProps): JSX.Element {
  return (
    <div role="alert">
      {message !== undefined && (
        <div class="problem">
          <Icon name="error" />
          <div class="problem-words">
            <p>{message}</p>
            {errorActions.map(({ title, run }) => (
              <Button key={title} onClick={() => void run()}>
                {title}
              </Button>
            ))}
          </div>
          <IconButton icon="close" label={l10n.t('Dismiss')} onClick={dismiss} />
        </div>
      )}
    </div>
  );
}
