import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSame, nameOf, readIfThere, readOwn } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { requireConfirmation } from './confirm.ts';
import { refuse } from './refusal.ts';

/** What Limner uses of the API of VS Code's Git extension. */
export interface GitApi {
  readonly git: { readonly path: string };
  readonly repositories: readonly Repository[];
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): Repository | null;
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
  log(options: { path?: string; maxEntries: number }): Promise<Commit[]>;
  getRefs(query: { count: number; sort: 'committerdate' }): Promise<{ name?: string; commit?: string }[]>;
  getMergeBase(one: string, other: string): Promise<string | undefined>;
  /** What changed from the last commit that both have in common to the second one. */
  diffBetween(one: string, other: string): Promise<Change[]>;
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
  readonly parents?: readonly string[];
  readonly message: string;
  readonly authorName?: string;
  readonly authorDate?: Date;
}

/** A file's version, and what to call it. */
export interface GitVersion {
  uri: vscode.Uri;
  name: string;
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
const maxCommits = 200;

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

  /** @throws LimnerError `invalid_request` if VS Code has no Git, or has not opened the repository of the file */
  static async open(file: vscode.Uri): Promise<GitFile> {
    const git = await openGit();
    const repository = git?.getRepository(file);
    if (!git || !repository) {
      throw refuse(
        'invalid_request',
        git
          ? l10n.t("{0} isn't in a Git repository that VS Code has open.", plainText(nameOf(file)))
          : l10n.t(
              "Git isn't available in this window: it is turned off, or VS Code doesn't trust the workspace.",
            ),
      );
    }
    await repository.status();
    return new GitFile(git, repository, file);
  }

  /** @throws LimnerError `invalid_request` before the first commit */
  head(): GitVersion {
    const commit = this.#repository.state.HEAD?.commit;
    if (commit === undefined) {
      throw refuse('invalid_request', l10n.t('The repository has no commit yet.'));
    }
    return { uri: this.#at(commit), name: l10n.t('HEAD {0}', short(commit)) };
  }

  /** What is staged of the file. */
  staged(): GitVersion {
    return { uri: this.#git.toGitUri(this.#file, ''), name: l10n.t('Staged') };
  }

  /** The sides of a conflict; undefined without one. */
  conflict(): ConflictSides | undefined {
    const change = this.#repository.state.mergeChanges.find(({ uri }) => isSame(uri, this.#file));
    const side = (ref: string, name: string): GitVersion => ({
      uri: this.#git.toGitUri(this.#file, ref),
      name,
    });
    return (
      change && {
        ...(!withoutBase.has(change.status) && { base: side('~1', l10n.t('Base')) }),
        ...(!withoutOurs.has(change.status) && { ours: side('~2', l10n.t('Ours')) }),
        ...(!withoutTheirs.has(change.status) && { theirs: side('~3', l10n.t('Theirs')) }),
      }
    );
  }

  /**
   * Resolves a conflict: gives the file the bytes of one side, or deletes it where that side did, and stages it. Asks
   * before it loses what neither side has.
   *
   * @throws LimnerError `invalid_request` if there is no conflict any more
   * @throws vscode.CancellationError if the user keeps what the file has
   */
  async take(side: 'ours' | 'theirs'): Promise<void> {
    const conflict = this.conflict();
    const name = plainText(nameOf(this.#file));
    if (!conflict) {
      throw refuse('invalid_request', l10n.t('{0} is no longer in conflict.', name));
    }
    const [now, ...sides] = await Promise.all([
      readIfThere(this.#file),
      ...Object.values(conflict).map(async ({ uri }) => readOwn(uri)),
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
      await fs.writeFile(this.#file, await readOwn(taken.uri));
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
    const commits = await this.#repository.log({ path: this.#inHead.fsPath, maxEntries: maxCommits });
    const name = plainText(nameOf(this.#file));
    if (commits.length === 0) {
      throw refuse('invalid_request', l10n.t('No commit contains {0}.', name));
    }
    const items = commits.map(({ hash, message, authorName = '', authorDate }) => ({
      label: plainText(message.split('\n', 1)[0] ?? ''),
      description: short(hash),
      detail: [authorName, authorDate?.toLocaleString(vscode.env.language) ?? '']
        .filter((part) => part !== '')
        .join(' · '),
      hash,
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
    return { uri: this.#at(picked.hash), name: short(picked.hash) };
  }

  #at(commit: string): vscode.Uri {
    return this.#git.toGitUri(this.#inHead, commit);
  }

  /** The file under the name that it has in the last commit. */
  get #inHead(): vscode.Uri {
    const { indexChanges, workingTreeChanges } = this.#repository.state;
    const changes = [...indexChanges, ...workingTreeChanges];
    return changes.find(({ uri }) => isSame(uri, this.#file))?.originalUri ?? this.#file;
  }
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
