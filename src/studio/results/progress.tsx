import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { StudioTask } from '../protocol/state.ts';
import { Icon } from '../components/button.tsx';
import { formatDuration } from '../../common/text.ts';

export function Progress({ task }: { task: StudioTask }): JSX.Element {
  const { standing, statusText, progress } = task;
  return (
    <div class={`progress ${standing}`}>
      <p class="progress-text">
        <Icon name={iconOf(task)} spins={standing === 'running'} />
        <span class="progress-status">{statusText}</span>
        <NextTry task={task} />
        <span class="progress-numbers">
          {standing === 'running' && progress !== undefined && <span>{l10n.t('{0}%', progress)}</span>}
          <Time task={task} />
        </span>
      </p>
      {standing === 'running' && (
        <div
          class={progress === undefined ? 'progress-bar unknown' : 'progress-bar'}
          role="progressbar"
          aria-label={l10n.t('Progress of "{0}"', task.prompt)}
          aria-valuemin={0}
          aria-valuemax={100}
          {...(progress !== undefined && { 'aria-valuenow': progress })}
        >
          <div style={{ width: `${progress ?? 100}%` }} />
        </div>
      )}
    </div>
  );
}

function iconOf({ standing, status }: StudioTask): string {
  if (standing === 'running') {
    return 'loading';
  }
  return status === 'completed' ? 'check' : standing === 'paused' ? 'debug-pause' : 'warning';
}

/** Shows the seconds until the next try of a waiting task. */
function NextTry({ task: { retryAt, standing } }: { task: StudioTask }): JSX.Element | null {
  const isWaiting = standing === 'running' && retryAt !== undefined;
  const now = useNow(isWaiting);
  const seconds = isWaiting ? Math.ceil((retryAt - now) / 1000) : 0;
  return seconds > 0 ? <span>{l10n.t('next try in {0} s', seconds)}</span> : null;
}

/** Returns the time, updated each second while needed. */
function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const ticking = isTicking ? setInterval(() => setNow(Date.now()), 1000) : undefined;
    return () => clearInterval(ticking);
  }, [isTicking]);
  return now;
}

function Time({ task: { createdAt, finishedAt, standing } }: { task: StudioTask }): JSX.Element | null {
  const isRunning = standing === 'running';
  const now = useNow(isRunning);
  const end = isRunning ? now : finishedAt;
  return end === undefined ? null : (
    <span title={l10n.t({ message: 'Time', comment: ['How long the task has taken'] })}>
      {formatDuration(end - createdAt)}
    </span>
  );
}
