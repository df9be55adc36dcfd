import { posix } from 'node:path';
import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { LimnerError, messageOf } from '../../common/limnerError.ts';
import { isTestFile } from '../../pages/find/findReferences.ts';
import { languageOf } from '../../pages/find/languages.ts';
import { entriesOf } from './diskFiles.ts';

/** The setting `files.exclude`: path patterns, each with `true` or with a condition on a sibling file. */
export type ExcludedFiles = Readonly<Record<string, unknown>>;

/** Whether a path is excluded. @param path from the workspace folder @param beside whether a name is in its folder */
export type IsExcluded = (path: string, beside: (name: string) => boolean) => boolean;

/** Maximum length of a pattern, in UTF-16 units. */
const longestPattern = 2000;

/** Reads the setting `files.exclude`. Invalid or overlong patterns exclude nothing. */
export function excludedBy(setting: ExcludedFiles): IsExcluded {
  const rules = Object.entries(setting).flatMap(([glob, rule]) => {
    const when = typeof rule === 'object' && rule !== null && 'when' in rule ? String(rule.when) : undefined;
    const isMeant = (rule === true || when !== undefined) && glob.length <= longestPattern;
    const pattern = isMeant ? patternOf(glob) : undefined;
    return pattern ? [{ pattern, when }] : [];
  });
  return (path, beside) =>
    rules.some(
      ({ pattern, when }) =>
        pattern.test(path) &&
        (when === undefined || beside(when.replace('$(basename)', posix.parse(path).name))),
    );
}

/**
 * Step of a pattern: it takes a matching character, or leads to other steps. All paths through the steps are followed
 * at once, so each character of a path costs at most the length of the pattern.
 */
type Step = { takes: (sign: string) => boolean } | { to: number[] };

interface Pattern {
  test(path: string): boolean;
}

/** Special characters, and every other character. */
const signs = /\*\*\/?|[*?{},]|\[[^\]]*\]|[^]/gu;
const anySign = (): boolean => true;
const inFolder = (sign: string): boolean => sign !== '/';

/** Parses a path pattern; undefined if it is invalid. */
function patternOf(glob: string): Pattern | undefined {
  const steps: Step[] = [];
  /** Open braces: the starts and ends of their alternatives. */
  const open: { starts: number[]; ends: number[] }[] = [];
  const take = (takes: (sign: string) => boolean): void => void steps.push({ takes });
  const goTo = (to: number[]): number[] => {
    steps.push({ to });
    return to;
  };
  const takeMany = (takes: (sign: string) => boolean): void => {
    const start = steps.length;
    goTo([start + 1, start + 3]);
    take(takes);
    goTo([start]);
  };
  for (const [sign] of glob.matchAll(signs)) {
    const braces = open.at(-1);
    if (sign === '**/') {
      const folders = goTo([steps.length + 1]);
      takeMany(anySign);
      take((one) => one === '/');
      folders.push(steps.length);
    } else if (sign === '**' || sign === '*') {
      takeMany(sign === '*' ? inFolder : anySign);
    } else if (sign === '?') {
      take(inFolder);
    } else if (sign === '{') {
      open.push({ starts: goTo([steps.length + 1]), ends: [] });
    } else if (braces && sign === ',') {
      braces.ends.push(steps.length);
      goTo([]);
      braces.starts.push(steps.length);
    } else if (braces && sign === '}') {
      open.pop();
      for (const end of braces.ends) {
        steps[end] = { to: [steps.length] };
      }
    } else if (sign.length > 2 && sign.startsWith('[')) {
      const set = setOf(sign);
      if (!set) {
        return undefined;
      }
      take((one) => set.test(one));
    } else {
      take((one) => one === sign);
    }
  }
  // Checks the end first, which most paths don't match.
  const [end = ''] = /[^*?{},[\]/]*$/u.exec(glob) ?? [];
  return open.length === 0 ? { test: (path) => path.endsWith(end) && matches(steps, path) } : undefined;
}

