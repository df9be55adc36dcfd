import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, sizeText } from '../../common/text.ts';
import {
  planSet,
  type SetName,
  type SetPlan,
  setNames,
  setProblem,
  type SetSource,
  type SetWishes,
  usualWidth,
} from '../../engine/operations/exportSet.ts';
import { told } from '../../engine/messages/told.ts';
import {
  ask,
  askPick,
  askText,
  backButton,
  type Direction,
  type Reply,
  type Step,
  type StepPosition,
  takeAnswer,
  walk,
} from '../generate/inputSteps.ts';
import { pickFolder } from '../generate/saveTarget.ts';
import { isSame, nameOf, statOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';

/** Names of folders whose files sites usually serve at their root. */
const publicFolders = ['public', 'static'] as const;
/** The sets that are only for the icons of a site. */
const siteSets: readonly SetName[] = ['favicon', 'apple-touch', 'pwa'];

export interface SetAnswers extends SetWishes {
  folder: vscode.Uri;
}

type SetItem = vscode.QuickPickItem & { set: SetName };
type FolderItem = vscode.QuickPickItem & { folder?: vscode.Uri };

/** The questions about the set of one picture. */
export class SetQuestions {
  readonly #source: SetSource;
  readonly #isTransparent: () => Promise<boolean>;
  readonly #title: string;
  readonly #folders: readonly vscode.Uri[];
  #sets: readonly SetName[];
  #width: number;
  #asksFill = false;
  #fill = '#ffffff';
  #folder: vscode.Uri | undefined;

  /**
   * @param width at 1×, as a document shows the picture; undefined if none says so
   * @param served folders whose files a site serves at its root
   * @param isTransparent whether parts of the picture are; asked only if that matters
   */
  constructor(
    file: vscode.Uri,
    source: SetSource,
    width: number | undefined,
    served: readonly vscode.Uri[],
    isTransparent: () => Promise<boolean>,
  ) {
    this.#source = source;
    this.#isTransparent = isTransparent;
    this.#title = plainText(l10n.t('Export Set of {0}', nameOf(file)));
    this.#width = width !== undefined && width <= source.width ? width : usualWidth(source);
    const beside = vscode.Uri.joinPath(file, '..');
    this.#folders = [beside, ...served.filter((folder) => !isSame(folder, beside))];
    const usual = width === undefined && source.width === source.height ? siteSets : (['densities'] as const);
    this.#sets = usual.filter((set) => this.#planOf(set).files.length > 0);
  }

  /** @throws vscode.CancellationError when the user dismissed a question */
  async ask(): Promise<SetAnswers> {
    await walk(() => this.#steps);
    const folder = this.#folder ?? (await pickFolder());
    if (!folder) {
      throw new vscode.CancellationError();
    }
    return {
      sets: this.#sets,
      folder,
      ...(this.#sets.includes('densities') && { width: this.#width }),
      ...(this.#asksFill && { fill: this.#fill }),
    };
  }

  get #steps(): Step[] {
    return [
      this.#askSets,
      ...(this.#sets.includes('densities') ? [this.#askWidth] : []),
      ...(this.#asksFill ? [this.#askFill] : []),
      this.#askFolder,
    ];
  }

  readonly #askSets = async (place: StepPosition): Promise<Direction> => {
    const input = vscode.window.createQuickPick<SetItem>();
    const items = setNames.filter((set) => set !== this.#source.format).map((set) => this.#itemFor(set));
    input.canSelectMany = true;
    input.items = items;
    input.selectedItems = items.filter(({ set }) => this.#sets.includes(set));
    input.placeholder = l10n.t('What do you need? Exporting is free.');
    input.buttons = backButton(place);
    input.matchOnDetail = true;
    const reply = await ask<Reply<readonly SetItem[]>>(input, this.#title, place, (answer) => [
      input.onDidAccept(() => {
        if (input.selectedItems.length > 0) {
          answer({ kind: 'answer', value: input.selectedItems });
        } else {
          input.prompt = l10n.t('Select at least one set, with Space or the mouse.');
        }
      }),
    ]);
    const direction = takeAnswer(reply, (chosen) => {
      this.#sets = setNames.filter((set) => chosen.some((item) => item.set === set));
    });
    const isOpaque = this.#sets.includes('apple-touch') || this.#sets.includes('pwa');
    this.#asksFill = isOpaque && (await this.#isTransparent());
    return direction;
  };

  readonly #askWidth = async (place: StepPosition): Promise<Direction> => {
    const question = {
      title: this.#title,
      prompt: l10n.t(
        'Width at 1×, in pixels. The image has {0}; what would be enlarged is left out.',
        sizeText(this.#source),
      ),
      value: String(this.#width),
      invalid: (text: string) => this.#problemOfWidth(text),
    };
    return takeAnswer(await askText(question, place), (text) => {
      this.#width = Number(text.trim());
    });
  };

  readonly #askFill = async (place: StepPosition): Promise<Direction> => {
    const question = {
      title: this.#title,
      prompt: l10n.t('Color behind the icons that phones show without transparency, for example #ff8800'),
      value: this.#fill,
      invalid: (text: string) => {
        const problem = setProblem({ sets: this.#sets, fill: text.trim() });
        return problem === undefined ? undefined : told(problem);
      },
    };
    return takeAnswer(await askText(question, place), (text) => {
      this.#fill = text.trim();
    });
  };

  readonly #askFolder = async (place: StepPosition): Promise<Direction> => {
    const [beside, ...served] = this.#folders.map((folder) => folderItem(folder));
    const isForSite = this.#sets.some((set) => siteSets.includes(set));
    const other: FolderItem = { label: l10n.t('Choose Folder…') };
    const items = [...(isForSite ? [...served, beside] : [beside, ...served]), other].filter(
      (item) => item !== undefined,
    );
    const { files } = planSet(this.#source, this.#wishes);
    const placeholder = l10n.t('Folder for {0} files. Nothing is overwritten.', files.length);
    return takeAnswer(await askPick({ title: this.#title, placeholder, items }, place), ({ folder }) => {
      this.#folder = folder;
    });
  };

  get #wishes(): SetWishes {
    return { sets: this.#sets, width: this.#width };
  }

  #problemOfWidth(text: string): string | undefined {
    const width = Number(text.trim());
    const problem = setProblem({ sets: this.#sets, width });
    if (problem !== undefined) {
      return told(problem);
    }
    return width > this.#source.width
      ? l10n.t('The image is only {0} pixels wide.', this.#source.width)
      : undefined;
  }

  #planOf(set: SetName): ReturnType<typeof planSet> {
    return planSet(this.#source, { sets: [set], width: this.#width });
  }

  #itemFor(set: SetName): SetItem {
    const plan = this.#planOf(set);
    const tooSmall = plan.files.length === 0;
    return {
      set,
      ...textsOf(set),
      detail: tooSmall ? l10n.t('The image is too small.') : detailOf(plan),
    };
  }
}

function textsOf(set: SetName): Pick<vscode.QuickPickItem, 'label' | 'description'> {
  switch (set) {
    case 'densities':
      return { label: '1×, 2×, 3×', description: l10n.t('for sharp images on every screen') };
    case 'webp':
      return { label: 'WebP', description: l10n.t('small, in each of these densities') };
    case 'png':
      return { label: 'PNG', description: l10n.t('keeps every pixel, in each of these densities') };
    case 'icons':
      return { label: l10n.t('Icons'), description: l10n.t('for programs and games') };
    case 'favicon':
      return { label: 'favicon.ico', description: l10n.t('for browser tabs') };
    case 'apple-touch':
      return { label: l10n.t('Apple Touch Icon'), description: l10n.t('for the home screen of iPhones') };
    case 'pwa':
      return { label: l10n.t('Web App Icons'), description: l10n.t('for the manifest of a web app') };
  }
}

/** Lists the files of a set, or their sizes if there are many. */
function detailOf({ files }: SetPlan): string {
  const isLong = files.length > 3;
  const names = files.map(({ name, width, sides }) =>
    isLong ? String(width) : sides ? `${name} (${sides.join(', ')})` : name,
  );
  return isLong ? l10n.t('{0} pixels', names.join(', ')) : listText(names, vscode.env.language);
}

function folderItem(folder: vscode.Uri): FolderItem {
  const path = vscode.workspace.asRelativePath(folder, false);
  return { label: path === '' ? '.' : plainText(path), folder };
}

/** Returns the folders around a file or above whose files a site serves at its root, the nearest first. */
export async function servedFolders(file: vscode.Uri): Promise<vscode.Uri[]> {
  const root = vscode.workspace.getWorkspaceFolder(file)?.uri;
  const found: vscode.Uri[] = [];
  if (!root) {
    return found;
  }
  for (let folder = vscode.Uri.joinPath(file, '..'); ; folder = vscode.Uri.joinPath(folder, '..')) {
    for (const name of publicFolders) {
      const served = nameOf(folder) === name ? folder : vscode.Uri.joinPath(folder, name);
      if (
        (await statOf(served))?.type === vscode.FileType.Directory &&
        !found.some((one) => isSame(one, served))
      ) {
        found.push(served);
      }
    }
    if (isSame(folder, root) || posix.dirname(folder.path) === folder.path) {
      return found;
    }
  }
}
