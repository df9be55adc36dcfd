import './problem.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { Remedy } from '../store/studioStore.ts';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';
import { IconButton } from './iconButton.tsx';

interface ProblemProps {
  /** In words; nothing while all is well. */
  message: string | undefined;
  remedies: readonly Remedy[];
  dismiss: () => void;
}

/** What went wrong, told at once, with the buttons that mend it. */
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
