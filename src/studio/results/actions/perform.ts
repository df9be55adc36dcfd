import * as l10n from '@vscode/l10n';
import type { StudioReplies } from '../../protocol/messages.ts';
import type { StudioContext } from '../../store/studioStore.ts';
import { type ResultAction, variationCount } from './resultActions.ts';
import { referenceTo, type Result } from '../model/resultList.ts';

/** Performs an action on an image, and shows the problem if it fails. */
export async function perform(
  { store, host }: StudioContext,
  action: ResultAction,
  result: Result,
): Promise<void> {
  const reference = referenceTo(result);
  const { task } = reference;
  await store.attempt(async () => {
    switch (action) {
      case 'star':
        return host.ask('star', { ...reference, starred: !result.image.starred });
      case 'useAsInput':
        return store.addInputs([await host.ask('useAsInput', reference)]);
      case 'variations':
        return host.ask('variations', { task, count: variationCount(result.task, store.state.models) });
      case 'runAgain':
        return host.ask('taskAction', { task, action: 'runAgain' });
      case 'copyPrompt':
        return host.ask('copyPrompt', { task });
      case 'discard':
      case 'keepOnly':
        return discarded({ store, host }, action, result, await host.ask(action, reference));
      case 'copyImage':
        return copyImage(result.url);
      default:
        return host.ask(action, reference);
    }
  });
}

/** Makes discarding images an act that can be undone. */
function discarded(
  { store, host }: StudioContext,
  action: 'discard' | 'keepOnly',
  of: Result,
  images: StudioReplies['discard'],
): void {
  if (images.length > 0) {
    const label =
      action === 'discard' ? l10n.t('discarded {0}', of.image.name) : l10n.t('kept only {0}', of.image.name);
    store.done({
      label,
      isShown: true,
      undo: async () => void (await host.ask('recover', { images })),
      redo: async () => void (await host.ask(action, referenceTo(of))),
    });
  }
}

/** Copies an image to the clipboard as PNG, the one format that every clipboard takes. */
async function copyImage(url: string): Promise<void> {
  // Called at once, while the user's key or click still permits it; the bytes may come later.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(url) })]);
}

async function pngOf(url: string): Promise<Blob> {
  const image = new Image();
  // Lets the canvas be read: images come from another origin.
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
