import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ImageComparing } from './compareImages.ts';
import { ComparePanels } from './studio/comparePanels.ts';
import { Batches } from './actions/batches.ts';
import { addToProject } from './pages/addToProject.ts';
import { generateBelowSelection } from './pages/belowSelection.ts';
import { DiscardedImages } from './actions/discardedImages.ts';
import { FileFinisher } from './actions/finishFiles.ts';
import { ImageFileQueue, referenceTo } from './actions/imageFileQueue.ts';
import { ImageCommands } from './actions/imageCommands.ts';
import { insertReference } from './pages/insertImage.ts';
import { OriginalReplacer } from './actions/originalReplacer.ts';
import { batchIdOf, chosenRows, isImageRow, offering, taskOf } from './actions/taskArgument.ts';
import { inspectImage, type InspectionServices } from './actions/inspectImage.ts';
import { Remaking } from './actions/remaking.ts';
import { TaskOperations } from './actions/taskOperations.ts';
import { removeApiKey, setApiKey } from './apiKey.ts';
import { Connecting } from './connect.ts';
import { KnownServices } from './knownServices.ts';
import { deleteAllData } from './deleteData.ts';
import { useDemoService } from './useDemoService.ts';
import { reported } from './ask/refusal.ts';
import { AgentTools } from './agents/agentTools.ts';
import { McpConfiguration } from './agents/mcpConfiguration.ts';
import * as commands from './window/commandIds.ts';
import { BudgetForm } from './cost/budgetForm.ts';
import { PriceForm } from './cost/priceForm.ts';
import { SpendingView } from './cost/spendingView.ts';
import { type CommandId, extensionId } from './window/names.ts';
import type { Documents } from './documents/documents.ts';
import { improveSelection, promptFromPage } from './pages/proposePrompt.ts';
import { searchHistory } from './pages/searchHistory.ts';
import { IncomingImages } from './pages/incomingImages.ts';
import { Models } from './generate/models.ts';
import { ModelPicker } from './generate/modelSteps.ts';
import { Painting } from './generate/painting.ts';
import { imagesMeant } from './generate/inputImages.ts';
import { PaintQuestions } from './generate/paintQuestions.ts';
import { PaintRequests } from './generate/paintRequest.ts';
import { RunLimits } from './ask/runLimits.ts';
import { Styles } from './ask/styles.ts';
import { saveAsStyle } from './sets/styleFromTask.ts';
import { SaveTargets } from './generate/saveTarget.ts';
import { ServiceConnection } from './generate/serviceConnection.ts';
import { TaskRuns } from './generate/taskRuns.ts';
import { LanguageModels, PromptWriter } from './generate/promptWriter.ts';
import { generateSet } from './sets/setCommand.ts';
import { ordersOf } from './sets/setOrders.ts';
import { studioHandlers } from './studio/studioHandlers.ts';
import { type StudioMaker, StudioSession } from './studio/studioSession.ts';
import { TaskRestorer } from './studio/taskRestorer.ts';
import { DraftInputs, orderOf } from './studio/draftInputs.ts';
import { StudioImages } from './studio/studioImages.ts';
import { StudioPanel } from './studio/studioPanel.ts';
import { studioSettings, usualMaxCount } from './studio/studioSettings.ts';
import { TargetPreview } from './studio/targetPreview.ts';
import type { NoticeParts, TaskNotices } from './taskList/taskNotices.ts';
import * as taskEnds from './taskList/taskEnds.ts';
import type { RowParts, TaskTree } from './taskList/taskTree.ts';
import { imageTooltip, taskTooltip } from './taskList/rowTooltips.ts';
import type { DemoServiceProcess } from './window/demoServiceProcess.ts';
import type { EngineHost } from './window/engineHost.ts';
import type { KeyStore, ServiceNames } from './window/serviceNames.ts';
import type { Settings } from './window/settings.ts';
import { WorkspaceFolders } from './ask/confirm.ts';
import { MakeWanted, missingTexts, placeholderTexts } from './pages/makeWanted.ts';
import { PageChanges } from './pages/cardChanges.ts';
import { SocialCards } from './pages/socialCards.ts';
import { drag } from './pages/draggedImages.ts';
import { SetExporter } from './sets/exportSet.ts';
import { findImage, watchImages } from './taskList/movedImages.ts';
import { RowCommands } from './rowCommands.ts';
export { WorkspacePublisher } from './actions/workspacePublisher.ts';

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
  documents: () => Promise<Documents>;
}

