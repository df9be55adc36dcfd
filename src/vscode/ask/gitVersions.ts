import { posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { wayInto } from '../../common/fileUris.ts';
import { isSame, nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { manageTrust, openSetting, requireConfirmation } from './confirm.ts';
import { GitBatch } from './gitBatch.ts';
import { type Refusal, refuse } from './refusal.ts';

/** What Limner uses of the API of VS Code's Git extension. */
export interface GitApi {
  readonly git: { readonly path: string };
  readonly repositories: readonly Repository[];
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): Repository | null;
  openRepository(folder: vscode.Uri): Promise<Repository | null>;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

export interface Repository {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly HEAD: { readonly commit?: string; readonly name?: string } | undefined;
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly mergeChanges: readonly Change[];
    /** Only where they are apart from the other ones. */
    readonly untrackedChanges?: readonly Change[];
  };
  add(paths: readonly string[]): Promise<void>;
  status(): Promise<void>;
  /** @param options with a `range`, all of its commits are returned: `maxEntries` doesn't count then */
  log(options: { path?: string; maxEntries: number; range?: string }): Promise<Commit[]>;
  getRefs(query: { count: number; sort: 'committerdate' }): Promise<{ name?: string; commit?: string }[]>;
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  /** What changed from the last commit that both have in common to the second one. */
  diffBetween(one: string, other: string): Promise<Change[]>;
  getObjectDetails(tree: string, path: string): Promise<{ mode: string; object: string }>;
}

export interface Change {
  readonly uri: vscode.Uri;
  /** The file before it was renamed. */
  readonly originalUri: vscode.Uri;
  /** The file after that. */
  readonly renameUri?: vscode.Uri | undefined;
  readonly status: number;
}

export interface Commit {
  readonly hash: string;
  readonly parents: readonly string[];
  readonly message: string;
  readonly authorName?: string;
  readonly authorDate?: Date;
}

/** A file's version, and what to call it. */
export interface GitVersion {
  uri: vscode.Uri;
  name: string;
}

/** A commit, and the file under the name that it had then. */
interface Step {
  commit: Commit;
  file: vscode.Uri;
}

/** The sides of a conflict. One that deleted the file is not there, nor is the base of a file that both added. */
export type ConflictSides = Partial<Record<'base' | 'ours' | 'theirs', GitVersion>>;

/**
 * Numbers that the API of Git gives to conflicts without one of the sides: 12 and 13 were added by us and by them, 14 and 15
 * deleted, 16 was added by both, and 17 was deleted by both.
 */
const withoutBase = new Set([12, 13, 16]);
const withoutOurs = new Set([13, 14, 17]);
const withoutTheirs = new Set([12, 15, 17]);

/** Commits that are offered. */
export const maxCommits = 200;

/** A file in its repository. */
export class GitFile {
  readonly #git: GitApi;
  readonly #repository: Repository;
  readonly #file: vscode.Uri;

  private constructor(git: GitApi, repository: Repository, file: vscode.Uri) {
    this.#git = git;
    this.#repository = repository;
    this.#file = file;
  }

  /** @throws LimnerError `invalid_request` if VS Code has no Git, or the file is in no repository */
  static async open(file: vscode.Uri): Promise<GitFile> {
    const { git, repository } = await repositoryOf(file);
    await repository.status();
    return new GitFile(git, repository, file);
  }

  /** @throws LimnerError `invalid_request` before the first commit */
  head(): GitVersion {
    const commit = this.#repository.state.HEAD?.commit;
    if (commit === undefined) {
      throw refuse('invalid_request', l10n.t('The repository has no commit yet.'));
    }
    return { uri: this.#git.toGitUri(this.#inHead, commit), name: l10n.t('HEAD {0}', short(commit)) };
  }

  /** What is staged of the file. */
  staged(): GitVersion {
    return { uri: this.#git.toGitUri(this.#file, ''), name: l10n.t('Staged') };
  }

  /** The sides of a conflict; undefined without one. */
  conflict(): ConflictSides | undefined {
    const change = this.#repository.state.mergeChanges.find(({ uri }) => isSame(uri, this.#file));
    return change && sidesOf(this.#git, change);
  }

  /**
   * Resolves a conflict: gives the file the bytes of one side, or deletes it where that side did, and stages it. Asks
   * before it loses what neither side has.
   *
   * @param bytesOf reads a version as Git keeps it
   * @throws LimnerError `invalid_request` if there is no conflict any more
   * @throws vscode.CancellationError if the user keeps what the file has
   */
  async take(side: 'ours' | 'theirs', bytesOf: (version: GitVersion) => Promise<Uint8Array>): Promise<void> {
    const conflict = this.conflict();
    const name = plainText(nameOf(this.#file));
    if (!conflict) {
      throw refuse('invalid_request', l10n.t('{0} is no longer in conflict.', name));
    }
    const [now, ...sides] = await Promise.all([
      readIfThere(this.#file),
      ...Object.values(conflict).map(bytesOf),
    ]);
    if (now && !sides.some((bytes) => Buffer.compare(bytes, now) === 0)) {
      await requireConfirmation(
        l10n.t('Replace what {0} has now?', name),
        l10n.t('Replace'),
        l10n.t("The file in the working tree is none of the conflict's sides. Git has no copy of it."),
      );
    }
    const { fs } = vscode.workspace;
    const taken = conflict[side];
    if (taken) {
      await fs.writeFile(this.#file, await bytesOf(taken));
    } else if (now) {
      await fs.delete(this.#file);
    }
    await this.#repository.add([this.#file.fsPath]);
  }

  /**
   * Asks for one of the commits that changed the file.
   *
   * @throws LimnerError `invalid_request` if there are none
   * @throws vscode.CancellationError when the user picks none
   */
  async pickCommit(): Promise<GitVersion> {
    const steps = await this.#history();
    const name = plainText(nameOf(this.#file));
    if (steps.length === 0) {
      throw refuse('invalid_request', l10n.t('No commit contains {0}.', name));
    }
    const items = steps.map(({ commit, file }) => ({
      label: plainText(commit.message.split('\n', 1)[0] ?? ''),
      description: short(commit.hash),
      detail: [
        commit.authorName ?? '',
        commit.authorDate?.toLocaleString(vscode.env.language) ?? '',
        isSame(file, this.#file) ? '' : plainText(vscode.workspace.asRelativePath(file)),
      ]
        .filter((part) => part !== '')
        .join(' · '),
      hash: commit.hash,
      file,
    }));
    const picked = await vscode.window.showQuickPick(items, {
      title: l10n.t('Compare {0} with Commit', name),
      placeHolder: l10n.t('Select the commit whose version of the image to compare with'),
      matchOnDescription: true,
      matchOnDetail: true,
    });
    if (!picked) {
      throw new vscode.CancellationError();
    }
    return { uri: this.#git.toGitUri(picked.file, picked.hash), name: short(picked.hash) };
  }

  /** Lists the commits that changed the file, also under the names that it had before. */
  async #history(): Promise<Step[]> {
    const steps: Step[] = [];
    let file: vscode.Uri | undefined = this.#inHead;
    let range: string | undefined;
    while (file && steps.length < maxCommits) {
      const at: vscode.Uri = file;
      const commits: Commit[] = await this.#repository.log({
        path: at.fsPath,
        maxEntries: maxCommits,
        ...(range !== undefined && { range }),
      });
      steps.push(...commits.map((commit) => ({ commit, file: at })));
      const first = commits.at(-1);
      range = first?.parents[0];
      file = first && range !== undefined ? await this.#nameBefore(at, range, first.hash) : undefined;
    }
    return steps.slice(0, maxCommits);
  }

  /** Returns what a commit renamed to this file; undefined if it did not rename it. */
  async #nameBefore(file: vscode.Uri, parent: string, commit: string): Promise<vscode.Uri | undefined> {
    const changes = await this.#repository.diffBetween(parent, commit);
    const renamed = changes.find(({ uri, originalUri }) => isSame(uri, file) && !isSame(originalUri, file));
    return renamed?.originalUri;
  }

  /** The file under the name that it has in the last commit. */
  get #inHead(): vscode.Uri {
    const { indexChanges, workingTreeChanges } = this.#repository.state;
    const changes = [...indexChanges, ...workingTreeChanges];
    return changes.find(({ uri }) => isSame(uri, this.#file))?.originalUri ?? this.#file;
  }
}

/** The sides of the conflict that a change is. */
export function sidesOf(git: GitApi, { uri, status }: Change): ConflictSides {
  const side = (ref: string, name: string): GitVersion => ({ uri: git.toGitUri(uri, ref), name });
  return {
    ...(!withoutBase.has(status) && { base: side('~1', l10n.t('Base')) }),
    ...(!withoutOurs.has(status) && { ours: side('~2', l10n.t('Ours')) }),
    ...(!withoutTheirs.has(status) && { theirs: side('~3', l10n.t('Theirs')) }),
  };
}

/** An object of Git: the bytes of one version of a file, or of several. */
export interface GitObject {
  /** What it is called, by its bytes. */
  readonly id: string;
  /** Writes its bytes, as they are, into a new file. @throws LimnerError `invalid_request` if Git doesn't have them */
  write(path: string): Promise<void>;
}

/** The tree without files, which Git knows everywhere: with SHA-1, and with SHA-256. */
export const emptyTrees: readonly string[] = [
  '4b825dc642cb6eb9a060e54bf8d69288fbee4904',
  '6ef19b41225c5369f1c104d45d8d85efa9b057b53b14b4b9b939dd74decc5321',
];

/** What VS Code's Git writes into its URIs. */
const gitQuery = v.object({ path: v.string(), ref: v.string() });

/** Returns the path and the tree in a URI of VS Code's Git. */
export function gitPlace(uri: vscode.Uri): v.InferOutput<typeof gitQuery> {
  return v.parse(gitQuery, JSON.parse(uri.query));
}

/** The name of a commit or tree, rather than of the index. */
const isCommit = /^[\da-f]{40,}$/u;
/** Modes of a symbolic link, among those of files. */
const linkMode = '120000';
/** Links to links that are followed, as Linux does. */
const maxLinks = 40;

/**
 * Returns the object behind a URI of VS Code's Git, and follows symbolic links. Its file system would give what a
 * program makes of the image for text comparisons, where one is configured.
 *
 * @returns undefined if the version has no such file
 * @throws LimnerError like `GitFile.open`, and `invalid_request` if Git lacks a part of the version
 */
export async function gitObject(uri: vscode.Uri): Promise<GitObject | undefined> {
  const { path, ref } = gitPlace(uri);
  if (emptyTrees.includes(ref)) {
    return undefined;
  }
  let file = vscode.Uri.file(path);
  for (let links = 0; links <= maxLinks; links++) {
    const { git, repository } = await repositoryOf(file);
    const batch = batchOf(git, repository);
    const way = wayInto(repository.rootUri.toString(), file.toString());
    const id = isCommit.test(ref) && way ? await batch.find(ref, way).catch(() => undefined) : undefined;
    if (id !== undefined) {
      return { id, write: async (to) => writeObject(batch, id, to) };
    }
    const tree = ref.replace(/^~(?=\d$)/u, ':');
    const found = await repository.getObjectDetails(tree, file.fsPath).catch((error: unknown) => {
      if (isUnknownPath(error)) {
        return undefined;
      }
      throw noBytes();
    });
    if (!found) {
      return undefined;
    }
    const { mode, object } = found;
    if (mode !== linkMode) {
      return { id: object, write: async (to) => writeObject(batch, object, to) };
    }
    const link = await vscode.workspace.fs.readFile(git.toGitUri(file, ref));
    file = vscode.Uri.file(posix.resolve(posix.dirname(file.path), Buffer.from(link).toString()));
  }
  return undefined;
}

async function writeObject(batch: GitBatch, id: string, to: string): Promise<void> {
  if (!(await batch.write(id, to).catch(() => false))) {
    throw noBytes();
  }
}

/** The processes that read each repository. */
const batches = new Map<string, GitBatch>();

function batchOf(git: GitApi, { rootUri }: Repository): GitBatch {
  const { fsPath } = rootUri;
  const batch = batches.get(fsPath) ?? new GitBatch(git.git.path, fsPath);
  batches.set(fsPath, batch);
  return batch;
}

/** Whether the error of VS Code's Git says that a version has no such file. */
function isUnknownPath(error: unknown): boolean {
  return error instanceof Error && 'gitErrorCode' in error && error.gitErrorCode === 'UnknownPath';
}

function noBytes(): Refusal {
  return refuse(
    'invalid_request',
    l10n.t('Git has no bytes of this version here: the clone is partial, or damaged.'),
  );
}

/** @throws LimnerError `invalid_request` if VS Code has no Git, or the file is in no repository */
async function repositoryOf(file: vscode.Uri): Promise<{ git: GitApi; repository: Repository }> {
  const git = await openGit();
  if (!git) {
    throw noGit();
  }
  // Git itself would look at a path alone. A repository below or above the folders of the workspace may not be open yet.
  const repository =
    file.scheme === 'file' &&
    (git.getRepository(file) ?? (await git.openRepository(vscode.Uri.joinPath(file, '..'))));
  if (!repository) {
    throw refuse(
      'invalid_request',
      l10n.t("{0} isn't in a Git repository that VS Code has open.", plainText(nameOf(file))),
    );
  }
  return { git, repository };
}

/** Says why VS Code has no Git, and what to do about it. */
export function noGit(): Refusal {
  return vscode.workspace.isTrusted
    ? refuse(
        'invalid_request',
        l10n.t("VS Code has no Git in this window: it is turned off, or Git isn't installed."),
        [openSetting('git.enabled')],
      )
    : refuse('invalid_request', l10n.t('VS Code uses Git once you trust this workspace.'), [manageTrust()]);
}

/** Returns VS Code's Git once it knows its repositories; undefined without it. */
export async function openGit(): Promise<GitApi | undefined> {
  const extension = vscode.extensions.getExtension<{ enabled: boolean; getAPI(version: 1): GitApi }>(
    'vscode.git',
  );
  const exported = await extension?.activate();
  if (exported?.enabled !== true) {
    return undefined;
  }
  const git = exported.getAPI(1);
  await (git.state === 'initialized' ||
    new Promise<void>((resolve) => {
      const subscription = git.onDidChangeState(() => {
        subscription.dispose();
        resolve();
      });
    }));
  return git;
}

export function short(hash: string): string {
  return hash.slice(0, 7);
}
