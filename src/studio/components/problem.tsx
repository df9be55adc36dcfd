import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioProblem } from '../store/studioStore.ts';
import { Button, IconButton, Icon } from './button.tsx';

interface ProblemProps {
  problem: StudioProblem | undefined;
  dismiss: () => void;
}

/** Shows a problem with the buttons that fix it, and announces it at once. */
export function Problem({ problem, dismiss }: ProblemProps): JSX.Element {
  return (
    <div role="alert">
      {problem && (
        <div class="problem">
          <Icon name="error" />
          <div class="problem-words">
            <p>{problem.message}</p>
            {problem.errorActions.map(({ title, run }) => (
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
