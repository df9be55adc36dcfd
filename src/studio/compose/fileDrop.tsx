import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from '../components/button.tsx';
import type { StudioContext } from '../store/studioStore.ts';
import { carriesFiles, droppedUris, foreignUris } from './inputList.ts';

/** `drop`: the drag can be dropped here; `needsShift`: only with Shift, otherwise VS Code takes it. */
export type DropState = 'nothing' | 'drop' | 'needsShift';

/** Adds images that are dropped or pasted anywhere in the page. */
export function useFileDrop(context: StudioContext): DropState {
  const [dropState, setDropState] = useState<DropState>('nothing');
  useEffect(() => {
    const listening = new AbortController();
    const listen = <Type extends keyof DocumentEventMap>(
      type: Type,
      listener: (event: DocumentEventMap[Type]) => void,
    ): void => document.addEventListener(type, listener, { signal: listening.signal });
    const onDrag = (event: DragEvent): void => {
      if (event.dataTransfer && carriesFiles(event.dataTransfer)) {
        event.preventDefault();
        event.dataTransfer.dropEffect = 'copy';
        setDropState(event.shiftKey ? 'drop' : 'needsShift');
      }
    };
    const onEnd = (): void => setDropState('nothing');
    listen('dragenter', onDrag);
    listen('dragover', onDrag);
    listen('dragleave', ({ relatedTarget }) => {
      if (!relatedTarget) {
        onEnd();
      }
    });
    // While VS Code handles a drag, the page gets no events until the pointer moves freely again.
    listen('pointermove', onEnd);
    listen('drop', (event) => {
      const { dataTransfer } = event;
      onEnd();
      if (dataTransfer && carriesFiles(dataTransfer)) {
        event.preventDefault();
        void context.store.attempt(() => addDropped(context, dataTransfer));
      }
    });
    listen('paste', (event) => {
      const files = imagesIn(event.clipboardData);
      if (files.length > 0 && !isTextFor(event)) {
        event.preventDefault();
        void context.store.attempt(() => addFiles(context, files));
      }
    });
    return () => listening.abort();
  }, [context.store, context.host]);
  return dropState;
}

/** Covers the page while a droppable item is dragged over it. */
export function DropHint({ dropState }: { dropState: Exclude<DropState, 'nothing'> }): JSX.Element {
  return (
    <div class="drop-hint" role="status">
      <p>
        <Icon name={dropState === 'drop' ? 'file-media' : 'info'} />
        {dropState === 'drop'
          ? l10n.t('Drop to add as an input image')
          : l10n.t('Hold Shift to drop it here')}
      </p>
    </div>
  );
}

async function addDropped(context: StudioContext, transfer: DataTransfer): Promise<void> {
  const ours = droppedUris(transfer);
  const files = [...transfer.files];
  // An image dragged from a web page also has a URL, but the user means the image.
  const uris = ours.length > 0 || files.length > 0 ? ours : foreignUris(transfer);
  if (uris.length > 0) {
    context.store.addInputs(await context.host.ask('addInputs', { uris }));
  } else {
    await addFiles(context, files);
  }
}

function imagesIn(data: DataTransfer | null): File[] {
  return [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
}

/** Whether a text field takes the paste: some programs copy an image along with the text. */
function isTextFor({ target, clipboardData }: ClipboardEvent): boolean {
  const isField = target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
  return isField && (clipboardData?.types.includes('text/plain') ?? false);
}

/** In bytes. Services take no more, and the whole image is sent in a message. */
const largest = 100 * 1024 * 1024;

async function addFiles({ store, host }: StudioContext, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const name = file.name || l10n.t('Pasted image');
    if (file.size > largest) {
      throw new Error(l10n.t('{0} is too large to be an input image.', name));
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    store.addInputs([await host.ask('addInputBytes', { name, bytes })]);
  }
}
