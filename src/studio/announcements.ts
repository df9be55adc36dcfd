import * as l10n from '@vscode/l10n';
import { ellipsize } from '../common/text.ts';
import type { StudioTask } from './protocol/state.ts';

/** Most characters of a prompt that are read out to identify it. */
const longest = 40;

/**
 * Returns the text to read out when a task changes: its start, each quarter of its progress, and its end or pause;
 * undefined for other changes.
 */
export function announcementOf(before: StudioTask | undefined, now: StudioTask): string | undefined {
  const isNews =
    now.standing === 'running'
      ? before?.standing !== 'running' || quarterOf(now) > quarterOf(before)
      : before?.standing === 'running';
  return isNews ? l10n.t('{0}: {1}', ellipsize(now.prompt, longest), now.statusText) : undefined;
}

function quarterOf({ progress = 0 }: StudioTask): number {
  return Math.floor(progress / 25);
}
