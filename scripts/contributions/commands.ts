/**
 * Table of all commands: ID after `limner.`, texts, and menus. `npm run contributions` writes `package.json`, its texts,
 * the IDs in the source, and `docs/user/commands.md` from it.
 */
import type { TaskAction } from '../../src/engine/operations/availableActions.ts';
import { spendingFile } from '../../src/vscode/cost/spendingTable.ts';
import { contextKeys, taskContext } from '../../src/vscode/window/names.ts';

/** Conditions by position in a menu, `group@order`; an empty one always holds. */
type Conditions = Readonly<Record<string, string>>;

export interface Command {
  readonly title: string;
  /** Codicon, for menus that show it instead of the title. */
  readonly icon?: string;
  /** In the title of the task list. */
  readonly list?: Conditions;
  /** On rows of the task list. */
  readonly rows?: Conditions;
  /** In menus of VS Code. */
  readonly menus?: Readonly<Record<string, Conditions>>;
}

interface PaletteCommand extends Command {
  /** Condition for the palette; without it, always. */
  readonly palette?: string;
  /** In Markdown, for `docs/user/commands.md`. */
  readonly description: string;
}

/** Command on rows, which isn't in the palette. */
interface RowCommand extends Command {
  readonly rows: Conditions;
  /** Keys on Windows, macOS, and Linux, for the row with the focus ring and those selected with it. */
  readonly keys?: { readonly key: string; readonly mac: string; readonly linux?: string };
}

const { configured, edits, hasLanguageModel, replacedOriginals, replacingEdits, showsAllTasks } = contextKeys;
/** A text editor, and not the page of an extension. */
const inEditor = 'editorLangId';
const inWorkspace = 'workspaceFolderCount > 0';
const isTrusted = 'isWorkspaceTrusted';
const isImageFile = String.raw`resourceExtname =~ /^\.(png|jpe?g|webp)$/i`;
/** An image that can have transparency. */
const isTransparentFormat = String.raw`resourceExtname =~ /^\.(png|webp)$/i`;
/** An image that a window can show, whether or not Limner can edit it. */
const isPicture = String.raw`resourceExtname =~ /^\.(png|jpe?g|webp|gif|avif|bmp|ico|svg)$/i`;
const isPage = String.raw`resourceExtname =~ /^\.(md|markdown|mdx|astro|html?)$/i`;
const isPreviewed = 'activeCustomEditorId == imagePreview.previewEditor';
const inPreview = "webviewId == 'imagePreview.previewEditor'";
const onSpendingPage = `resourceFilename == ${spendingFile}`;
const inExplorer = `!explorerResourceIsFolder && ${isImageFile}`;

const all = (...conditions: readonly string[]): string => conditions.join(' && ');

type RowWord = TaskAction | 'billedAgain' | 'image' | 'edited' | 'gone';

/** Whether one of these is among a row's words, which name the available actions of its task or image. */
function has(...words: readonly RowWord[]): string {
  const [word] = words;
  return String.raw`viewItem =~ /\b${words.length === 1 ? word : `(${words.join('|')})`}\b/`;
}

const not = (...words: readonly RowWord[]): string => `!(${has(...words)})`;

/** Only for a single selected row. */
const one = (condition: string): string => all(condition, '!listMultiSelection');

const batch = (word: 'open' | 'incomplete' | 'unfetched'): string =>
  String.raw`viewItem =~ /^${taskContext.batch.replace('.', String.raw`\.`)}\b.*\b${word}\b/`;
const needsKey = String.raw`viewItem =~ /^limner\.task\.needs_key\b/`;
const taskOrImage = String.raw`viewItem =~ /^limner\.(task\.|image|goneImage)/`;

