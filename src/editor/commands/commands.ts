// Room: creates the classes of the commands' bundle once, and leads from command ids to their methods.
// Never: rules.

import * as vscode from 'vscode';
import { Batches } from '../actions/batches.ts';
import { generateBelowSelection } from '../insert/belowSelection.ts';
import { DiscardedImages } from '../actions/discardedImages.ts';
import { FileFinisher } from '../actions/finishFiles.ts';
import { ImageActs, referenceTo } from '../actions/imageActs.ts';
import { ImageOperations } from '../actions/imageOperations.ts';
import { insertReference } from '../insert/imageText.ts';
import { OriginalReplacer } from '../actions/originalReplacer.ts';
import { batchIdOf, chosenRows, taskOf } from '../actions/taskArgument.ts';
import { showPrompt } from '../actions/showPrompt.ts';
import { TaskOperations } from '../actions/taskOperations.ts';
import { improveSelection, promptFromPage } from '../actions/writtenPrompts.ts';
import { removeApiKey, setApiKey } from '../connect/apiKey.ts';
import { Connecting } from '../connect/connect.ts';
import { useDemoService } from '../connect/useDemoService.ts';
import { reported } from '../questions/refusal.ts';
import { AgentTools } from '../agents/agentTools.ts';
import { McpConfiguration } from '../agents/mcpConfiguration.ts';
import * as commands from '../commandIds.ts';
import { SpendingView } from '../spending/spendingView.ts';
import { type CommandId, extensionId } from '../names.ts';
import type { Documents } from '../documents/documents.ts';
import { IncomingImages } from '../incoming/incomingImages.ts';
import { Models } from '../paint/models.ts';
import { ModelPicker } from '../paint/modelPicker.ts';
import { Painting } from '../paint/painting.ts';
import { PaintQuestions } from '../paint/paintQuestions.ts';
import { PaintRequests } from '../paint/paintRequest.ts';
import { RunLimits } from '../questions/runLimits.ts';
import { SaveTargets } from '../paint/saveTarget.ts';
import { ServiceConnection } from '../paint/serviceConnection.ts';
import { TaskRuns } from '../paint/taskRuns.ts';
import { LanguageModels } from '../prompts/languageModels.ts';
import { PromptWriter } from '../prompts/promptWriter.ts';
import { studioHandlers } from '../studioHandlers/studioHandlers.ts';
import { type StudioMaker, StudioSession } from '../studioHandlers/studioSession.ts';
import { TaskRestorer } from '../studioHandlers/taskRestorer.ts';
import { DraftInputs, orderOf } from '../studioPanel/draftInputs.ts';
import { StudioImages } from '../studioPanel/studioImages.ts';
import { StudioPanel } from '../studioPanel/studioPanel.ts';
import { studioSettings } from '../studioPanel/studioSettings.ts';
import { TargetPreview } from '../studioPanel/targetPreview.ts';
import type { TaskNotices } from '../taskList/taskNotices.ts';
import type { TaskTree, Tooltips } from '../taskList/taskTree.ts';
import { imageTooltip, taskTooltip } from '../tooltips/rowTooltips.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import type { EngineHost } from '../window/engineHost.ts';
import type { KeyStore } from '../window/keyStore.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import { WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { MakeWanted, missingTexts, placeholderTexts } from '../wanted/makeWanted.ts';
import { PageChanges } from '../socialCards/pageChanges.ts';
import { SocialCards } from '../socialCards/socialCards.ts';
import { RowCommands } from './rowCommands.ts';

export { WorkspacePublisher } from '../actions/workspacePublisher.ts';

/** The services of one window, created at activation. */
export interface WindowServices {
  context: vscode.ExtensionContext;
  log: vscode.LogOutputChannel;
  settings: Settings;
  keys: KeyStore;
  engine: EngineHost;
  demo: DemoServiceProcess;
  names: ServiceNames;
  tree: TaskTree;
  notices: TaskNotices;
  /** What documents say about images: from its own bundle. */
  documents: () => Promise<Documents>;
}

/** Puts together everything that is loaded when a command first runs or the task list is first shown; created once per window. */
export class Commands implements Tooltips {
  readonly taskTooltip = taskTooltip;
  readonly imageTooltip = imageTooltip;
  readonly studio: StudioSession;
  readonly incoming: IncomingImages;
  readonly agents: AgentTools;
  readonly mcp: McpConfiguration;
  readonly handlers: Record<CommandId, (...passed: unknown[]) => unknown>;

