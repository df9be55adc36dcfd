import * as l10n from '@vscode/l10n';
import type { ResultReference } from '../protocol/draft.ts';
import type { StudioReplies } from '../protocol/messages.ts';
import type { StudioContext } from '../store/studioStore.ts';
import { type Act, Declined } from '../store/undoStack.ts';
import { areStarred, type ResultAction, variationCount } from './resultActions.ts';
import { referenceTo, type Result } from '../store/resultList.ts';

/** Performs an action on one or more images, and shows the problem if it fails. */
export async function perform(
  context: StudioContext,
  action: ResultAction,
  results: readonly Result[],
): Promise<void> {
  const { store, host } = context;
  const images = results.map(referenceTo);
  const doing = async (): Promise<unknown> => {
    switch (action) {
      case 'star':
        return star(context, results);
      case 'compare': {
        const [after, before] = images;
        return store.updateView({
          selected: after ?? null,
          compare: { mode: 'slider', other: before ?? null },
          zoom: null,
        });
      }
      case 'useAsInput':
        return store.addInputs(await Promise.all(images.map(async (image) => host.ask('useAsInput', image))));
      case 'saveAs':
        return host.ask('saveAs', { images });
      case 'discard':
        return discarded(
          context,
          l10n.t('deleted {0}', namesOf(results)),
          await host.ask('discard', { images }),
        );
      default:
        return Promise.all(results.map(async (result) => performAlone(context, action, result)));
    }
  };
  await store.attempt(async () => (areActs.has(action) ? store.acts.during(doing) : doing()));
}

const areActs = new Set<ResultAction>([
  'star',
  'useAsInput',
  'discard',
  'keepOnly',
  'replaceOriginal',
  'restoreOriginal',
  'keepAnyway',
  'keepSolid',
]);

/** Performs an action that is only offered for one image. */
async function performAlone(
  context: StudioContext,
  action: Exclude<ResultAction, 'star' | 'compare' | 'useAsInput' | 'saveAs' | 'discard'>,
  result: Result,
): Promise<unknown> {
  const { store, host } = context;
  const reference = referenceTo(result);
  const { task } = reference;
  switch (action) {
    case 'variations':
      return host.ask('variations', { task, count: variationCount(result.task, store.state.models) });
    case 'runAgain':
      return host.ask('taskAction', { task, action: 'runAgain' });
    case 'copyPrompt':
      return host.ask('copyPrompt', { task });
    case 'keepOnly':
      return discarded(
        context,
        l10n.t('kept only {0}', result.image.name),
        await host.ask('keepOnly', reference),
      );
    case 'repairTransparency':
      return store.repair(result.image.uri ?? '');
    case 'replaceOriginal':
    case 'restoreOriginal':
    case 'keepAnyway':
    case 'keepSolid': {
      const changed = await host.ask(action, reference);
      return changed ? store.done(changedOriginal(context, action, reference, changed)) : undefined;
    }
    case 'copyImage':
      return copyImage(result.url);
    default:
      return host.ask(action, reference);
  }
}

/** Stars images, or removes their stars if all have one, as one act that can be undone. */
async function star({ store, host }: StudioContext, results: readonly Result[]): Promise<void> {
  const starred = !areStarred(results);
  const changed = results.filter(({ image }) => image.starred !== starred).map(referenceTo);
  const set = async (starred: boolean): Promise<void> => {
    await Promise.all(changed.map(async (image) => host.ask('star', { ...image, starred })));
  };
  await set(starred);
  const names = namesOf(results);
  store.done({
    label: starred ? l10n.t('starred {0}', names) : l10n.t('removed the star of {0}', names),
    undo: async () => set(!starred),
    redo: async () => set(starred),
  });
}

/** Records discarded images as an act that can be undone. */
function discarded({ store, host }: StudioContext, label: string, discarded: StudioReplies['discard']): void {
  let images = discarded;
  if (images.length > 0) {
    store.done({
      label,
      isShown: true,
      undo: async () => void (await host.ask('recover', { images })),
      redo: async () => void (images = await host.ask('discard', { images })),
    });
  }
}

function changedOriginal(
  { host }: StudioContext,
  action: 'replaceOriginal' | 'restoreOriginal' | 'keepAnyway' | 'keepSolid',
  image: ResultReference,
  { name, change }: NonNullable<StudioReplies['replaceOriginal']>,
): Act {
  let last = change;
  const labels = {
    replaceOriginal: l10n.t('replaced {0}', name),
    restoreOriginal: l10n.t('restored {0}', name),
    keepAnyway: l10n.t('removed the background of {0} although the check failed', name),
    keepSolid: l10n.t('made the inside of {0} solid', name),
  };
  return {
    label: labels[action],
    isShown: true,
    undo: async () => void accepted(await host.ask('undoOriginal', { change: last })),
    redo: async () => void ({ change: last } = accepted(await host.ask(action, image))),
  };
}

/** Returns the reply to a question that the user did not decline. @throws Declined */
function accepted<T>(reply: T | null): T {
  if (reply === null) {
    throw new Declined();
  }
  return reply;
}

function namesOf([result, ...others]: readonly Result[]): string {
  return others.length > 0 ? l10n.t('{0} images', others.length + 1) : (result?.image.name ?? '');
}

/** Copies an image to the clipboard as PNG, which every clipboard supports. */
async function copyImage(url: string): Promise<void> {
  // Called at once, while the user's key or click still permits it. The bytes may follow later.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(url) })]);
}

async function pngOf(url: string): Promise<Blob> {
  const image = new Image();
  // Lets the canvas read images from another origin.
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