export const paletteCommands: Readonly<Record<string, PaletteCommand>> = {
  generate: {
    title: 'Generate Image…',
    icon: 'sparkle',
    list: { 'navigation@1': configured },
    description: 'Asks for a prompt, then generates and saves the image',
  },
  generateFromSelection: {
    title: 'Generate Image from Selected Text…',
    palette: inEditor,
    menus: { 'editor/context': { '6_limner@1': 'editorHasSelection' } },
    description:
      'Generates an image with the selected text, or the sentence at the cursor, as the proposed prompt',
  },
  generateBelowSelection: {
    title: 'Insert Image Below Selection…',
    palette: inEditor,
    description:
      'Generates an image with the selected text as the proposed prompt, and offers to insert it on a line of its own below',
  },
  improvePrompt: {
    title: 'Improve Prompt',
    palette: hasLanguageModel,
    list: { '0_prompt@1': all(configured, hasLanguageModel) },
    description:
      'Opens the prompt box with the selected text, improved by a language model of VS Code; hidden without one',
  },
  promptFromPage: {
    title: 'Prompt from This Page',
    palette: all(hasLanguageModel, inEditor),
    list: { '0_prompt@2': all(configured, hasLanguageModel, 'editorIsOpen') },
    description: 'Opens the prompt box with a prompt that a language model proposes for the open document',
  },
  edit: {
    title: 'Edit Image…',
    icon: 'wand',
    description: 'Edits the image in the Explorer, the preview, or the active tab',
  },
  generateSet: {
    title: 'Generate Set…',
    list: { '0_prompt@0': configured },
    description:
      'Generates several images with one setting, such as icons: those of the selected table or list, or of a table in the [studio](studio.md)',
  },
  openStudio: {
    title: 'Open Studio',
    icon: 'symbol-color',
    list: { 'navigation@2': '' },
    description:
      'Opens the [studio](studio.md), with the selected images of the Explorer or the preview as inputs',
  },
  fitImage: {
    title: 'Fit Image…',
    menus: { 'limner.finish': { '1@1': '' } },
    description:
      'Creates a new file of the image in the Explorer or the active tab at no cost: in another size, trimmed to its subject with a margin, or with its size rounded up',
  },
  convertImage: {
    title: 'Convert Image…',
    menus: { 'limner.finish': { '1@2': '' } },
    description: 'Creates a new file of the image in another format, at no cost',
  },
  removeBackground: {
    title: 'Remove Background…',
    menus: { 'limner.finish': { '1@3': '' } },
    description:
      'Creates a new file without the flat background, at no cost; if the background has several colors, offers an edit to one color, or two edits to white and black',
  },
  exportSet: {
    title: 'Export Set…',
    menus: { 'limner.finish': { '1@4': '' }, 'webview/context': { '6_limner@4': inPreview } },
    description:
      'Creates [files for the web](finishing.md#export-set) from one image, at no cost: 1×, 2×, and 3×, icons from 16 to 512 pixels, favicon.ico, and the icons of phones and web apps; shows how documents will name them before it changes them',
  },
  repairTransparency: {
    title: 'Repair Transparency…',
    menus: {
      'limner.finish': { '1@5': isTransparentFormat },
      'editor/title': { '6_limner@6': all(isPreviewed, isTransparentFormat) },
    },
    description:
      'Opens the image in the [studio](studio.md#repair-transparency), to bring parts back that were removed with the background, or to clear others, at no cost',
  },
  compareWithHead: {
    title: 'Compare Image with HEAD',
    icon: 'compare-changes',
    menus: {
      'limner.compare': { '1@1': '' },
      'editor/title': { '6_limner@3': isPicture },
      // VS Code tells nothing of the file in a condition there.
      'scm/resourceState/context': { '6_limner@1': 'scmProvider == git' },
    },
    description:
      '[Compares](studio.md#compare-any-image) the image in the Explorer, Source Control, the preview, or the active tab with the last commit, or the two sides of a conflict; no service is needed',
  },
  compareWithCommit: {
    title: 'Compare Image with Commit…',
    menus: {
      'limner.compare': { '1@2': '' },
      'editor/title': { '6_limner@4': isPicture },
    },
    description: 'Compares the image with one of the commits that changed it',
  },
  compareWithFile: {
    title: 'Compare Image with File…',
    menus: {
      'limner.compare': { '1@3': '' },
      'editor/title': { '6_limner@5': isPicture },
    },
    description: 'Compares two selected images with each other, or one with another that you choose',
  },
  compareChangedImages: {
    title: 'Compare All Changed Images…',
    menus: { 'scm/title': { '6_limner@1': 'scmProvider == git' } },
    description:
      'Lists the images that changed in the working tree, in a commit, or in a branch, with the share of changed pixels, and steps through them in one tab',
  },
  inspectImage: {
    title: 'What Is This Image?',
    menus: {
      'explorer/context': { '6_limner@4': all('!explorerResourceIsFolder', isPicture) },
      'editor/title': { '6_limner@3': all(isPreviewed, isPicture) },
      'webview/context': { '6_limner@3': inPreview },
    },
    description:
      'Lists the format, size, depth, color profile, and orientation of the image in the Explorer, the preview, or the active tab, its prompt and model if they are known, and where documents name it; copies the prompt, or uses it again',
  },
  showPrompt: {
    title: 'Show Prompt of This Image',
    palette: 'false',
    description: 'The same, for key bindings to its former name',
  },
  addToProject: {
    title: 'Add to Project…',
    list: { '0_prompt@3': '' },
    menus: {
      // What lies elsewhere in the workspace is in the project already.
      'explorer/context': {
        '6_limner@6': all(
          '!explorerResourceIsFolder',
          isPicture,
          'resourceDirname =~ /\\bnanobanana-output\\b/',
        ),
      },
    },
    description:
      'Lists the images that [other agents and programs](finishing.md#images-from-elsewhere) left, and copies the one that you choose into the workspace, with a name, another size or format, and a reference in the document; no service is needed',
  },
  generateMissing: {
    title: 'Generate Missing Images in This File…',
    palette: all(inEditor, isTrusted),
    description:
      'Lists the missing images of the [document](documents.md), with proposed prompts, and generates the ones you choose',
  },
  generateMissingInWorkspace: {
    title: 'Generate Missing Images in the Workspace…',
    palette: all(inWorkspace, isTrusted),
    description: 'Does the same for all documents of the workspace',
  },
  replacePlaceholders: {
    title: 'Replace Placeholders in This File…',
    palette: all(inEditor, isTrusted),
    description:
      'Lists the placeholders of the document, with proposed prompts, and generates images for the ones you choose',
  },
  replacePlaceholdersInWorkspace: {
    title: 'Replace Placeholders in the Workspace…',
    palette: all(inWorkspace, isTrusted),
    description: 'Does the same for all documents of the workspace',
  },
  generateSocialCard: {
    title: 'Generate Social Card…',
    palette: all(isPage, isTrusted),
    menus: {
      'editor/title': { '6_limner@2': all(isPage, isTrusted) },
      'editor/context': { '6_limner@2': all(isPage, isTrusted) },
    },
    description:
      'Makes the [picture](documents.md#social-cards) that networks show beside a link to a Markdown, MDX, Astro, or HTML page: generates the background, adds the title and site name in the studio, and offers to name the card in the page',
  },
  connect: {
    title: 'Connect to a Service…',
    icon: 'plug',
    list: { '1_service@3': '' },
    description:
      'Switches to a service that was used before, or asks for the URL, API key, and model of a new one and checks them',
  },
  changeModel: {
    title: 'Change Model…',
    palette: configured,
    list: { '1_service@1': configured },
    description: 'Changes the model',
  },
  addModel: {
    title: 'Add Model…',
    palette: configured,
    list: { '1_service@2': configured },
    description: 'Adds a model of the configured service to `limner.models`',
  },
  setApiKey: {
    title: 'Set API Key…',
    icon: 'key',
    palette: configured,
    rows: { 'inline@1': needsKey, '2_run@0': one(needsKey) },
    description: 'Sets the API key of the configured service, and checks it',
  },
  removeApiKey: {
    title: 'Remove API Key…',
    description: 'Removes the API keys of the services that you choose',
  },
  useDemoService: {
    title: 'Use the Built-in Demo Service',
    list: { '1_service@4': '' },
    description: 'Starts the demo service and switches to it',
  },
  'tasks.search': {
    title: 'Search History…',
    icon: 'search',
    list: { 'navigation@3': contextKeys.hasTasks },
    description:
      'Finds tasks of all workspaces as you type words of the prompt, the model, the service, or a file name; opens the image, inserts it, or runs the task again with changes',
  },
  'tasks.showAll': {
    title: 'Show All Workspaces',
    icon: 'filter-filled',
    palette: all(configured, `!${showsAllTasks}`),
    list: { '5_list@0': all(configured, `!${showsAllTasks}`) },
    description: 'Shows the tasks of all workspaces in the task list',
  },
  'tasks.showWorkspace': {
    title: 'Show This Workspace Only',
    icon: 'filter',
    palette: all(configured, showsAllTasks, inWorkspace),
    list: { '5_list@0': all(configured, showsAllTasks, inWorkspace) },
    description: 'Shows only the tasks that save in this workspace, which is the default',
  },
  'tasks.clearFinished': {
    title: 'Clear Finished',
    icon: 'clear-all',
    palette: configured,
    list: { '5_list@1': configured },
    description:
      'Clears the finished tasks that the task list shows; files stay, and so do tasks with starred images, with images that may still be fetched, or with deleted images or replaced originals that can be restored',
  },
  setPrice: {
    title: 'Set Price…',
    palette: configured,
    list: { '3_cost@1': configured },
    description: 'Asks what one image of a model [costs](costs.md), also by size and quality',
  },
  setBudget: {
    title: 'Set Budget…',
    icon: 'gear',
    list: { '3_cost@2': '' },
    menus: { 'editor/title': { 'navigation@2': onSpendingPage } },
    description: 'Asks for the limits of the [budget](costs.md#budget): for a day, a month, and for agents',
  },
  showSpending: {
    title: 'Show Spending',
    icon: 'graph',
    list: { '3_cost@3': configured },
    description:
      'Shows what was [spent](costs.md) today and by month, by model, and what is left of the budget',
  },
  exportSpending: {
    title: 'Export Spending as CSV…',
    icon: 'export',
    menus: { 'editor/title': { 'navigation@1': onSpendingPage } },
    description: 'Saves what was spent by day, model, and service as a CSV file',
  },
  copyMcpConfiguration: {
    title: 'Copy MCP Configuration…',
    description:
      "Copies what Claude Code, Codex, Cursor, Gemini CLI, and others need to start Limner's [MCP server](agents.md), without the API key, or installs it",
  },
  openSettings: {
    title: 'Open Limner Settings',
    icon: 'settings-gear',
    list: { '9_log@1': '' },
    description: 'Opens the [settings](settings.md)',
  },
  showLog: {
    title: 'Show Log',
    icon: 'output',
    list: { '9_log@2': '' },
    description: 'Opens the log, with method, host, path, status, duration, and bytes of every request',
  },
  deleteAllData: {
    title: 'Delete All Data…',
    list: { '9_log@3': '' },
    description:
      'Lists [what Limner keeps](removing.md), such as API keys, prompts, and replaced originals, and deletes what you choose; images in your folders stay',
  },
};

