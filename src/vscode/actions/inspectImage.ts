import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { messageOf } from '../../common/limnerError.ts';
import { largestFinished } from '../../common/regularFile.ts';
import { sizeText } from '../../common/text.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { told } from '../../engine/messages/told.ts';
import type { Task } from '../../engine/task/task.ts';
import { isAnimated, type Orientation, readOrientation, upright } from '../../images/formats/animation.ts';
import { type PixelForm, profileName, readPixelForm, readProfile } from '../../images/formats/colors.ts';
import { sizeIn } from '../../images/formats/dimensions.ts';
import { readParameters } from '../../images/formats/parameters.ts';
import { credentialsBy, readProvenance } from '../../images/formats/provenance.ts';
import { sniffImage, sniffOther } from '../../images/formats/sniff.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { activeImage, pickImage, shownExtensions } from '../ask/pictures.ts';
import { refuse, reported } from '../ask/refusal.ts';
import type { Painting } from '../generate/painting.ts';
import { passedFiles, resolveLocation } from '../generate/paintArguments.ts';
import { taskDetails } from '../taskList/taskDetails.ts';
import * as commands from '../window/commandIds.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, pathOf, readOwn, statOf } from '../window/files.ts';
import { oneLine, plainText } from '../window/plainText.ts';
import { missing } from './taskArgument.ts';

/** Length of a line of a prompt that fits into the list, in UTF-16 units, and the most lines that are shown. */
const lineLength = 84;
const mostLines = 20;
/** The most places in documents that are listed. */
const mostUses = 50;

const extensions = [...shownExtensions, 'tif', 'tiff', 'heic'];

/** A row of the list: a fact, or what can be done. Enter copies a fact, or does what the row says. */
interface Row extends vscode.QuickPickItem {
  copied?: string;
  run?: () => Promise<unknown>;
}

/** What is known about the making of an image. */
interface Making {
  prompt: string;
  /** One fact per line, with the source of them all. */
  facts: readonly string[];
  /** Absent if only the file tells. */
  task?: Task;
}

interface ImageUse {
  file: vscode.Uri;
  position: vscode.Position;
}

export interface InspectionServices {
  engine: EngineHost;
  folders: WorkspaceFolders;
  painting: Painting;
  /** Finds the places in documents that name an image. @param goOn throws to stop */
  usesOf: (image: vscode.Uri, goOn: () => void) => Promise<AsyncIterable<ImageUse>>;
  log: vscode.LogOutputChannel;
}

/**
 * `limner.inspectImage`: lists what an image is, how it was made, where documents name it, and what can be done with its
 * prompt.
 *
 * @throws LimnerError `unsupported_image` for a file that isn't an image, `invalid_request` for one that can't be read
 */
export async function inspectImage(
  services: InspectionServices,
  first: unknown,
  second: unknown,
): Promise<void> {
  const { engine, folders, log } = services;
  const file = await imageMeant(folders, first, second);
  const bytes = await contentsOf(file);
  const facts = await factsOf(file, bytes);
  const making = await makingOf(engine, file, bytes);
  const credentials = await credentialsBy(bytes);
  const before = [
    heading(l10n.t('File')),
    ...facts.map((fact) => factRow(fact)),
    heading(l10n.t('How It Was Made')),
    ...(making
      ? makingRows(making)
      : [factRow(l10n.t('Unknown: it is not in the task list, and the file has no prompt.'))]),
    ...(credentials === undefined ? [] : [factRow(credentialsText(credentials))]),
    heading(l10n.t('Used In')),
  ];
  const after = [heading(l10n.t('Actions')), ...actionRows(services, file, bytes, making)];
  const list = vscode.window.createQuickPick<Row>();
  let isOpen = true;
  const uses: Row[] = [];
  const show = (): void => {
    const [active] = list.activeItems;
    list.items = [...before, ...(uses.length > 0 || list.busy ? uses : [noUse()]), ...after];
    if (active && list.items.includes(active)) {
      list.activeItems = [active];
    }
  };
  list.title = plainText(nameOf(file));
  list.placeholder = l10n.t('Enter copies a fact, opens a document, or does what the row says');
  list.matchOnDescription = true;
  // The facts stay in their order while the user types: VS Code would sort what matches by its name.
  Object.assign(list, { sortByLabel: false, keepScrollPosition: true });
  list.busy = canFindUses(file);
  list.onDidAccept(() => {
    const [row] = list.activeItems;
    if (row?.copied !== undefined) {
      void vscode.env.clipboard.writeText(row.copied);
      list.prompt = l10n.t('Copied.');
    } else if (row?.run) {
      const { run } = row;
      list.hide();
      void reported(log, async () => void (await run()));
    }
  });
  list.onDidHide(() => {
    isOpen = false;
    list.dispose();
  });
  show();
  list.show();
  if (!list.busy) {
    return;
  }
  const goOn = (): void => {
    if (!isOpen) {
      throw new vscode.CancellationError();
    }
  };
  try {
    for await (const { file: document, position } of await services.usesOf(file, goOn)) {
      goOn();
      uses.push(useRow(document, position));
      show();
      if (uses.length === mostUses) {
        break;
      }
    }
  } finally {
    if (isOpen) {
      list.busy = false;
      show();
    }
  }
}

