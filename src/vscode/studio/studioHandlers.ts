import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { HistoryFilter } from '../../studio/protocol/draft.ts';
import type { StudioParameters, StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioTaskAction } from '../../studio/protocol/state.ts';
import type { Task } from '../../engine/task/task.ts';
import { isTerminal, statusesOf, taskStatuses, type TaskStatus } from '../../common/taskStatus.ts';
import { fitToOriginal, fitToSize, saveOriginalOutput, saveCopies } from '../actions/savedCopies.ts';
import { copyPaths, type ImageCommands } from '../actions/imageCommands.ts';
import type { Batches } from '../actions/batches.ts';
import type { DiscardedImages } from '../actions/discardedImages.ts';
import { type ImageReference, noLongerListed, referenceTo } from '../actions/imageFileQueue.ts';
import { copyAs, insertReference, insertReferences } from '../pages/insertImage.ts';
import type { ChangedOriginal, OriginalReplacer } from '../actions/originalReplacer.ts';
import type { Remaking } from '../actions/remaking.ts';
import { offering, type SavedImage } from '../actions/taskArgument.ts';
import type { TaskOperations } from '../actions/taskOperations.ts';
import { refuse } from '../ask/refusal.ts';
import * as commands from '../window/commandIds.ts';
import * as settingNames from '../window/settingNames.ts';
import type { Documents } from '../documents/documents.ts';
import { pickImages } from '../generate/inputImages.ts';
import type { Painting } from '../generate/painting.ts';
import { pickFolder, type SaveTargets } from '../generate/saveTarget.ts';
import type { PromptWriter } from '../generate/promptWriter.ts';
import type { StudioHandlers } from './answerRequest.ts';
import type { StudioImages } from './studioImages.ts';
import type { StudioPanel } from './studioPanel.ts';
import type { SocialCards } from '../pages/socialCards.ts';
import { pickSetFile, shownSet, startSet, textOf, writeSet } from '../sets/setOrders.ts';
import { studioTask, taskFixes } from './studioTask.ts';
import { findImage } from '../taskList/movedImages.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { loadMask, maskUrl, saveMask } from './masks.ts';
import type { TaskRestorer } from './taskRestorer.ts';

export interface StudioActs {
  engine: EngineHost;
  targets: SaveTargets;
  painting: Painting;
  writer: PromptWriter;
  restorer: TaskRestorer;
  tasks: TaskOperations;
  images: ImageCommands;
  discarded: DiscardedImages;
  originals: OriginalReplacer;
  remaking: Remaking;
  cards: SocialCards;
  batches: Batches;
  documents: () => Promise<Documents>;
}