/** Commands on tasks, images, and runs of several tasks in the task list. */
export const rowCommands: Readonly<Record<`task.${string}` | `batch.${string}`, RowCommand>> = {
  'task.open': {
    title: 'Open Image',
    icon: 'go-to-file',
    rows: { 'inline@4': has('images'), '1_open@1': one(has('images', 'image')) },
  },
  'task.openAll': {
    title: 'Open All Images',
    rows: { '1_open@2': one(has('manyImages')) },
  },
  'task.stop': {
    title: 'Stop Waiting',
    icon: 'debug-stop',
    rows: { 'inline@3': has('stop'), '2_run@1': has('stop') },
  },
  'task.cancel': {
    title: 'Cancel',
    icon: 'debug-stop',
    rows: { 'inline@3': has('cancel'), '2_run@1': has('cancel') },
  },
  'task.tryNow': {
    title: 'Try Now',
    icon: 'debug-rerun',
    rows: { 'inline@1': has('tryNow'), '2_run@0': has('tryNow') },
  },
  'task.resume': {
    title: 'Resume',
    icon: 'debug-continue',
    rows: { 'inline@2': has('resume'), '2_run@2': has('resume') },
  },
  'task.runAgain': {
    title: 'Run Again',
    icon: 'refresh',
    rows: {
      'inline@2': all(has('runAgain'), not('images', 'billedAgain')),
      '2_run@4': one(all(has('runAgain'), not('billedAgain'))),
    },
  },
  'task.runAgainBilled': {
    title: 'Run Again (Billed Again)',
    icon: 'refresh',
    rows: {
      'inline@2': all(has('billedAgain'), not('images', 'resume', 'fetchAgain', 'saveAgain')),
      '2_run@4': one(has('billedAgain')),
    },
  },
  'task.runWithChanges': {
    title: 'Run Again with Changes…',
    rows: { '2_run@5': one(has('runAgain')) },
  },
  'task.openInStudio': {
    title: 'Open in Studio',
    rows: { '2_run@7': one(taskOrImage) },
  },
  'task.saveAgain': {
    title: 'Save Again…',
    icon: 'save',
    rows: { 'inline@1': has('saveAgain'), '2_run@3': one(has('saveAgain')) },
  },
  'task.finishAgain': {
    title: 'Try Again to Finish',
    icon: 'debug-rerun',
    rows: { '2_run@3': one(has('finishAgain')) },
  },
  'task.keepAnyway': {
    title: 'Keep It Anyway',
    icon: 'check',
    rows: { 'inline@1': has('keepAnyway'), '4_change@4': one(has('keepAnyway')) },
  },
  'task.keepSolid': {
    title: 'Keep the Inside Solid',
    rows: { '4_change@4': one(has('keepSolid')) },
  },
  'task.fetchAgain': {
    title: 'Fetch Again',
    icon: 'cloud-download',
    rows: { 'inline@1': has('fetchAgain'), '2_run@3': one(has('fetchAgain')) },
  },
  'task.saveAsStyle': {
    title: 'Save as Style…',
    icon: 'paintcan',
    rows: { '2_run@8': one(taskOrImage) },
  },
  'task.copyPrompt': {
    title: 'Copy Prompt',
    icon: 'copy',
    rows: { '3_copy@1': taskOrImage },
    keys: { key: 'ctrl+c', mac: 'cmd+c' },
  },
  'task.reveal': {
    title: 'Reveal in Explorer',
    icon: 'eye',
    rows: { 'inline@3': has('image'), '1_open@3': one(has('images', 'image')) },
  },
  'task.rename': {
    title: 'Rename…',
    rows: { '4_change@0': one(has('oneImage', 'image')) },
    keys: { key: 'f2', mac: 'f2' },
  },
  'task.locate': {
    title: 'Locate File…',
    icon: 'search',
    rows: { 'inline@1': has('gone'), '1_open@1': one(has('gone')) },
  },
  'task.compare': {
    title: 'Compare with Original',
    icon: 'diff',
    rows: { 'inline@1': has('oneEdit', 'edited'), '1_open@4': one(has('oneEdit', 'edited')) },
    menus: {
      'editor/title': { 'navigation@3': all(isPreviewed, `resource in ${edits}`) },
    },
  },
  'task.insert': {
    title: 'Insert into Editor',
    icon: 'insert',
    rows: { 'inline@2': has('image'), '1_open@5': one(has('oneImage', 'image')) },
  },
  'task.copyPath': {
    title: 'Copy Path',
    rows: { '3_copy@2': has('oneImage', 'image') },
    keys: { key: 'shift+alt+c', mac: 'cmd+alt+c', linux: 'ctrl+alt+c' },
  },
  'task.replaceOriginal': {
    title: 'Replace Original',
    icon: 'replace',
    rows: { '4_change@1': one(all(has('oneEdit', 'edited'), not('restore'))) },
    menus: {
      'editor/title': {
        'navigation@4': all(`resource in ${edits}`, `resource not in ${replacingEdits}`),
      },
    },
  },
  'task.restoreOriginal': {
    title: 'Restore Original',
    icon: 'discard',
    rows: { '4_change@1': one(has('restore')) },
    menus: {
      'editor/title': {
        'navigation@4': `resource in ${replacingEdits} || resource in ${replacedOriginals}`,
      },
    },
  },
  'task.restoreImages': {
    title: 'Restore Deleted Images',
    rows: { '4_change@3': has('recover') },
  },
  'task.deleteImage': {
    title: 'Delete Image',
    icon: 'trash',
    rows: { '4_change@2': has('oneImage', 'image') },
  },
  'task.runSynchronously': {
    title: 'Run Synchronously',
    icon: 'run',
    rows: { 'inline@1': has('runSynchronously'), '2_run@6': one(has('runSynchronously')) },
  },
  'task.remove': {
    title: 'Remove from List',
    icon: 'close',
    rows: { '5_list@1': has('remove') },
    keys: { key: 'delete', mac: 'cmd+backspace' },
  },
  'task.edit': {
    title: 'Edit Image…',
    icon: 'wand',
    rows: { '1_open@6': one(has('oneImage', 'image')) },
  },
  'batch.stop': {
    title: 'Stop All',
    icon: 'debug-stop',
    rows: { 'inline@3': batch('open'), '2_run@1': one(batch('open')) },
  },
  'batch.retry': {
    title: 'Regenerate the Others…',
    icon: 'refresh',
    rows: { 'inline@2': batch('incomplete'), '2_run@2': one(batch('incomplete')) },
  },
  'batch.fetch': {
    title: 'Fetch the Others',
    icon: 'cloud-download',
    rows: { 'inline@2': batch('unfetched'), '2_run@2': one(batch('unfetched')) },
  },
};

/** Commands on image files in VS Code's menus, so their titles name Limner. */
export const fileCommands: Readonly<Record<`file.${string}`, Command>> = {
  'file.edit': {
    title: 'Edit Image with Limner…',
    icon: 'wand',
    menus: {
      'explorer/context': { '6_limner@1': inExplorer },
      'editor/title': { 'navigation@1': all(isPreviewed, isImageFile) },
      'webview/context': { '6_limner@1': inPreview },
    },
  },
  'file.openStudio': {
    title: 'Open in Limner Studio',
    menus: {
      'explorer/context': { '6_limner@2': inExplorer },
      'editor/title': { '6_limner@1': all(isPreviewed, isImageFile) },
      'webview/context': { '6_limner@2': inPreview },
    },
  },
};

/** The menus of the Explorer that hold other commands, by their ids after `limner.`. */
export const submenus: Readonly<Record<string, Pick<Command, 'title' | 'menus'>>> = {
  finish: {
    title: 'Resize, Convert, Cut Out',
    menus: { 'explorer/context': { '6_limner@3': inExplorer } },
  },
  compare: {
    title: 'Compare Image',
    menus: { 'explorer/context': { '6_limner@5': all('!explorerResourceIsFolder', isPicture) } },
  },
};
