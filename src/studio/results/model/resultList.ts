import type { Draft } from '../../protocol/draft.ts';
import type { StudioImage, StudioTask } from '../../protocol/state.ts';
import * as l10n from '@vscode/l10n';

/** Names one image of one task. */
export type ResultReference = NonNullable<Draft['view']['selected']>;

/** An image that can be shown. */
export interface Result {
  task: StudioTask;
  image: StudioImage;
  url: string;
}

/** Returns all saved images of these tasks, in the order shown. */
export function resultsOf(tasks: readonly StudioTask[]): Result[] {
  return tasks.flatMap((task) =>
    task.images.flatMap((image) => (image.url === undefined ? [] : { task, image, url: image.url })),
  );
}

/** Whether a task ended with files that are all gone. */
export function hasLostItsFiles({ images, standing }: StudioTask): boolean {
  return (
    standing === 'ended' &&
    images.some(({ name }) => name !== '') &&
    images.every(({ url, error }) => url === undefined && error === undefined)
  );
}

export function referenceTo({ task, image }: Pick<Result, 'task' | 'image'>): ResultReference {
  return { task: task.id, index: image.index };
}

export function findResult(
  results: readonly Result[],
  reference: ResultReference | null,
): Result | undefined {
  return results.find(({ task, image }) => task.id === reference?.task && image.index === reference.index);
}

/** Returns the result before (-1) or after (1) this one; undefined beyond the ends. */
export function neighbourOf(results: readonly Result[], result: Result, step: -1 | 1): Result | undefined {
  const at = results.findIndex(
    ({ task, image }) => task.id === result.task.id && image.index === result.image.index,
  );
  return at < 0 ? undefined : results[at + step];
}

/** Returns the result to show instead of one that is gone: the next that is left, or else the last before it. */
export function successorOf(
  before: readonly Result[],
  gone: ResultReference,
  results: readonly Result[],
): Result | undefined {
  const at = before.findIndex(({ task, image }) => task.id === gone.task && image.index === gone.index);
  const stillThere = (others: readonly Result[]): Result[] =>
    others.flatMap((other) => findResult(results, referenceTo(other)) ?? []);
  return at < 0 ? undefined : (stillThere(before.slice(at + 1))[0] ?? stillThere(before.slice(0, at)).at(-1));
}

/** An image that a result can be compared with. */
export type Counterpart = { kind: 'original'; url: string } | { kind: 'result'; result: Result };

/** Returns the original, if there is one, and all other results. */
export function counterpartsOf(results: readonly Result[], of: Result): Counterpart[] {
  const { originalUrl } = of.task;
  return [
    ...(originalUrl === undefined ? [] : [{ kind: 'original', url: originalUrl } as const]),
    ...results
      .filter(({ task, image }) => task.id !== of.task.id || image.index !== of.image.index)
      .map((result) => ({ kind: 'result', result }) as const),
  ];
}

/** Returns the counterpart that the draft names, or else the first. */
export function counterpartOf(
  counterparts: readonly Counterpart[],
  other: ResultReference | null,
): Counterpart | undefined {
  return (
    counterparts.find((counterpart) =>
      counterpart.kind === 'original'
        ? other === null
        : counterpart.result.task.id === other?.task && counterpart.result.image.index === other.index,
    ) ?? counterparts[0]
  );
}

/** Returns the accessible name of an image: its number and its prompt. */
export function resultName({ task, image }: Pick<Result, 'task' | 'image'>): string {
  return task.count > 1
    ? l10n.t('Image {0} of "{1}"', image.index + 1, task.prompt)
    : l10n.t('Image of "{0}"', task.prompt);
}

/** Writes `1024x768` as `1024 × 768`. */
export function sizeText(size: string): string {
  return size.replace('x', ' × ');
}