/**
 * Creates everything that is loaded when a command first runs or the task list is first shown; called once per window.
 */
export class Commands implements RowParts, NoticeParts {
  readonly taskTooltip = taskTooltip;
  readonly imageTooltip = imageTooltip;
  readonly drag = drag;
  readonly findImage: RowParts['findImage'];
  readonly ends = taskEnds;
  readonly studio: StudioSession;
  readonly comparisons: ComparePanels;
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
    const known = new KnownServices(context.globalState, settings, models, keys, demo);
    const picker = new ModelPicker(models, names, settings);
    const targets = new SaveTargets(settings, folders);
    const runs = new TaskRuns(engine, settings, notices, log);
    const limits = new RunLimits(engine, settings);
    const styles = new Styles(settings, folders);
    const building = { engine, settings, models, folders, targets };
    const requests = new PaintRequests(building);
    const languageModels = new LanguageModels();
    context.subscriptions.push(languageModels, watchImages(tree));
    this.findImage = async (task, image) => findImage(engine, task, image);
    const writer = new PromptWriter(languageModels);
    const questions = new PaintQuestions({
      ...building,
      service,
      names,
      picker,
      languageModels,
      writer,
      styles,
      log,
    });
    const painting = new Painting({
      engine,
      service,
      models,
      questions,
      requests,
      runs,
      limits,
      styles,
      log,
    });
    const tasks = new TaskOperations({ engine, service, names, settings, models, runs, limits });
    const images = new ImageCommands(engine);
    const queue = new ImageFileQueue(engine);
    const discarded = new DiscardedImages(engine, queue, tree, log);
    const originals = new OriginalReplacer(engine, queue, log);
    const batches = new Batches(engine, tasks, runs);
    const remaking = new Remaking(engine, queue, originals, log);
    const restorerOf = ({ draft, inputs }: Pick<StudioPanel, 'draft' | 'inputs'>): TaskRestorer =>
      new TaskRestorer({ engine, draft, inputs, service, models, targets });
    const changes = new PageChanges();
    context.subscriptions.push(changes);
    const cards = new SocialCards({
      engine,
      painting,
      documents: window.documents,
      changes,
      originals,
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
        target: new TargetPreview(targets, models, styles, log, draft, (composed) =>
          questions.runText(ordersOf(composed, orderOf(composed)), models.ofDraft(composed), usualMaxCount),
        ),
        settings: async () => {
          languageModels.look();
          return studioSettings({ models, settings, folders, languageModels, styles }, draft.draft);
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
          remaking,
          cards,
          batches,
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
      styles,
      restore: async (shown, id) => restorerOf(shown).restore(id),
      log,
    });
    const onBatch = async (passed: unknown, act: (id: string) => Promise<void>): Promise<void> => {
      const id = batchIdOf(passed) ?? '';
      await reported(log, async () => act(id));
    };
    const wanted = new MakeWanted(window.documents, engine, painting, batches, log, writer);
    const rows = new RowCommands(engine, tree, log);
    const runAgain = rows.onTask(['runAgain'], async ({ id }) =>
      runs.followInBackground(await tasks.runAgain(id)),
    );
    const spending = new SpendingView(engine, settings);
    const budget = new BudgetForm(settings, models, names);
    const usesOf: InspectionServices['usesOf'] = async (image, goOn) =>
      (await window.documents()).usesOf(image, goOn);
    const inspect = async (first: unknown, second: unknown): Promise<void> =>
      reported(log, async () => inspectImage({ engine, folders, painting, usesOf, log }, first, second));
    const finisher = new FileFinisher(engine, folders, questions, log);
    const exporter = new SetExporter({ engine, folders, targets, documents: window.documents, changes, log });
    this.mcp = new McpConfiguration(context, settings, models, log);
    const { documents } = window;
    this.agents = new AgentTools({
      engine,
      service,
      models,
      requests,
      styles,
      documents,
      settings,
      names,
      notices,
    });
    this.studio = studio;
    this.comparisons = new ComparePanels(context, log);
    const comparing = new ImageComparing(this.comparisons, engine, log);
    this.incoming = new IncomingImages({
      engine,
      documents: window.documents,
      painting,
      log,
    });
    this.handlers = {
      [commands.generate]: painting.generate.bind(painting),
      [commands.generateFromSelection]: painting.generateFromSelection.bind(painting),
      [commands.generateSet]: async (uri) =>
        generateSet({ engine, painting, styles, targets, studio, log }, uri),
      [commands.generateBelowSelection]: async () =>
        generateBelowSelection(engine, painting, window.documents),
      [commands.improvePrompt]: async () => improveSelection(writer, painting, log),
      [commands.promptFromPage]: async () => promptFromPage(writer, painting, log),
      [commands.edit]: painting.edit.bind(painting),
      [commands.openStudio]: studio.open.bind(studio),
      [commands.fileEdit]: painting.edit.bind(painting),
      [commands.fileOpenStudio]: studio.open.bind(studio),
      [commands.fitImage]: finisher.fit.bind(finisher),
      [commands.convertImage]: finisher.convert.bind(finisher),
      [commands.removeBackground]: finisher.removeBackground.bind(finisher),
      [commands.exportSet]: exporter.export.bind(exporter),
      [commands.repairTransparency]: async (first, second) =>
        reported(log, async () => {
          const [file] = await imagesMeant(folders, first, second);
          await remaking.toRepair(file);
          await studio.repair(file);
        }),
      [commands.compareWithHead]: comparing.withHead.bind(comparing),
      [commands.compareWithCommit]: comparing.withCommit.bind(comparing),
      [commands.compareWithFile]: comparing.withFile.bind(comparing),
      [commands.compareChangedImages]: comparing.allChanged.bind(comparing),
      [commands.inspectImage]: inspect,
      [commands.showPrompt]: inspect,
      [commands.addToProject]: async (first, second) =>
        reported(log, async () =>
          addToProject({ engine, folders, settings, targets, documents: window.documents }, first, second),
        ),
      [commands.generateMissing]: async (uri, id) => wanted.inFile(missingTexts, uri, id),
      [commands.generateMissingInWorkspace]: async () => wanted.inWorkspace(missingTexts),
      [commands.replacePlaceholders]: async (uri, id) => wanted.inFile(placeholderTexts, uri, id),
      [commands.replacePlaceholdersInWorkspace]: async () => wanted.inWorkspace(placeholderTexts),
      [commands.generateSocialCard]: cards.generate.bind(cards),
      [commands.connect]: async () =>
        new Connecting({ service, settings, keys, models, known, log }).connect(),
      [commands.setApiKey]: async (passed) =>
        reported(log, async () => {
          const task = await taskOf(engine, chosenRows(passed)[0]);
          await setApiKey({ service, keys, demo, log }, task?.request.baseUrl ?? settings.baseUrl);
        }),
      [commands.removeApiKey]: async () =>
        reported(log, async () =>
          removeApiKey(
            { service, keys, demo, log },
            context.secrets,
            await engine.get(),
            service.originOf(settings.baseUrl),
          ),
        ),
      [commands.useDemoService]: async () => useDemoService(demo, keys, settings, known, log),
      [commands.changeModel]: async () =>
        reported(log, async () => void (await picker.pick(l10n.t('Change Model')))),
      [commands.addModel]: async () => reported(log, async () => void (await picker.add())),
      [commands.openSettings]: async () =>
        vscode.commands.executeCommand('workbench.action.openSettings', `@ext:${extensionId}`),
      [commands.showSpending]: async () => reported(log, async () => spending.show()),
      [commands.exportSpending]: async () => reported(log, async () => spending.exportCsv()),
      [commands.setBudget]: async () =>
        reported(log, async () => {
          await budget.set();
          await spending.refresh();
        }),
      [commands.setPrice]: async () => reported(log, async () => new PriceForm(models).set()),
      [commands.showLog]: () => log.show(),
      [commands.deleteAllData]: async () =>
        reported(log, async () =>
          deleteAllData({ context, engine, keys, names, settings, studio, spending }),
        ),
      [commands.copyMcpConfiguration]: async () => reported(log, async () => this.mcp.copy()),
      [commands.taskOpen]: rows.onImage(async (image) => images.open(image)),
      [commands.taskOpenAll]: rows.onTask(['images'], async (task) => images.openAll(task.id)),
      [commands.taskReveal]: rows.onImage(async (image) => images.reveal(image)),
      [commands.taskRename]: rows.onImage(async (image) => images.rename(image)),
      [commands.taskLocate]: rows.onListedImage(async (image) => images.locate(image)),
      [commands.taskCompare]: rows.onImage(async (image) => images.compareWithOriginal(image)),
      [commands.taskInsert]: rows.onImage(async (image) => insertReference(image, window.documents)),
      [commands.taskReplaceOriginal]: rows.onImage(async (image) => (await originals.replace(image))?.tell()),
      [commands.taskRestoreOriginal]: rows.onReplacingImage(async (image) =>
        (await originals.restore(referenceTo(image)))?.tell(),
      ),
      [commands.taskDeleteImage]: rows.onAll(async (chosen) => void (await discarded.deleteImages(chosen))),
      [commands.taskRestoreImages]: rows.onEach(['recover'], async (task) => discarded.recoverAll(task)),
      [commands.taskEdit]: rows.onImage(async ({ uri }) => void (await painting.edit(uri))),
      [commands.taskCopyPath]: rows.onAll(async (chosen) => images.copyPaths(chosen)),
      [commands.taskStop]: rows.onEach(['stop', 'cancel'], async (task) => tasks.stop(task)),
      [commands.taskCancel]: rows.onEach(['cancel'], async (task) => tasks.cancel(task)),
      [commands.taskTryNow]: rows.onEach(['tryNow'], async (task) => tasks.tryNow(task)),
      [commands.taskResume]: rows.onAll(async (chosen) => {
        const able = await offering(engine, chosen, 'resume');
        await batches.resumeAll(able.map(({ id }) => id));
      }),
      [commands.taskRunAgain]: runAgain,
      [commands.taskRunAgainBilled]: runAgain,
      [commands.taskRunWithChanges]: rows.onTask(
        [],
        async (task) => void (await painting.runWithChanges(task)),
      ),
      [commands.taskOpenInStudio]: rows.onTask([], async (task) => studio.openTask(task)),
      [commands.taskRunSynchronously]: rows.onTask(['runAgain'], async ({ id }) =>
        runs.followInBackground(await tasks.runSynchronously(id)),
      ),
      [commands.taskSaveAgain]: rows.onTask(['saveAgain'], async ({ id }) => tasks.saveAgain(id)),
      [commands.taskFetchAgain]: rows.onTask(['fetchAgain'], async ({ id }) => tasks.saveAgain(id)),
      [commands.taskFinishAgain]: rows.onTask(['finishAgain'], async ({ id }) => tasks.finishAgain(id)),
      [commands.taskSaveAsStyle]: rows.onTask([], async (task) => saveAsStyle(styles, task)),
      [commands.taskKeepAnyway]: rows.onImage(async (image) =>
        (await remaking.cutOutAgain(image, 'keepAnyway'))?.tell(),
      ),
      [commands.taskKeepSolid]: rows.onImage(async (image) =>
        (await remaking.cutOutAgain(image, 'keepSolid'))?.tell(),
      ),
      [commands.taskCopyPrompt]: rows.onAll(async (chosen) =>
        tasks.copyPrompts(await offering(engine, chosen)),
      ),
      [commands.taskRemove]: rows.onAll(async (chosen, isByKey) => {
        // The key deletes images; rows whose files are missing can only be removed.
        const isDeleted = isByKey && chosen.every(isImageRow) && (await discarded.deleteImages(chosen));
        await (isDeleted || tasks.remove(await offering(engine, chosen, 'remove'), isByKey));
      }),
      [commands.batchStop]: async (passed) => onBatch(passed, async (id) => batches.stop(id)),
      [commands.batchRetry]: async (passed) => onBatch(passed, async (id) => batches.retry(id)),
      [commands.batchFetch]: async (passed) => onBatch(passed, async (id) => batches.retry(id)),
      [commands.tasksSearch]: async () =>
        reported(log, async () =>
          searchHistory({ engine, names, tree, images, painting, documents: window.documents, log }),
        ),
      [commands.tasksShowAll]: async () => tree.showAll(true),
      [commands.tasksShowWorkspace]: async () => tree.showAll(false),
      [commands.tasksClearFinished]: async () => reported(log, async () => tasks.clearFinished(tree.scope)),
    };
  }
}
