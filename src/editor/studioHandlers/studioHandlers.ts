// Room: what the studio does when its page asks.
// Never: HTML.

import * as vscode from 'vscode';
import type { HistoryFilter } from '../../studio/protocol/draft.ts';
import type { StudioParameters, StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioTaskAction } from '../../studio/protocol/state.ts';
import { isTerminal, statusesOf, taskStatuses, type TaskStatus } from '../../common/taskStatus.ts';
import { fitToOriginal, fitToSize, saveOriginalOutput, saveAs } from '../actions/imageCopies.ts';
import { copyPaths, type ImageOperations } from '../actions/imageOperations.ts';
import type { DiscardedImages } from '../actions/discardedImages.ts';
import { type ImageReference, noLongerListed, referenceTo } from '../actions/imageActs.ts';
import { copyAs, insertReference } from '../insert/imageText.ts';
import type { ChangedOriginal, OriginalReplacer } from '../actions/originalReplacer.ts';
import type { SavedImage } from '../actions/taskArgument.ts';
import type { TaskOperations } from '../actions/taskOperations.ts';
import { refuse } from '../questions/refusal.ts';
import * as commands from '../commandIds.ts';
import { settingNames } from '../names.ts';
import type { Documents } from '../documents/documents.ts';
import { pickImages } from '../paint/inputImages.ts';
import type { Painting } from '../paint/painting.ts';
import { pickFolder, type SaveTargets } from '../paint/saveTarget.ts';
import type { PromptWriter } from '../prompts/promptWriter.ts';
import type { StudioHandlers } from '../studioPanel/answerRequest.ts';
import type { StudioImages } from '../studioPanel/studioImages.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import type { SocialCards } from '../socialCards/socialCards.ts';
import { studioTask, taskFixes } from '../studioPanel/studioTask.ts';
import { savedImages } from '../taskList/taskLabels.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { statOf } from '../window/files.ts';
import { loadMask, maskUrl, saveMask } from './masks.ts';
import type { TaskRestorer } from './taskRestorer.ts';

/** The parts that perform the requests of the studio. */
export interface StudioActs {
  engine: EngineHost;
  targets: SaveTargets;
  painting: Painting;
  writer: PromptWriter;
  restorer: TaskRestorer;
  tasks: TaskOperations;
  images: ImageOperations;
  discarded: DiscardedImages;
  originals: OriginalReplacer;
  cards: SocialCards;
  documents: () => Promise<Documents>;
}

/** Returns the handlers of the requests, by the methods of the protocol. */
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
    cards,
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
  const taskActions: Record<StudioTaskAction, (task: string) => Promise<unknown>> = {
    stop: async (task) => tasks.stop(task),
    cancel: async (task) => tasks.cancel(task),
    tryNow: async (task) => tasks.tryNow(task),
    resume: async (task) => tasks.resume(task),
    saveAgain: async (task) => tasks.saveAgain(task, true),
    fetchAgain: async (task) => tasks.saveAgain(task, true),
    finishAgain: async (task) => tasks.finishAgain(task, true),
    remove: async (task) => tasks.remove([task]),
    runAgain: async (task) => studio.taskStarted(await tasks.runAgain(task)),
    runSynchronously: async (task) => studio.taskStarted(await tasks.runSynchronously(task)),
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
      // What was told while the page was being loaded may be lost.
      studio.tellAll();
    },
    async saveDraft({ changes }) {
      await draft.change(changes);
      studio.watchInputs();
      return studio.target.refresh();
    },
    submit: async ({ mask }) =>
      studio.send(async () => {
        const sent = draft.draft;
        const order = async (): ReturnType<typeof inputs.order> => inputs.order(sent, mask);
        const more = await cards.continuedBy(sent);
        return studio.taskStarted(await painting.start(sent.model || undefined, order, more));
      }),
    improvePrompt: async ({ prompt }) =>
      writer.improve(prompt, draft.draft.inputs.length > 0 ? 'edit' : 'generate'),
    async pickFolder() {
      const folder = await pickFolder();
      return folder ? targets.nameOf(folder) : null;
    },
    async pickInputs() {
      const picked = await pickImages(vscode.l10n.t('Add Images'), vscode.l10n.t('Add'));
      return inputs.takeFiles(picked ?? []);
    },
    addInputs: async ({ uris }) => inputs.takeFiles(uris.map(droppedUri)),
    addInputBytes: async ({ name, bytes }) => inputs.takeBytes(name, bytes),
    loadMask: async (size) => loadMask(engine, draft, size),
    maskUrl: async ({ file }) => maskUrl(engine, draft, studio.images, file),
    saveMask: async ({ bytes, name }) => saveMask(name, bytes),
    async taskAction({ task, action }) {
      await taskActions[action](task);
    },
    async fixTask({ task: id, errorAction }) {
      const task = (await engine.get()).store.get(id);
      await (task && taskFixes(task)[errorAction]?.run());
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
    copyAs: on(copyAs),
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
    saveAs: on(saveAs),
    replaceOriginal: on(async (image) => changed(await originals.replace(image))),
    // Not `on`: the file of the image may be gone.
    async restoreOriginal(reference) {
      const restored = await originals.restore(reference);
      studio.changed([reference.task]);
      return changed(restored);
    },
    undoOriginal: async ({ change }) => (await undos[change]?.()) || null,
    fitToSize: on(async (image) => fitToSize(engine, image)),
    fitToOriginal: on(async (image) => fitToOriginal(engine, image)),
    saveOriginalOutput: on(async (image) => saveOriginalOutput(engine, image)),
    // Not `on`: the card is drawn, whatever became of the file below it.
    async saveCard({ task: id, bytes, title, siteName }) {
      const task = (await engine.get()).store.get(id);
      if (!task) {
        throw noLongerListed();
      }
      return cards.save(task, { bytes, title, siteName });
    },
    copyPrompt: async ({ task }) => tasks.copyPrompts([task]),
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
  const uri = result && vscode.Uri.parse(result.uri, true);
  if (!uri || !(await statOf(uri))) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t("The image file wasn't found. It may have been moved or deleted."),
    );
  }
  return { task, result, uri };
}

/**
 * Returns the URI of a dropped file. The window of a remote workspace names files as seen from there; the extension
 * runs beside them, where they are on disk.
 *
 * @throws Error when the text is not a URI
 */
function droppedUri(text: string): vscode.Uri {
  const uri = vscode.Uri.parse(text, true);
  return uri.scheme === 'vscode-remote' ? uri.with({ scheme: 'file', authority: '' }) : uri;
}

/** Every task that hasn't ended, unlike `isRunning` also those that are paused. */
const notEnded = taskStatuses.filter((status) => !isTerminal(status));
const statuses: Record<HistoryFilter['status'], readonly TaskStatus[] | undefined> = {
  any: undefined,
  running: notEnded,
  completed: ['completed'],
  failed: statusesOf('ended').filter((status) => status !== 'completed'),
};

/** Returns a part of the history, newest first, with the total count. */
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
