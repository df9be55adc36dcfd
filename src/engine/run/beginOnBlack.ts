import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import * as english from '../../common/english.ts';
import { pathOfUri } from '../../common/fileUris.ts';
import { isLimnerError, LimnerError, notSent, messageOf } from '../../common/limnerError.ts';
import { cameWithoutBackground } from '../task/twoBackgrounds.ts';
import { isWhole } from '../../common/taskStatus.ts';
import type { Task, TaskInput, TaskRequest, TaskResult } from '../task/task.ts';
import { newTaskId } from '../task/taskId.ts';
import type { Run } from './run.ts';

interface Edit extends TaskRequest {
  images: [TaskInput];
}

/**
 * Begins the task that puts the saved image on black, if the request is for an image on white. It begins only once,
 * because its ID is written to the row before the task exists. Only the requested image is edited, not surplus images,
 * and neither is an image that is finished already, can't be used, or belongs to a stopped task. After a restart the
 * new task waits for the user, like any unsent task.
 */
export async function beginOnBlack(run: Run): Promise<void> {
  const { clock, begin, staging } = run.context;
  const task = run.task();
  const result = task?.results.find(({ state }) => state === 'saved');
  const request = task && result && edit(task, result);
  const isStopped = task?.error?.code === 'stopped';
  const isDone = task?.results.some((one) => one.onBlack?.begun || cameWithoutBackground(one));
  if (!request || isStopped || isDone) {
    return;
  }
  try {
    if (!isWhole(result)) {
      throw new LimnerError('unsupported_image', english.t('The one on white is damaged.'), notSent);
    }
    const onWhite = await findOnWhite(run, result.index, request);
    const id = result.onBlack?.id ?? newTaskId(clock.now());
    if (await run.record({ type: 'resultChanged', result: { ...result, onBlack: { id } } })) {
      // The edit may wait for a while, and the user may change the file meanwhile.
      await staging.copyInput(id, onWhite);
      await begin(id, request, run.isOrdered);
      await run.record({ type: 'resultChanged', result: { ...result, onBlack: { id, begun: true } } });
    }
  } catch (error) {
    if (run.ended.aborted || !isLimnerError(error)) {
      throw error;
    }
    run.context.log.warn(`Task ${run.id}: no image on black: ${error.message}`);
    const finished = { problem: english.t('The image on black was not generated: {0}', error.message) };
    await run.record({ type: 'resultChanged', result: { ...result, finished } });
  }
}

/**
 * Returns the image that a request edits, with its current path.
 *
 * @throws LimnerError `unsupported_image` when it is gone, damaged, or not on white
 */
async function findOnWhite(run: Run, index: number, { images: [input] }: Edit): Promise<TaskInput> {
  const { context } = run;
  const path = await context.keptFiles.whereabouts(input);
  if (path === undefined) {
    const message = english.t('"{0}" was moved, changed, or deleted before it could be edited.', input.name);
    throw new LimnerError('unsupported_image', message, notSent);
  }
  const look = async (): ReturnType<typeof context.backgroundOf> =>
    context.backgroundOf(await readFile(path));
  const background = await run.counted(index, look).catch((error: unknown) => {
    throw new LimnerError('unsupported_image', messageOf(error), { ...notSent, cause: error });
  });
  if (background !== 'white') {
    throw new LimnerError('unsupported_image', backgroundTexts[background], notSent);
  }
  return { ...input, path };
}

const backgroundTexts = {
  scene: english.t('The background is not one flat color.'),
  color: english.t(
    'The background is one flat color, but not white. Remove Background… or limner finish --transparent can remove it at no cost.',
  ),
  transparent: english.t('The image is transparent already.'),
};

function edit(task: Task, { uri, size, mediaType, sha256 }: TaskResult): Edit | undefined {
  const {
    onBlack,
    mask: _,
    keepOutside: __,
    agent: ___,
    images: [original] = [],
    style,
    ...request
  } = task.request;
  const { images: ____, ...words } = style ?? {};
  if (!onBlack || !uri?.startsWith('file:') || size === undefined || !mediaType || sha256 === undefined) {
    return undefined;
  }
  const path = pathOfUri(uri);
  const onWhite: TaskInput = { uri, name: basename(path), size, mediaType, sha256, path };
  const {
    finish,
    fileName,
    callStyle = request.callStyle,
    imageField = request.imageField ?? 'image',
  } = onBlack;
  return {
    ...request,
    kind: 'edit',
    callStyle,
    n: 1,
    images: [onWhite],
    imageField,
    finish,
    ...(original && { original }),
    ...(style && { style: { ...words, name: style.name } }),
    target: { ...request.target, fileName },
  };
}
