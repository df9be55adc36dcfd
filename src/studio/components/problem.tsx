import './problem.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { Remedy } from '../store/studioStore.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';

interface ProblemProps {
  /** Undefined while there is no problem. */
  message: string | undefined;
  remedies: readonly Remedy[];
  dismiss: () => void;
}

/** Shows a problem with the buttons that fix it, and announces it at once. */
export function Problem({ message, remedies, dismiss }: ProblemProps): JSX.Element {
  return (
    <div role="alert">
      {message !== undefined && (
        <div class="problem">
          <Icon name="error" />
          <div class="problem-words">
            <p>{message}</p>
            {remedies.map(({ title, run }) => (
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