/** Returns the handlers of the page's requests, by the methods of the protocol. */
export function studioHandlers(studio: StudioPanel, acts: StudioActs): StudioHandlers {
  const {
    engine,
    targets,
    painting,
    writer,
    restorer,
    tasks,
    images,
    discarded,
    originals,
    remaking,
    cards,
    batches,
    documents,
  } = acts;
  const { draft, inputs } = studio;
  const on =
    <Reply>(action: (image: SavedImage) => Promise<Reply>) =>
    async (reference: ImageReference): Promise<Reply> => {
      const reply = await action(await requireImage(engine, reference));
      studio.changed([reference.task]);
      return reply;
    };
  const finish = (command: string): ((reference: ImageReference) => Promise<void>) =>
    on(async ({ uri }) => {
      await vscode.commands.executeCommand(command, uri);
    });
  const taskActions: Record<StudioTaskAction, (task: Task) => Promise<unknown>> = {
    stop: async ({ id }) => tasks.stop(id),
    cancel: async ({ id }) => tasks.cancel(id),
    tryNow: async ({ id }) => tasks.tryNow(id),
    resume: async ({ id }) => tasks.resume(id),
    saveAgain: async ({ id }) => tasks.saveAgain(id, true),
    fetchAgain: async ({ id }) => tasks.saveAgain(id, true),
    finishAgain: async ({ id }) => tasks.finishAgain(id, true),
    remove: async (task) => tasks.remove([task]),
    runAgain: async ({ id }) => studio.taskStarted(await tasks.runAgain(id)),
    runSynchronously: async ({ id }) => studio.taskStarted(await tasks.runSynchronously(id)),
  };
  const undos: NonNullable<ChangedOriginal['undo']>[] = [];
  const changed = (original: ChangedOriginal | undefined): StudioReplies['replaceOriginal'] => {
    if (original?.undo) {
      return { name: original.name, change: undos.push(original.undo) - 1 };
    }
    original?.tell();
    return null;
  };
  return {
    async opened() {
      // Messages may be lost while the page is being loaded.
      studio.tellAll();
    },
    async saveDraft({ changes }) {
      const { model } = draft.draft;
      await draft.change(changes);
      if (draft.draft.model !== model) {
        // The page may not know an unlisted one.
        void studio.tellSettings();
      }
      studio.watchInputs();
      return studio.target.refresh();
    },
    submit: async ({ mask }) =>
      studio.send(async () => {
        const sent = draft.draft;
        if (sent.isSet) {
          const starting = await startSet(sent, inputs, acts);
          const ends = await Promise.allSettled(starting);
          const first = await studio.taskStarted(
            ...ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : [])),
          );
          const failed = ends.find((end) => end.status === 'rejected');
          if (failed) {
            throw failed.reason;
          }
          return first;
        }
        const order = async (): ReturnType<typeof inputs.order> => inputs.order(sent, mask);
        const more = await cards.continuedBy(sent);
        return studio.taskStarted(await painting.startDraft(sent, order, more));
      }),
    readSet: async ({ text }) => Promise.resolve(shownSet(text)),
    async pickSet() {
      const file = await pickSetFile();
      return file ? shownSet(await textOf(file)) : null;
    },
    async writeSet() {
      const rows = await writeSet(writer);
      return rows ?? null;
    },
    async batchAction({ batch, action }) {
      await batches[action](batch);
    },
    async makeAgain({ tasks: ids }) {
      await studio.taskStarted(...(await tasks.makeAgain(ids)));
    },
    async insertAll({ images: references }) {
      await insertReferences(
        await Promise.all(references.map(async (reference) => requireImage(engine, reference))),
        documents,
      );
    },
    improvePrompt: async ({ prompt }) =>
      writer.improve(prompt, draft.draft.inputs.length > 0 ? 'edit' : 'generate'),
    async pickFolder() {
      const folder = await pickFolder();
      return folder ? targets.nameOf(folder) : null;
    },
    async pickInputs() {
      const picked = await pickImages(l10n.t('Add Images'), l10n.t('Add'));
      return inputs.takeFiles(picked ?? []);
    },
    addInputs: async ({ uris }) => inputs.takeFiles(uris.map(droppedUri)),
    addInputBytes: async ({ name, bytes }) => inputs.takeBytes(name, bytes),
    loadMask: async (size) => loadMask(engine, draft, size),
    maskUrl: async ({ file }) => maskUrl(engine, draft, studio.images, file),
    saveMask: async ({ bytes, name }) => saveMask(name, bytes),
    async taskAction({ task, action }) {
      const [able] = await offering(engine, [task], action);
      await (able && taskActions[action](able));
    },
    async fixTask({ task: id, errorAction }) {
      const task = (await engine.get()).store.get(id);
      const fixes = task ? taskFixes(task) : [];
      // Scaling, which is paid for, is the button after them.
      await (errorAction === fixes.length
        ? studio.taskStarted(await tasks.runScaled(id))
        : fixes[errorAction]?.run());
    },
    async useAsInput(reference) {
      const { uri } = await requireImage(engine, reference);
      return inputs.takeFile(uri);
    },
    reloadInput: async ({ id }) => inputs.reload(id),
    async star({ task, index, starred }) {
      const { runner } = await engine.get();
      await runner.star(task, index, starred);
    },
    open: on(async (image) => images.open(image)),
    insert: on(async (image) => insertReference(image, documents)),
    copyPath: on(async ({ uri }) => copyPaths([uri])),
    copyAs: on(async (image) => copyAs(image, documents)),
    reveal: on(async (image) => images.reveal(image)),
    compareWithOriginal: on(async (image) => images.compareWithOriginal(image)),
    async discard({ images: references }) {
      const chosen = await Promise.all(references.map(async (one) => requireImage(engine, one)));
      const gone = await discarded.discard(chosen);
      studio.changed(references.map(({ task }) => task));
      return gone.map(referenceTo);
    },
    keepOnly: on(async (image) => (await discarded.keepOnly(image)).map(referenceTo)),
    async recover({ images: references }) {
      await discarded.recover(references);
      studio.changed(references.map(({ task }) => task));
    },
    async saveAs({ images: references }) {
      const chosen = await Promise.all(references.map(async (one) => requireImage(engine, one)));
      await saveCopies(engine, chosen);
      studio.changed(references.map(({ task }) => task));
    },
    replaceOriginal: on(async (image) => changed(await originals.replace(image))),
    // Doesn't use `on`: the file of the image may be gone.
    async restoreOriginal(reference) {
      const restored = await originals.restore(reference);
      studio.changed([reference.task]);
      return changed(restored);
    },
    async undoOriginal({ change }) {
      const isUndone = await undos[change]?.();
      studio.changed(draft.draft.tasks);
      return isUndone || null;
    },
    fitToSize: on(async (image) => fitToSize(engine, image)),
    fitToOriginal: on(async (image) => fitToOriginal(engine, image)),
    fitImage: finish(commands.fitImage),
    convertImage: finish(commands.convertImage),
    removeBackground: finish(commands.removeBackground),
    exportSet: finish(commands.exportSet),
    keepAnyway: on(async (image) => changed(await remaking.cutOutAgain(image, 'keepAnyway'))),
    keepSolid: on(async (image) => changed(await remaking.cutOutAgain(image, 'keepSolid'))),
    async openRepair({ uri }) {
      const file = droppedUri(uri);
      const { source, ...images } = await remaking.toRepair(file);
      const url = (await studio.images.url(file)) ?? '';
      return { ...images, url, source: source ? new Uint8Array(source) : null };
    },
    async saveRepair({ uri, isCopy, ...repair }) {
      const file = droppedUri(uri);
      if (isCopy) {
        return { name: await remaking.repairCopy(file, repair) };
      }
      const repaired = changed(await remaking.repair(file, repair));
      studio.changed(draft.draft.tasks);
      return repaired;
    },
    saveOriginalOutput: on(async (image) => saveOriginalOutput(engine, image)),
    // Doesn't use `on`: the card is drawn, whatever happened to its file.
    async saveCard({ task: id, bytes, title, siteName }) {
      const task = (await engine.get()).store.get(id);
      if (!task) {
        throw noLongerListed();
      }
      return cards.save(task, { bytes, title, siteName });
    },
    copyPrompt: async ({ task }) => tasks.copyPrompts(await offering(engine, [task])),
    async saveAsStyle({ task }) {
      await vscode.commands.executeCommand(commands.taskSaveAsStyle, task);
    },
    async variations({ task, count }) {
      await studio.taskStarted(await tasks.variations(task, count));
    },
    async tryOtherWay({ task }) {
      await studio.taskStarted(await tasks.tryOtherWay(task));
    },
    history: async (part) => searchHistory(engine, studio.images, part),
    async restore({ task }) {
      const restored = await restorer.restore(task);
      studio.watchInputs();
      await studio.tellSettings();
      return restored;
    },
    runErrorAction: async ({ failure, errorAction }) => studio.runErrorAction(failure, errorAction),
    async openModelSettings() {
      await vscode.commands.executeCommand('workbench.action.openSettings', settingNames.models);
    },
    async connect({ demo }) {
      await vscode.commands.executeCommand(demo ? commands.useDemoService : commands.connect);
    },
  };
}