/** Parses a character set in brackets; undefined if it is invalid. */
function setOf(brackets: string): RegExp | undefined {
  const inner = brackets
    .slice(1, -1)
    .replace(/^!/u, '^')
    .replaceAll(/[\\[]/gu, String.raw`\$&`);
  try {
    return new RegExp(`^[${inner}]$`, 'u');
  } catch {
    return undefined;
  }
}

function matches(steps: readonly Step[], path: string): boolean {
  let places = reachedFrom(steps, [0]);
  for (const sign of path) {
    const next: number[] = [];
    for (const place of places) {
      const step = steps[place];
      if (step && 'takes' in step && step.takes(sign)) {
        next.push(place + 1);
      }
    }
    places = reachedFrom(steps, next);
  }
  return places.has(steps.length);
}

function reachedFrom(steps: readonly Step[], starts: readonly number[]): Set<number> {
  const reached = new Set(starts);
  for (const place of reached) {
    const step = steps[place];
    if (step && 'to' in step) {
      for (const next of step.to) {
        reached.add(next);
      }
    }
  }
  return reached;
}

export const maxFiles = 50_000;

/** Folders of dependencies, build output, and tools. */
export const foreignFolders = [
  'node_modules',
  'bower_components',
  'jspm_packages',
  'site-packages',
  'vendor',
  'vendors',
  'Pods',
  'Carthage',
  'dist',
  'build',
  'out',
  'coverage',
  'storybook-static',
  'DerivedData',
  '.git',
  '.hg',
  '.svn',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.output',
  '.docusaurus',
  '.angular',
  '.vercel',
  '.netlify',
  '.cache',
  '.turbo',
  '.history',
  '.venv',
  'venv',
  '_site',
];

/**
 * Folders whose documents need no images: tests, samples, and copies of others' work. Their names may be parts of longer
 * ones: `e2e-tests`, `__image_snapshots__`.
 */
const sampleFolder =
  /^_*(?:tests?|specs?|stubs?|cypress|playwright|examples?|samples?|third[-_]?party|3rd[-_]?party|vendored|(?:[a-z\d.]+[-_])*(?:e2e|(?:test)?fixtures?|mocks?|snapshots?|testdata)|(?:unit|integration|functional|acceptance|system|smoke|visual|regression|browser|api|ui)[-_]tests?)_*$/iu;
const sampleStart =
  /^_*(?:e2e|fixtures?|mocks?|tests?[-_.](?:utils?|data|helpers?|cases?|apps?|results?|sites?|fixtures?))(?:[-_.]|$)/iu;

export interface UnreadableFolder {
  folder: vscode.Uri;
  error: unknown;
}

/**
 * Lists the documents of the workspace, without tests and without files that `files.exclude` hides. Links aren't
 * followed: their targets would be listed twice, or are outside of the workspace. VS Code's own search returns all
 * files at once, which blocks the extension host if there are many.
 *
 * @param goOn throws to stop
 * @returns the documents, and the folders that can't be read
 * @throws LimnerError `invalid_request` if no folder of the workspace can be read
 */
export async function listDocuments(
  goOn: () => void,
): Promise<{ files: vscode.Uri[]; unreadable: UnreadableFolder[] }> {
  const roots = vscode.workspace.workspaceFolders ?? [];
  // Workspace folders may be nested.
  const found = new Map<string, vscode.Uri>();
  const unreadable: UnreadableFolder[] = [];
  for (const { uri } of roots) {
    const setting = vscode.workspace.getConfiguration('files', uri).get<ExcludedFiles>('exclude', {});
    for await (const file of documentsBelow(uri, '', excludedBy(setting), goOn, unreadable)) {
      if (found.size === maxFiles) {
        break;
      }
      found.set(file.toString(), file);
    }
  }
  const [first] = unreadable;
  if (first && roots.every(({ uri }) => unreadable.some(({ folder }) => folder === uri))) {
    const [name, reason] = [posix.basename(first.folder.path), messageOf(first.error)];
    const message = vscode.l10n.t("Couldn't read {0}: {1}", name, reason);
    throw new LimnerError('invalid_request', message, { billing: 'no', cause: first.error });
  }
  return { files: [...found.values()], unreadable };
}

/**
 * @param path of the folder, from that of the workspace
 * @param unreadable collects the folders that can't be read
 */
async function* documentsBelow(
  folder: vscode.Uri,
  path: string,
  isExcluded: IsExcluded,
  goOn: () => void,
  unreadable: UnreadableFolder[],
): AsyncGenerator<vscode.Uri> {
  const entries = await entriesIn(folder).catch((error: unknown) => {
    if (path === '' || fileTrouble(error) !== 'gone') {
      unreadable.push({ folder, error });
    }
    return new Map<string, vscode.FileType>();
  });
  goOn();
  const isOpen = (name: string): boolean =>
    !isExcluded(posix.join(path, name), (other) => entries.has(other));
  const folders: string[] = [];
  // A folder may hold tens of thousands of files. A function that compares them would take long, too.
  for await (const name of inTurns([...entries.keys()].toSorted())) {
    const type = entries.get(name);
    const isListed = !foreignFolders.includes(name) && !sampleFolder.test(name) && !sampleStart.test(name);
    if (type === vscode.FileType.Directory && isListed && isOpen(name)) {
      folders.push(name);
    } else if (
      type === vscode.FileType.File &&
      languageOf('plaintext', `/${name}`) !== undefined &&
      !isTestFile(name) &&
      isOpen(name)
    ) {
      yield vscode.Uri.joinPath(folder, name);
    }
  }
  for (const name of folders) {
    const [below, pathBelow] = [vscode.Uri.joinPath(folder, name), posix.join(path, name)];
    yield* documentsBelow(below, pathBelow, isExcluded, goOn, unreadable);
  }
}

/** Returns the names in a folder, with their types. */
async function entriesIn(folder: vscode.Uri): Promise<ReadonlyMap<string, vscode.FileType>> {
  const types = new Map<string, vscode.FileType>();
  for await (const [name, type] of entriesOf(folder)) {
    types.set(name, type);
  }
  return types;
}