/** Returns the file that a menu or a program passed to a command, else that of the active tab, else the user's choice. */
async function imageMeant(folders: WorkspaceFolders, first: unknown, second: unknown): Promise<vscode.Uri> {
  const [passed] = passedFiles(first, second);
  if (passed !== undefined) {
    return resolveLocation(passed, await folders.current(false));
  }
  const texts = { title: l10n.t('Choose an Image'), openLabel: l10n.t('Choose') };
  return activeImage(extensions)[0] ?? pickImage(texts, extensions);
}

/**
 * Reads an image, whether or not Limner can change it.
 *
 * @throws LimnerError `unsupported_image` for a file that isn't an image, `invalid_request` for one that can't be read
 */
export async function contentsOf(file: vscode.Uri): Promise<Uint8Array> {
  const name = plainText(nameOf(file));
  const stat = await statOf(file);
  if (!stat) {
    throw missing(file);
  }
  if ((stat.type & vscode.FileType.Directory) !== 0) {
    throw refuse('unsupported_image', l10n.t('{0} is a folder, not an image.', name));
  }
  if (stat.size > largestFinished) {
    throw refuse('invalid_request', l10n.t('{0} is too large to be read.', name));
  }
  const bytes = await readOwn(file).catch((error: unknown) => {
    throw refuse('invalid_request', l10n.t("Couldn't read {0}: {1}", name, told(messageOf(error))));
  });
  if (!sniffImage(bytes) && !sniffOther(bytes)) {
    throw refuse(
      'unsupported_image',
      bytes.length === 0
        ? l10n.t('{0} is empty.', name)
        : l10n.t("The contents of {0} aren't an image that Limner recognizes.", name),
    );
  }
  return bytes;
}

/** Names of formats that aren't the extension in capitals. */
const formatNames: Readonly<Record<string, string>> = {
  jpg: 'JPEG',
  webp: 'WebP',
  jxl: 'JPEG XL',
  jp2: 'JPEG 2000',
  psd: 'Photoshop',
};

/** A fact with its name. */
type Fact = readonly [name: string, value: string];

/** Returns what the headers of a file say. */
async function factsOf(file: vscode.Uri, bytes: Uint8Array): Promise<Fact[]> {
  const format = sniffImage(bytes);
  const { extension } = format ?? sniffOther(bytes) ?? { extension: '' };
  const name = formatNames[extension] ?? extension.toUpperCase();
  const stored = sizeIn(bytes);
  const size = stored && format ? await upright(stored, bytes) : stored;
  const form = await readPixelForm(bytes);
  const orientation = await readOrientation(bytes);
  return [
    [l10n.t('Format'), (await isAnimated(bytes)) ? l10n.t('{0}, animated', name) : name],
    [l10n.t('Size'), size ? l10n.t('{0} pixels', sizeText(size)) : l10n.t('unknown')],
    ...(form ? [[l10n.t('Depth'), depthText(form)] as const] : []),
    ...(format ? [[l10n.t('Color Profile'), await profileText(bytes)] as const] : []),
    ...(format ? [[l10n.t('Orientation'), orientationText(orientation)] as const] : []),
    [l10n.t('Bytes'), bytes.length.toLocaleString(vscode.env.language)],
    [l10n.t('Path'), pathOf(file)],
  ];
}

function depthText({ bits, colors, hasAlpha }: PixelForm): string {
  const names = {
    gray: l10n.t('gray'),
    rgb: 'RGB',
    palette: l10n.t('palette'),
    cmyk: 'CMYK',
  };
  return hasAlpha
    ? l10n.t('{0} bits per channel, {1} with transparency', bits, names[colors])
    : l10n.t('{0} bits per channel, {1}', bits, names[colors]);
}

async function profileText(bytes: Uint8Array): Promise<string> {
  const profile = await readProfile(bytes);
  return profile
    ? plainText(profileName(profile) ?? '') || l10n.t('without a name')
    : l10n.t('none, which means sRGB');
}

function orientationText(orientation: Orientation): string {
  switch (orientation) {
    case 1:
      return l10n.t('as stored');
    case 2:
      return l10n.t('shown mirrored');
    case 3:
      return l10n.t('shown upside down');
    case 4:
      return l10n.t('shown upside down and mirrored');
    case 6:
      return l10n.t('shown turned clockwise by a quarter');
    case 8:
      return l10n.t('shown turned counterclockwise by a quarter');
    default:
      return l10n.t('shown turned by a quarter and mirrored');
  }
}

