import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { nameOf, pathOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { activeFile } from './confirm.ts';
import {
  type Change,
  type Commit,
  emptyTrees,
  type GitApi,
  type GitVersion,
  maxCommits,
  noGit,
  openGit,
  type Repository,
  short,
  sidesOf,
} from './gitVersions.ts';
import { hasExtension, shownExtensions } from './pictures.ts';
import { refuse } from './refusal.ts';

/** An image that changed, with both of its versions; one of them is missing of an added or deleted image. */
export interface ChangedImage {
  before: GitVersion;
  after: GitVersion;
  what: 'changed' | 'renamed' | 'added' | 'deleted' | 'conflict';
  /** The file in conflict whose sides these are. */
  conflict?: vscode.Uri;
}

/** Images that changed, and where. */
export interface ChangedImages {
  /** Where they changed, such as a commit. */
  name: string;
  /** Of the repository. */
  root: vscode.Uri;
  images: ChangedImage[];
}

/** Numbers that the API of Git gives to kinds of changes. */
const addedKinds = new Set([1, 7, 9]);
const deletedKinds = new Set([2, 6]);

/** The tree of a version that isn't there, so that Git isn't asked for it. */
const [noFiles = ''] = emptyTrees;

/** Branches and tags that are offered. */
const maxRefs = 1000;

/**
 * Asks whose changes are meant, and returns the images among them.
 *
 * @param source row of the repository in Source Control, if one was passed
 * @throws LimnerError `invalid_request` without a repository
 * @throws vscode.CancellationError when the user picks nothing
 */
export async function askChanges(source: unknown): Promise<ChangedImages> {
  const git = await openGit();
  if (!git) {
    throw noGit();
  }
  const repository = await repositoryOf(git, source);
  if (!repository) {
    throw refuse(
      'invalid_request',
      l10n.t('VS Code has no Git repository open. Open a folder that is in one, and try again.'),
    );
  }
  await repository.status();
  const changes = new Changes(git, repository);
  const title = l10n.t('Compare All Changed Images');
  const { ask } = await picked(title, l10n.t('Select the changes whose images to compare'), [
    {
      label: l10n.t('Working Tree'),
      description: l10n.t('What changed since the last commit'),
      ask: async () => Promise.resolve(changes.workingTree()),
    },
    {
      label: l10n.t('Commit…'),
      description: l10n.t('What one commit changed'),
      ask: async () => changes.commit(title),
    },
    {
      label: l10n.t('Branches…'),
      description: l10n.t('What a branch or tag changed since it left another'),
      ask: async () => changes.branches(title),
    },
  ]);
  return ask();
}

async function repositoryOf(git: GitApi, source: unknown): Promise<Repository | undefined> {
  const { repositories } = git;
  const isSource = typeof source === 'object' && source !== null && 'rootUri' in source;
  const root = isSource && source.rootUri instanceof vscode.Uri ? source.rootUri : activeFile();
  const known = root && git.getRepository(root);
  if (known ?? repositories.length < 2) {
    return known ?? repositories[0];
  }
  const items = repositories.map((repository) => ({
    label: nameOf(repository.rootUri),
    description: pathOf(repository.rootUri),
    repository,
  }));
  return (await picked(l10n.t('Compare All Changed Images'), l10n.t('Select the repository'), items))
    .repository;
}

/** What changed in a repository. */
class Changes {
  readonly #git: GitApi;
  readonly #repository: Repository;

  constructor(git: GitApi, repository: Repository) {
    this.#git = git;
    this.#repository = repository;
  }

  workingTree(): ChangedImages {
    const {
      HEAD,
      indexChanges,
      workingTreeChanges,
      untrackedChanges = [],
      mergeChanges,
    } = this.#repository.state;
    const head = HEAD?.commit;
    const found = new Map<string, Change[]>();
    for (const change of [...indexChanges, ...workingTreeChanges, ...untrackedChanges]) {
      const key = fileOf(change).toString();
      found.set(key, [...(found.get(key) ?? []), change]);
    }
    const conflicts = mergeChanges.filter(isImage).flatMap((change): ChangedImage[] => {
      const { base, ours, theirs } = sidesOf(this.#git, change);
      const [before, after] = [ours ?? base ?? theirs, theirs ?? base ?? ours];
      return before && after ? [{ before, after, what: 'conflict', conflict: change.uri }] : [];
    });
    const changed = [...found.values()].flatMap((changes) =>
      this.#changed(
        changes,
        head === undefined
          ? { ref: noFiles, name: l10n.t('Nothing') }
          : { ref: head, name: l10n.t('HEAD {0}', short(head)) },
        { name: l10n.t('Working Tree') },
      ),
    );
    return {
      name: l10n.t('Working Tree'),
      root: this.#repository.rootUri,
      images: [...conflicts, ...changed],
    };
  }

  async commit(title: string): Promise<ChangedImages> {
    const commits = await this.#repository.log({ maxEntries: maxCommits });
    const { commit } = await picked(
      title,
      l10n.t('Select the commit'),
      commits.map((commit) => ({
        label: plainText(commit.message.split('\n', 1)[0] ?? ''),
        description: [short(commit.hash), commit.authorName ?? ''].join(' · '),
        commit,
      })),
    );
    const [parent] = commit.parents;
    const images =
      parent === undefined ? await this.#ofFirst(commit) : await this.#between(parent, commit.hash);
    return { name: short(commit.hash), root: this.#repository.rootUri, images };
  }

  async branches(title: string): Promise<ChangedImages> {
    const refs = await this.#repository.getRefs({ count: maxRefs, sort: 'committerdate' });
    const current = this.#repository.state.HEAD?.name;
    const items = refs
      .flatMap(({ name, commit }) =>
        name !== undefined && commit !== undefined
          ? [{ label: name, description: short(commit), commit }]
          : [],
      )
      .toSorted((one, other) => Number(other.label === current) - Number(one.label === current));
    const branch = await picked(title, l10n.t('Select the branch or tag whose changes to compare'), items);
    const others = items.filter((item) => item !== branch);
    const base = await picked(title, l10n.t('Select the branch or tag that it left'), others);
    const start = await this.#repository.getMergeBase(base.commit, branch.commit);
    if (start === undefined) {
      throw refuse(
        'invalid_request',
        l10n.t('{0} and {1} have no commit in common.', plainText(base.label), plainText(branch.label)),
      );
    }
    const images = await this.#between(start, branch.commit);
    return {
      name: l10n.t('{0} ↔ {1}', plainText(base.label), plainText(branch.label)),
      root: this.#repository.rootUri,
      images,
    };
  }

  async #between(before: string, after: string): Promise<ChangedImage[]> {
    const changes = await this.#repository.diffBetween(before, after);
    return changes.flatMap((change) =>
      this.#changed([change], { ref: before, name: short(before) }, { ref: after, name: short(after) }),
    );
  }

  /** Returns the images of a commit that has nothing before it, which VS Code compares with no other. */
  async #ofFirst({ hash }: Commit): Promise<ChangedImage[]> {
    const { rootUri } = this.#repository;
    const words = ['ls-tree', '-r', '-z', '--name-only', hash];
    const { stdout } = await promisify(execFile)(this.#git.git.path, words, {
      cwd: rootUri.fsPath,
      maxBuffer: 1 << 26,
    });
    return stdout
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => vscode.Uri.joinPath(rootUri, path))
      .flatMap((uri) =>
        this.#changed(
          [{ uri, originalUri: uri, status: 1 }],
          { ref: noFiles, name: l10n.t('Nothing') },
          { ref: hash, name: short(hash) },
        ),
      );
  }

  /**
   * Returns the image that one or several successive changes of a file concern, if it is one.
   *
   * @param to without a `ref`, the file itself
   */
  #changed(
    changes: readonly Change[],
    from: { ref: string; name: string },
    to: { ref?: string; name: string },
  ): ChangedImage[] {
    const [first, last] = [changes[0], changes.at(-1)];
    if (!first || !last || !isImage(last)) {
      return [];
    }
    const [original, file] = [first.originalUri, fileOf(last)];
    const [wasThere, isThere] = [!addedKinds.has(first.status), !deletedKinds.has(last.status)];
    if (!wasThere && !isThere) {
      return [];
    }
    const shown = to.ref === undefined ? file : this.#git.toGitUri(file, to.ref);
    const isRenamed = original.toString() !== file.toString();
    return [
      {
        before: { uri: this.#git.toGitUri(original, wasThere ? from.ref : noFiles), name: from.name },
        after: { uri: isThere ? shown : this.#git.toGitUri(file, noFiles), name: to.name },
        what: wasThere ? (isThere ? (isRenamed ? 'renamed' : 'changed') : 'deleted') : 'added',
      },
    ];
  }
}

function isImage(change: Change): boolean {
  return hasExtension(fileOf(change), shownExtensions);
}

/** The file of a change under its new name. */
function fileOf({ uri, renameUri }: Change): vscode.Uri {
  return renameUri ?? uri;
}

/** @throws vscode.CancellationError when the user picks nothing */
async function picked<Item extends vscode.QuickPickItem>(
  title: string,
  placeHolder: string,
  items: readonly Item[],
): Promise<Item> {
  const item = await vscode.window.showQuickPick(items, { title, placeHolder, matchOnDescription: true });
  if (!item) {
    throw new vscode.CancellationError();
  }
  return item;
}
