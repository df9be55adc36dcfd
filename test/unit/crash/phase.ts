import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Task, TaskResult } from '../../../src/engine/task/task.ts';

/** Where a task was when its process died, in the order of a task's life. */
export const phases = [
  'before it is written down',
  'before the POST',
  'on the wire',
  'accepted, response not received',
  'in the midst of the answer',
  'after the 202',
  'in mid-poll',
  'completed, not fetched',
  'in mid-download',
  'fetched, row behind',
  'to be published',
  'staged, no name yet',
  'name written down, no file yet',
  'name reserved',
  'published, staged name left',
  'published, row behind',
  'saved, not settled',
  'ended',
] as const;

export type Phase = (typeof phases)[number];

/** What is known of the moment at which a process died. */
export interface Moment {
  /** The engine's home. */
  home: string;
  /** Steps that the process began. */
  steps: readonly string[];
  /** POSTs that the service got from it. */
  posts: number;
  /** What the service billed for them. */
  entries: number;
}

export function phaseOf(task: Task | undefined, moment: Moment): Phase {
  if (!task) {
    return 'before it is written down';
  }
  const { remoteId } = task;
  switch (task.status) {
    case 'waiting':
      return 'before the POST';
    case 'submitting':
      return moment.posts === 0
        ? 'before the POST'
        : moment.entries === 0
          ? 'on the wire'
          : isOpen(moment, 'post', () => true)
            ? 'accepted, response not received'
            : 'in the midst of the answer';
    case 'queued':
    case 'in_progress':
      return remoteId === undefined
        ? 'in the midst of the answer'
        : isOpen(moment, 'poll', (path) => path.endsWith(remoteId))
          ? 'in mid-poll'
          : 'after the 202';
    case 'saving':
      return phaseOfSaving(task, moment);
    default:
      return 'ended';
  }
}

function phaseOfSaving(task: Task, moment: Moment): Phase {
  const { id, results } = task;
  const remote = results.filter(({ state }) => state === 'remote');
  if (remote.length > 0) {
    const here = namesIn(join(moment.home, 'incoming', id));
    if (remote.some(({ index }) => here.some((name) => name.startsWith(`${index}-`) && isWhole(name)))) {
      return 'fetched, row behind';
    }
    const urls = remote.map(({ url = '' }) => url);
    return isOpen(moment, 'image', (path) => urls.some((url) => url.endsWith(path)))
      ? 'in mid-download'
      : 'completed, not fetched';
  }
  const next = results.find(({ state }) => state === 'staged');
  return next ? phaseOfPublishing(task, next) : 'saved, not settled';
}

function phaseOfPublishing({ id, request }: Task, { index, publishing }: TaskResult): Phase {
  const isStaged = namesIn(fileURLToPath(request.target.folder)).some((name) =>
    name.startsWith(`.limner-${id}-${index}-`),
  );
  if (publishing === undefined) {
    return isStaged ? 'staged, no name yet' : 'to be published';
  }
  const file = fileURLToPath(publishing);
  if (!existsSync(file)) {
    return 'name written down, no file yet';
  }
  if (statSync(file).size === 0) {
    return 'name reserved';
  }
  return isStaged ? 'published, staged name left' : 'published, row behind';
}

/** Whether the process had sent such a request and not got all of the answer. */
function isOpen({ steps }: Moment, asked: string, isSelected: (path: string) => boolean): boolean {
  const count = (verb: string): number =>
    steps.filter((step) => step.startsWith(`${verb} ${asked} `) && isSelected(step.split(' ')[2] ?? ''))
      .length;
  return count('sent') > count('done');
}

export function isWhole(name: string): boolean {
  return name.endsWith('.image');
}

export function namesIn(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
