import { pathToFileURL } from 'node:url';
import type { Task } from '../../src/engine/task/task.ts';
import { newTaskId } from '../../src/engine/task/taskId.ts';
import { aRequest, aTask } from '../../test/support/engine/taskBuilders.ts';
import { Random } from '../../test/support/random.ts';

const words =
  'a red fox sleeping under an old oak in heavy snow seen from above at dawn with long shadows watercolor on rough paper soft light no text wide frame calm sea small boat far mountains city street rain neon night'.split(
    ' ',
  );
/** A word in one of so many prompts. */
export const rareWord = { text: 'heliotrope', every: 1000 };
/** A word in most prompts. */
export const commonWord = 'snow';
/** Between one task and the next, in milliseconds. */
const pause = 10 * 60_000;

/**
 * Returns the history of a busy user: every other task of this workspace, the others of forty more, one in ten an
 * edit, most with one image and some with four.
 *
 * @param workspace its path
 * @param images paths of the images that they have saved, in turn
 */
export function manyTasks(count: number, workspace: string, images: readonly string[]): Task[] {
  const random = new Random(count);
  const now = Date.now();
  return Array.from({ length: count }, (_, position) => {
    const createdAt = now - (count - position) * pause;
    const root = position % 2 === 0 ? workspace : `/home/somebody/projects/number-${random.below(40)}`;
    const prompt = Array.from({ length: 12 + random.below(20) }, () => random.pick(words));
    if (position % rareWord.every === 0) {
      prompt.push(rareWord.text);
    }
    const imageAt = (index: number): string =>
      pathToFileURL(images[(position + index) % images.length] ?? '').href;
    const n = random.below(5) === 0 ? 4 : 1;
    const isEdit = random.below(10) === 0;
    return aTask({
      id: newTaskId(createdAt),
      createdAt,
      submittedAt: createdAt + 200,
      finishedAt: createdAt + 20_000,
      status: 'completed',
      remoteId: `task_${position}`,
      request: aRequest({
        kind: isEdit ? 'edit' : 'generate',
        prompt: prompt.join(' '),
        model: `painter-${random.below(4)}`,
        size: '1024x1024',
        n,
        ...(isEdit && { images: [anInput(images[position % images.length] ?? '')] }),
        target: {
          folder: pathToFileURL(`${root}/images`).href,
          root: pathToFileURL(root).href,
          fileName: '{prompt}',
        },
      }),
      results: Array.from({ length: n }, (_, index) => ({
        index,
        state: 'saved',
        url: `http://127.0.0.1:9/api/async-images/${position}-${index}.png`,
        uri: imageAt(index),
        size: 1_400_000,
        mediaType: 'image/png',
        width: 1024,
        height: 1024,
        sha256: random
          .below(2 ** 32)
          .toString(16)
          .padStart(64, '0'),
      })),
    });
  });
}

function anInput(path: string): NonNullable<Task['request']['images']>[number] {
  return {
    uri: pathToFileURL(path).href,
    name: 'photo.png',
    size: 1_400_000,
    mediaType: 'image/png',
    sha256: '0'.repeat(64),
    path,
  };
}
