import type { StudioParameters, StudioReplies } from '../../studio/protocol/messages.ts';
import type { HistoryFilter } from '../../studio/protocol/draft.ts';
import { isTerminal, statusesOf, taskStatuses, type TaskStatus } from '../../common/taskStatus.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import { studioTask } from '../studioPanel/studioTask.ts';

const statuses: Record<HistoryFilter['status'], readonly TaskStatus[] | undefined> = {
  any: undefined,
  running: taskStatuses.filter((status) => !isTerminal(status)),
  completed: ['completed'],
  failed: statusesOf('ended').filter((status) => status !== 'completed'),
};

/** A part of the history, newest first, with how many there are in all. */
export async function searchHistory(
  { limner, images }: StudioPanel,
  { filter, offset, limit }: StudioParameters<'history'>,
): Promise<StudioReplies['history']> {
  const { store } = await limner.engine.get();
  const wanted = {
    ...(filter.text !== '' && { text: filter.text }),
    ...(filter.model !== '' && { model: filter.model }),
    ...(filter.starred && { starred: true as const }),
    ...(filter.edits && { kind: 'edit' as const }),
    ...(statuses[filter.status] && { statuses: statuses[filter.status] ?? [] }),
  };
  const tasks = store.list({ ...wanted, offset, limit });
  return {
    total: store.count(wanted),
    tasks: await Promise.all(tasks.map(async (task) => studioTask(images, task))),
    models: store.models(),
  };
}
