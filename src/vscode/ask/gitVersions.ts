import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isSame, nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { refuse } from './refusal.ts';

/** What Limner uses of the API of VS Code's Git extension. */
interface GitApi {
  readonly state: 'uninitialized' | 'initialized';
  readonly onDidChangeState: vscode.Event<unknown>;
  getRepository(uri: vscode.Uri): Repository | null;
  toGitUri(uri: vscode.Uri, ref: string): vscode.Uri;
}

interface Repository {
  readonly state: {
    readonly HEAD: { readonly commit?: string } | undefined;
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly mergeChanges: readonly Change[];
  };
  status(): Promise<void>;
  log(options: { path: string; maxEntries: number }): Promise<Commit[]>;
}

interface Change {
  readonly uri: vscode.Uri;
  /** The file before it was renamed. */
  readonly originalUri: vscode.Uri;
}

interface Commit {
  readonly hash: string;
  readonly message: string;
  readonly authorName?: string;
  readonly authorDate?: Date;
}

/** A file's version, and what to call it. */
export interface GitVersion {
  uri: vscode.Uri;
  name: string;
}

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

  /** Both sides of a conflict; undefined without one. */
  conflict(): { ours: GitVersion; theirs: GitVersion } | undefined {
    const isIn = this.#repository.state.mergeChanges.some(({ uri }) => isSame(uri, this.#file));
    const stage = (ref: string, name: string): GitVersion => ({
      uri: this.#git.toGitUri(this.#file, ref),
      name,
    });
    return isIn ? { ours: stage('~2', l10n.t('Ours')), theirs: stage('~3', l10n.t('Theirs')) } : undefined;
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
async function openGit(): Promise<GitApi | undefined> {
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

function short(hash: string): string {
  return hash.slice(0, 7);
}
