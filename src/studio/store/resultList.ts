import type { Draft, ResultReference } from '../protocol/draft.ts';
import type { StudioImage, StudioTask } from '../protocol/state.ts';
import * as l10n from '@vscode/l10n';

export interface Result {
  task: StudioTask;
  image: StudioImage;
  url: string;
}

/** Returns the saved images of these tasks, in display order. */
export function resultsOf(tasks: readonly StudioTask[]): Result[] {
  return tasks.flatMap((task) =>
    task.images.flatMap((image) => (image.url === undefined ? [] : { task, image, url: image.url })),
  );
}

/**
 * Returns the images by number: until the task ends, with a place for each requested one that was not discarded; then
 * only images that are saved or have an error.
 */
export function cellsOf({ images, count, standing }: StudioTask): (StudioImage | undefined)[] {
  if (standing === 'ended') {
    return images.filter(({ url, error }) => url !== undefined || error !== undefined);
  }
  const length = Math.max(count, ...images.map(({ index }) => index + 1));
  return Array.from({ length }, (_, index) => images.find((image) => image.index === index)).filter(
    (image) => !image?.isDiscarded,
  );
}

export function hasLostItsFiles({ images, standing }: StudioTask): boolean {
  return (
    standing === 'ended' &&
    images.some(({ name }) => name !== '') &&
    images.every(({ url, error }) => url === undefined && error === undefined)
  );
}

/** Says that the user deleted the images of a task; undefined if others remain. */
export function deletedText({ images }: StudioTask): string | undefined {
  const { length } = images.filter(({ isDiscarded }) => isDiscarded);
  if (length === 0 || images.some(({ url, error }) => url !== undefined || error !== undefined)) {
    return undefined;
  }
  return length === 1 ? l10n.t('The image was deleted.') : l10n.t('{0} images were deleted.', length);
}

export function referenceTo({ task, image }: Pick<Result, 'task' | 'image'>): ResultReference {
  return { task: task.id, index: image.index };
}

export function findResult(
  results: readonly Result[],
  reference: ResultReference | null,
): Result | undefined {
  return results.find((result) => isSame(referenceTo(result), reference));
}

export function isSame(one: ResultReference | null, other: ResultReference | null): boolean {
  return one?.task === other?.task && one?.index === other?.index;
}

/** Returns the result before (-1) or after (1) this one; undefined beyond the ends. */
export function neighborOf(results: readonly Result[], result: Result, step: -1 | 1): Result | undefined {
  const at = results.findIndex((other) => isSame(referenceTo(other), referenceTo(result)));
  return at < 0 ? undefined : results[at + step];
}

/** Returns the view of the next result. Images of the same size keep the zoom, for comparison. */
export function viewAfter(before: Result | undefined, next: Result): Partial<Draft['view']> {
  const isAlike = before?.image.width === next.image.width && before?.image.height === next.image.height;
  return { selected: referenceTo(next), ...(!isAlike && { zoom: null }) };
}

/** Returns the result to show after one is gone: the next, or else the previous. */
export function successorOf(
  before: readonly Result[],
  gone: ResultReference,
  results: readonly Result[],
): Result | undefined {
  const at = before.findIndex((result) => isSame(referenceTo(result), gone));
  const stillThere = (others: readonly Result[]): Result[] =>
    others.flatMap((other) => findResult(results, referenceTo(other)) ?? []);
  return at < 0 ? undefined : (stillThere(before.slice(at + 1))[0] ?? stillThere(before.slice(0, at)).at(-1));
}

/** An image that a result can be compared with; the original has no reference. */
export interface Counterpart {
  reference: ResultReference | null;
  url: string;
  name: string;
}

/** Returns the original, if there is one, and all other results. */
export function counterpartsOf(results: readonly Result[], of: Result): Counterpart[] {
  const { originalUrl } = of.task;
  return [
    ...(originalUrl === undefined ? [] : [{ reference: null, url: originalUrl, name: l10n.t('Original') }]),
    ...results
      .map((result) => ({
        reference: referenceTo(result),
        url: result.url,
        name: resultLabel(results, result),
      }))
      .filter(({ reference }) => !isSame(reference, referenceTo(of))),
  ];
}

/** Returns the counterpart that the draft names, or else the first. */
export function counterpartOf(
  counterparts: readonly Counterpart[],
  other: ResultReference | null,
): Counterpart | undefined {
  return counterparts.find(({ reference }) => isSame(reference, other)) ?? counterparts[0];
}

/** Returns the accessible name of an image: its number and its prompt. */
export function resultName({ task, image }: Pick<Result, 'task' | 'image'>): string {
  return task.count > 1
    ? l10n.t('Image {0} of "{1}"', image.index + 1, task.prompt)
    : l10n.t('Image of "{0}"', task.prompt);
}

/** Returns a label that distinguishes a result from the others: its number and its file. */
export function resultLabel(results: readonly Result[], result: Result): string {
  const at = results.findIndex((other) => isSame(referenceTo(other), referenceTo(result)));
  return l10n.t('Result {0} of {1} · {2}', at + 1, results.length, result.image.name);
}

/** Returns why an image needs a look: it is damaged, or the check of its cutout failed. */
export function lookReason({ damage, cutout }: StudioImage): string | undefined {
  const isDoubtful = cutout !== undefined && cutout.verdict !== 'good';
  return damage ?? (isDoubtful ? (cutout.reasons[0] ?? l10n.t('Check the background.')) : undefined);
}

/** Says how many images of a task need a look; undefined if none does. */
export function lookText({ images }: StudioTask): string | undefined {
  const saved = images.filter(({ url }) => url !== undefined);
  const { length } = saved.filter((image) => lookReason(image) !== undefined);
  return length === 0
    ? undefined
    : saved.length === 1
      ? l10n.t('Needs a look')
      : l10n.t('Needs a look: {0} of {1}', length, saved.length);
}

/** Formats the size of a request, `1024x768`, for the user. */
export function requestedSize(size: string): string {
  return size.replace('x', ' × ');
}