/** Returns the task list's facts about an unchanged file, else the facts in the file itself. */
async function makingOf(
  engine: EngineHost,
  file: vscode.Uri,
  bytes: Uint8Array,
): Promise<Making | undefined> {
  const hash = hashOf(bytes);
  const { task, result } = (await engine.get()).store.savedAs(file.toString(), hash) ?? {};
  const isAsSaved = result?.sha256 === hash;
  const ofFile = task && isAsSaved ? undefined : await toldBy(bytes);
  if (ofFile || !task) {
    return ofFile;
  }
  const { prompt } = task.request;
  const details = taskDetails(task).slice(prompt.trim().length);
  const lines = details.split('\n').filter((line) => line.trim() !== '');
  return {
    prompt,
    facts: [...lines, ...(isAsSaved ? [] : [l10n.t('The file was changed after Limner saved it.')])],
    task,
  };
}

/** Returns what a file itself says about its making. */
export async function toldBy(bytes: Uint8Array): Promise<Making | undefined> {
  const iptc = await readProvenance(bytes);
  const other = iptc ? undefined : await readParameters(bytes);
  const { prompt, model } = iptc ?? other ?? {};
  if (prompt === undefined) {
    return undefined;
  }
  const facts = [
    ...(model === undefined ? [] : [l10n.t('Model: {0}', model)]),
    ...(iptc?.at === undefined
      ? []
      : [l10n.t('Generated: {0}', new Date(iptc.at).toLocaleString(vscode.env.language))]),
    other
      ? l10n.t('Read from the file itself, as {0} writes it. Not verified.', other.program)
      : l10n.t('Read from the file itself. Not verified.'),
  ];
  return { prompt, facts };
}

function credentialsText(by: string): string {
  return by === ''
    ? l10n.t('Content Credentials (C2PA): present. Limner does not verify them.')
    : l10n.t('Content Credentials (C2PA): present, by {0}. Limner does not verify them.', plainText(by));
}

function makingRows({ prompt, facts }: Making): Row[] {
  return [
    ...linesOf(prompt).map((line, index) => ({
      label: line,
      description: index === 0 ? l10n.t('Prompt') : '',
      copied: prompt,
    })),
    ...facts.map((fact) => factRow(fact)),
  ];
}

/** Breaks a text between words into lines that fit. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (const word of oneLine(text).split(' ')) {
    const last = lines.at(-1);
    if (last === undefined || last.length + word.length >= lineLength) {
      lines.push(word);
    } else {
      lines[lines.length - 1] = `${last} ${word}`;
    }
  }
  return lines.length > mostLines ? [...lines.slice(0, mostLines - 1), '…'] : lines;
}

function actionRows(
  { painting }: InspectionServices,
  file: vscode.Uri,
  bytes: Uint8Array,
  making: Making | undefined,
): Row[] {
  const { prompt, task } = making ?? {};
  return [
    ...(prompt === undefined
      ? []
      : [
          {
            label: task ? l10n.t('Run Again with Changes…') : l10n.t('Generate with This Prompt…'),
            iconPath: new vscode.ThemeIcon('refresh'),
            run: async () => (task ? painting.runWithChanges(task) : painting.propose({ given: { prompt } })),
          },
        ]),
    ...(sniffImage(bytes)
      ? [
          {
            label: l10n.t('Edit Image…'),
            iconPath: new vscode.ThemeIcon('wand'),
            run: async () => vscode.commands.executeCommand(commands.edit, file),
          },
        ]
      : []),
    ...(prompt === undefined
      ? []
      : [
          {
            label: l10n.t('Copy Prompt'),
            iconPath: new vscode.ThemeIcon('copy'),
            copied: prompt,
          },
        ]),
    {
      label: l10n.t('Open Image'),
      iconPath: new vscode.ThemeIcon('go-to-file'),
      run: async () => vscode.commands.executeCommand('vscode.open', file),
    },
  ];
}

function heading(label: string): Row {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function factRow(fact: Fact | string): Row {
  if (typeof fact === 'string') {
    return { label: plainText(fact), copied: fact };
  }
  const [name, value] = fact;
  return { label: `${name}: ${plainText(value)}`, copied: value };
}

/** Whether documents are read that may name a file. */
function canFindUses(file: vscode.Uri): boolean {
  return vscode.workspace.isTrusted && vscode.workspace.getWorkspaceFolder(file) !== undefined;
}

function noUse(): Row {
  return factRow(
    vscode.workspace.isTrusted
      ? l10n.t('No document of the workspace names it.')
      : l10n.t('Documents are read once you trust the workspace.'),
  );
}

function useRow(file: vscode.Uri, position: vscode.Position): Row {
  return {
    label: l10n.t('{0}, line {1}', plainText(vscode.workspace.asRelativePath(file)), position.line + 1),
    iconPath: new vscode.ThemeIcon('file'),
    run: async () =>
      vscode.window.showTextDocument(file, { selection: new vscode.Range(position, position) }),
  };
}