async function requireImage(engine: EngineHost, { task: id, index }: ImageReference): Promise<SavedImage> {
  const { store } = await engine.get();
  const task = store.get(id);
  const result = task && savedImages(task).find((saved) => saved.index === index);
  const uri = result && (await findImage(engine, task, result));
  if (!uri) {
    throw refuse(
      'invalid_request',
      l10n.t("The image file wasn't found. It may have been moved or deleted."),
    );
  }
  return { task, result, uri };
}

/**
 * Returns the URI of a dropped file. A remote workspace's window names files from its own point of view; for the
 * extension, which runs beside them, they are on disk.
 *
 * @throws Error if the text isn't a URI
 */
function droppedUri(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  return uri.scheme === 'vscode-remote' ? uri.with({ scheme: 'file', authority: '' }) : uri;
}

/** Returns every task that hasn't ended, including paused ones, unlike `isRunning`. */
const notEnded = taskStatuses.filter((status) => !isTerminal(status));
const statuses: Record<HistoryFilter['status'], readonly TaskStatus[] | undefined> = {
  any: undefined,
  running: notEnded,
  completed: ['completed'],
  failed: statusesOf('ended').filter((status) => status !== 'completed'),
};

/** Returns a page of the history, newest first, with the total count. */
async function searchHistory(
  engine: EngineHost,
  images: StudioImages,
  { filter, offset, limit }: StudioParameters<'history'>,
): Promise<StudioReplies['history']> {
  const { store } = await engine.get();
  const wanted = {
    ...(filter.text !== '' && { text: filter.text }),
    ...(filter.model !== '' && { model: filter.model }),
    ...(filter.starred && { starred: true as const }),
    ...(filter.edits && { kind: 'edit' as const }),
    ...(statuses[filter.status] && { statuses: statuses[filter.status] ?? [] }),
  };
  const { tasks, total } = store.search({ ...wanted, offset, limit });
  return {
    total,
    tasks: await Promise.all(tasks.map(async (task) => studioTask(images, task))),
    models: store.models(),
  };
}