  constructor(window: WindowServices) {
    const { context, log, settings, keys, engine, demo, names, tree, notices } = window;
    const { extensionUri, globalStorageUri, storageUri = globalStorageUri } = context;
    const service = new ServiceConnection(engine, settings, keys, demo);
    const folders = new WorkspaceFolders();
    const models = new Models(settings, demo, log);
    const picker = new ModelPicker(models, names, settings);
    const targets = new SaveTargets(settings, folders);
    const runs = new TaskRuns(engine, settings, notices, log);
    const limits = new RunLimits(engine, settings);
    const requests = new PaintRequests({ engine, service, settings, models, folders, targets });
    const languageModels = new LanguageModels();
    context.subscriptions.push(languageModels);
    const writer = new PromptWriter(languageModels);
    const asking = { engine, names, settings, models, picker, folders, languageModels, writer, log };
    const questions = new PaintQuestions(asking);
    const painting = new Painting({ engine, service, questions, requests, runs, limits, log });
    const tasks = new TaskOperations({ engine, service, names, settings, models, runs, limits });
    const images = new ImageOperations(engine);
    const acts = new ImageActs(engine);
    const discarded = new DiscardedImages(engine, acts, tree, log);
    const originals = new OriginalReplacer(engine, acts, log);
    const restorerOf = ({ draft, inputs }: Pick<StudioPanel, 'draft' | 'inputs'>): TaskRestorer =>
      new TaskRestorer({ engine, draft, inputs, models, targets });
    const changes = new PageChanges();
    context.subscriptions.push(changes);
    const cards = new SocialCards({
      engine,
      painting,
      documents: window.documents,
      changes,
      show: async (task) => studio.openTask(task),
      log,
    });
    const makeStudio: StudioMaker = (panel, session, draft) => {
      const shown = new StudioImages(panel.webview, extensionUri, [globalStorageUri, storageUri]);
      const inputs = new DraftInputs(engine, draft, shown);
      const restorer = restorerOf({ draft, inputs });
      const options = {
        draft,
        inputs,
        images: shown,
        target: new TargetPreview(targets, settings, log, draft, (composed) =>
          questions.costText([{ ...orderOf(composed), model: composed.model || undefined }]),
        ),
        settings: async () => {
          languageModels.look();
          return studioSettings(models, settings, folders, languageModels, draft.draft);
        },
        languageModels,
        engine,
        notices,
        log,
      };
      return new StudioPanel(panel, session, options, (studio) =>
        studioHandlers(studio, {
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
          documents: window.documents,
        }),
      );
    };
    const draftFolder = vscode.Uri.joinPath(storageUri, 'studio');
    const studio = new StudioSession({
      make: makeStudio,
      folder: draftFolder,
      settings,
      folders,
      targets,
      restore: async (shown, id) => restorerOf(shown).restore(id),
      log,
    });
    const batches = new Batches(engine, tasks, runs);
    const onBatch = async (passed: unknown, act: (id: string) => Promise<void>): Promise<void> => {
      const id = batchIdOf(passed);
      await (id !== undefined && reported(log, async () => act(id)));
    };
    const wanted = new MakeWanted(window.documents, engine, painting, batches, log);
    const rows = new RowCommands(engine, tree, log);
    const spending = new SpendingView(engine, settings, log);
    const finisher = new FileFinisher(engine, folders, log);
    this.mcp = new McpConfiguration(context, settings, models, log);
    this.agents = new AgentTools({ engine, service, models, questions, requests, settings, names, notices });
    this.studio = studio;
    this.incoming = new IncomingImages({
      engine,
      documents: window.documents,
      painting,
      log,
    });
    this.handlers = {
      [commands.generate]: painting.generate.bind(painting),
      [commands.generateFromSelection]: painting.generateFromSelection.bind(painting),
      [commands.generateBelowSelection]: async () =>
        generateBelowSelection(engine, painting, window.documents),
      [commands.improvePrompt]: async () => improveSelection(writer, painting, log),
      [commands.promptFromPage]: async () => promptFromPage(writer, painting, log),
      [commands.edit]: painting.edit.bind(painting),
      [commands.openStudio]: studio.open.bind(studio),
      [commands.editFile]: painting.edit.bind(painting),
      [commands.openFileInStudio]: studio.open.bind(studio),
      [commands.fitImage]: finisher.fit.bind(finisher),
      [commands.convertImage]: finisher.convert.bind(finisher),
      [commands.removeBackground]: finisher.removeBackground.bind(finisher),
      [commands.showPrompt]: async (first, second) =>
        reported(log, async () => showPrompt({ engine, folders, painting }, first, second)),
      [commands.generateMissing]: async (uri, id) => wanted.inFile(missingTexts, uri, id),
      [commands.generateMissingInWorkspace]: async () => wanted.inWorkspace(missingTexts),
      [commands.replacePlaceholders]: async (uri, id) => wanted.inFile(placeholderTexts, uri, id),
      [commands.replacePlaceholdersInWorkspace]: async () => wanted.inWorkspace(placeholderTexts),
      [commands.generateSocialCard]: cards.generate.bind(cards),
      [commands.connect]: async () => new Connecting({ service, settings, keys, models, log }).connect(),
      [commands.setApiKey]: async (passed) =>
        reported(log, async () => {
          const task = await taskOf(engine, chosenRows(passed)[0]);
          await setApiKey({ service, keys, demo, log }, task?.request.baseUrl ?? settings.baseUrl);
        }),
      [commands.removeApiKey]: async () => removeApiKey({ service, keys, demo, log }, settings.baseUrl),
      [commands.useDemoService]: async () => useDemoService(demo, keys, settings, log),
      [commands.changeModel]: async () =>
        reported(log, async () => void (await picker.pick(vscode.l10n.t('Change Model')))),
      [commands.addModel]: async () => reported(log, async () => void (await picker.add())),
      [commands.openSettings]: async () =>
        vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
      [commands.showSpending]: async () => reported(log, async () => spending.show()),
      [commands.showLog]: () => log.show(),
      [commands.copyMcpConfiguration]: async () => reported(log, async () => this.mcp.copy()),
      [commands.openTask]: rows.onImage(async (image) => images.open(image)),
      [commands.openAllImages]: rows.on(async (row) => images.openAll(row)),
      [commands.revealImage]: rows.onImage(async (image) => images.reveal(image)),
      [commands.compareWithOriginal]: rows.onImage(async (image) => images.compareWithOriginal(image)),
      [commands.insertImage]: rows.onImage(async (image) => insertReference(image, window.documents)),
      [commands.replaceOriginal]: rows.onImage(async (image) => (await originals.replace(image))?.tell()),
      [commands.restoreOriginal]: rows.onReplacingImage(async (image) =>
        (await originals.restore(referenceTo(image)))?.tell(),
      ),
      [commands.deleteImage]: rows.onAll(async (chosen) => discarded.deleteImages(chosen)),
      [commands.restoreImages]: rows.onEach(async (row) => discarded.recoverAll(row)),
      [commands.editTaskImage]: rows.onImage(async ({ uri }) => void (await painting.edit(uri))),
      [commands.copyPath]: rows.onAll(async (chosen) => images.copyPaths(chosen)),
      [commands.stopTask]: rows.onEach(async (row) => tasks.stop(row)),
      [commands.cancelTask]: rows.onEach(async (row) => tasks.cancel(row)),
      [commands.tryTaskNow]: rows.onEach(async (row) => tasks.tryNow(row)),
      [commands.resumeTask]: rows.onAll(async (chosen) => {
        for await (const task of tasks.resumeAll(chosen)) {
          runs.followInBackground(task);
        }
      }),
      [commands.runTaskAgain]: rows.on(async (row) => runs.followInBackground(await tasks.runAgain(row))),
      [commands.runTaskWithChanges]: rows.on(async (row) => {
        const task = await taskOf(engine, row);
        await (task && painting.runWithChanges(task));
      }),
      [commands.openTaskInStudio]: rows.on(async (row) => {
        const task = await taskOf(engine, row);
        await (task && studio.openTask(task));
      }),
      [commands.runTaskSynchronously]: rows.on(async (row) =>
        runs.followInBackground(await tasks.runSynchronously(row)),
      ),
      [commands.saveTaskAgain]: rows.on(async (row) => tasks.saveAgain(row)),
      [commands.fetchTaskAgain]: rows.on(async (row) => tasks.saveAgain(row)),
      [commands.finishTaskAgain]: rows.on(async (row) => tasks.finishAgain(row)),
      [commands.copyPrompt]: rows.onAll(async (chosen) => tasks.copyPrompts(chosen)),
      [commands.removeTask]: rows.onAll(async (chosen, isByKey) => tasks.remove(chosen, isByKey)),
      [commands.stopBatch]: async (passed) => onBatch(passed, async (id) => batches.stop(id)),
      [commands.retryBatch]: async (passed) => onBatch(passed, async (id) => batches.retry(id)),
      [commands.showAllTasks]: async () => tree.showAll(true),
      [commands.showWorkspaceTasks]: async () => tree.showAll(false),
      [commands.clearFinished]: async () => reported(log, async () => tasks.clearFinished(tree.scope)),
    };
  }
}
