import { readdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, sentencesText } from '../common/text.ts';
import { rm } from '../common/heldFiles.ts';
import { imagesToCome } from '../common/taskStatus.ts';
import type { Engine } from '../engine/run/engine.ts';
import type { Task } from '../engine/task/task.ts';
import { originsWithKey } from './apiKey.ts';
import { choice } from './ask/confirm.ts';
import type { SpendingView } from './cost/spendingView.ts';
import type { StudioSession } from './studio/studioSession.ts';
import type { EngineHost } from './window/engineHost.ts';
import { launcherFolder } from './window/launcherSettings.ts';
import { plainText } from './window/plainText.ts';
import type { KeyStore, ServiceNames } from './window/serviceNames.ts';
import type { Settings } from './window/settings.ts';
import * as settingNames from './window/settingNames.ts';

type PartId = 'keys' | 'tasks' | 'spending' | 'keptFiles' | 'drafts' | 'launcher' | 'services';

type Part = vscode.QuickPickItem & { id: PartId };

/** The parts of the task list that a user has chosen to delete. */
interface Chosen {
  /** Tasks that the user has seen. */
  seen: ReadonlySet<string>;
  /** Also those whose images are still to come. */
  withOpen: boolean;
}

export interface DeletingServices {
  context: vscode.ExtensionContext;
  engine: EngineHost;
  keys: KeyStore;
  names: ServiceNames;
  settings: Settings;
  studio: StudioSession;
  spending: SpendingView;
}

/** Prompts that a question names. */
const maxNamed = 5;

/**
 * `limner.deleteAllData`: asks which parts of Limner's own data to delete, and deletes them for good. Files in the user's
 * folders are no part of it.
 *
 * @throws LimnerError `save_failed` while another process keeps the task list from being rewritten
 * @throws vscode.CancellationError when the user dismissed a question; nothing was deleted then
 */
export async function deleteAllData(services: DeletingServices): Promise<void> {
  const { context, settings, studio } = services;
  const engine = await services.engine.get();
  const home = context.globalStorageUri.fsPath;
  const origins = await originsWithKey(context.secrets);
  const tasks = engine.store.list({ limit: Infinity });
  const nameOf = (origin: string): string =>
    services.names.of(origin, tasks.some((task) => task.origin === origin && task.request.free) || undefined);
  const drafts = [join(home, 'thumbnails'), ...(await studioFolders(context))];
  const parts = await chooseParts(services, engine, origins.map(nameOf), drafts);
  if (parts.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('Nothing was selected, so nothing is deleted.'));
    return;
  }
  const has = (id: PartId): boolean => parts.some((part) => part.id === id);
  const chosen = has('tasks') ? await askAboutOpen(engine, tasks) : undefined;
  const answer = await choice(
    l10n.t('Delete this data for good?'),
    // Enter, which may have been that of the list, keeps it.
    [l10n.t('Keep It'), l10n.t('Delete')],
    [
      parts.map(({ label, description = '' }) => `${label}: ${description}`).join('\n'),
      ...(has('spending') ? [l10n.t('The budget and the limits of agents begin again at zero.')] : []),
      ...(has('launcher')
        ? [l10n.t("Agents outside of VS Code can't start Limner until you copy its MCP configuration again.")]
        : []),
      l10n.t("Images in your folders and your settings stay. This can't be undone."),
    ].join('\n\n'),
  );
  if (answer !== l10n.t('Delete')) {
    throw new vscode.CancellationError();
  }
  const title = l10n.t('Deleting data…');
  const keptKeys: string[] = [];
  await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, async () => {
    await (has('spending') && services.spending.forget());
    if (has('drafts')) {
      await studio.forget();
    }
    if (chosen || has('spending')) {
      const isMeant = (task: Task): boolean =>
        chosen?.seen.has(task.id) === true && (chosen.withOpen || imagesToCome(task, Date.now()) === 0);
      await engine.erase({
        ...(chosen && { tasks: isMeant }),
        newerLists: chosen?.withOpen === true,
        spending: has('spending'),
      });
    }
    // Without its key, the images of a task that stays can't come.
    const needed = new Set(
      engine.store
        .list({ limit: Infinity })
        .flatMap((task) => (imagesToCome(task, Date.now()) > 0 ? task.origin : [])),
    );
    for (const origin of has('keys') ? origins : []) {
      await (needed.has(origin) ? keptKeys.push(origin) : services.keys.remove(origin));
    }
    const folders = [
      ...(has('keptFiles') ? [join(home, 'replaced')] : []),
      ...(has('launcher') ? [launcherFolder(context)] : []),
      ...(has('drafts') ? drafts : []),
    ];
    for (const folder of folders) {
      await rm(folder, { recursive: true, force: true });
    }
    if (has('services')) {
      await settings.update(settingNames.baseUrl, undefined);
      await settings.update(settingNames.model, undefined);
      for (const memory of [context.globalState, context.workspaceState]) {
        for (const key of memory.keys()) {
          await memory.update(key, undefined);
        }
      }
    }
  });
  void vscode.window.showInformationMessage(
    keptKeys.length === 0
      ? l10n.t('The data is deleted.')
      : l10n.t(
          'The data is deleted. These services keep their API key, because images of their tasks are still to come: {0}.',
          listText(keptKeys.map(nameOf), vscode.env.language),
        ),
  );
}

/** Asks which parts to delete; offers those that exist. */
async function chooseParts(
  { context, studio }: DeletingServices,
  { store }: Engine,
  withKey: readonly string[],
  drafts: readonly string[],
): Promise<readonly Part[]> {
  const home = context.globalStorageUri.fsPath;
  const names = await readdir(home).catch(() => []);
  const lists = names.filter((name) => /^(?:limner\.db|incoming$|inbox$|inputs$)/u.test(name));
  const kept = await sizeOf(join(home, 'replaced'));
  const drawn = await sizeOf(...drafts);
  const launcher = await sizeOf(launcherFolder(context));
  const items: (Part | undefined)[] = [
    withKey.length > 0
      ? {
          id: 'keys',
          label: l10n.t('API keys'),
          description: listText([...new Set(withKey)], vscode.env.language),
        }
      : undefined,
    {
      id: 'tasks',
      label: l10n.t('Task list'),
      description: `${tasksText(store.count())} · ${sizeText(await sizeOf(...lists.map((name) => join(home, name))))}`,
      detail: sentencesText([
        l10n.t('Prompts, and the copies of input images and results that Limner keeps.'),
        ...(kept > 0
          ? [l10n.t("Without their rows, replaced originals and deleted images can't be restored.")]
          : []),
      ]),
    },
    {
      id: 'spending',
      label: l10n.t('Spending'),
      description: l10n.t('what tasks that are no longer in the list have cost'),
    },
    kept > 0
      ? {
          id: 'keptFiles',
          label: l10n.t('Replaced originals and deleted images'),
          description: sizeText(kept),
          detail: l10n.t("They can't be restored then."),
        }
      : undefined,
    drawn > 0 || studio.panel
      ? {
          id: 'drafts',
          label: l10n.t('Drafts of the studio, and thumbnails'),
          description: sizeText(drawn),
        }
      : undefined,
    launcher > 0
      ? { id: 'launcher', label: l10n.t('Launcher for agents'), description: sizeText(launcher) }
      : undefined,
    {
      id: 'services',
      label: l10n.t('Service in use'),
      description: l10n.t('with everything else that Limner remembers of services'),
    },
  ];
  const chosen = await vscode.window.showQuickPick(
    items.filter((item) => item !== undefined),
    {
      title: l10n.t('Delete All Data'),
      placeHolder: l10n.t('Select what to delete. Images in your folders are never touched.'),
      canPickMany: true,
      ignoreFocusOut: true,
    },
  );
  if (!chosen) {
    throw new vscode.CancellationError();
  }
  return chosen;
}

/** Asks whether to delete tasks whose images may be paid for and aren't saved yet, too. */
async function askAboutOpen({ store }: Engine, tasks: readonly Task[]): Promise<Chosen> {
  const seen = new Set(tasks.map(({ id }) => id));
  const open = tasks.filter((task) => imagesToCome(task, Date.now()) > 0);
  const aside = store.asideStill();
  if (open.length === 0 && !aside) {
    // A task that is sent while the next question is open stays.
    return { seen, withOpen: false };
  }
  const images = open.reduce((all, task) => all + imagesToCome(task, Date.now()), 0);
  const both = l10n.t('Delete Them Too');
  const keep = l10n.t('Keep Their Tasks');
  const answer = await choice(
    images === 0
      ? l10n.t('Delete the task list of a newer version, too?')
      : images === 1
        ? l10n.t('1 image that was or may have been paid for is still to come.')
        : l10n.t('{0} images that were or may have been paid for are still to come.', images),
    [keep, both],
    [
      ...open.slice(0, maxNamed).map(({ request: { prompt } }) => `“${plainText(prompt)}”`),
      ...(open.length > maxNamed ? ['…'] : []),
      ...(aside ? [l10n.t('The task list of a newer version may have more: {0}', aside.path)] : []),
      l10n.t("Without its task, Limner can't save an image."),
    ].join('\n'),
  );
  if (answer === undefined) {
    throw new vscode.CancellationError();
  }
  return { seen, withOpen: answer === both };
}

/** Returns the folders of the studio in the storage of every workspace. */
async function studioFolders({ globalStorageUri, storageUri }: vscode.ExtensionContext): Promise<string[]> {
  const home = globalStorageUri.fsPath;
  const workspaces = storageUri
    ? dirname(dirname(storageUri.fsPath))
    : join(dirname(dirname(home)), 'workspaceStorage');
  const names = await readdir(workspaces).catch(() => []);
  const storages = [home, ...names.map((name) => join(workspaces, name, basename(home)))];
  return storages.flatMap((storage) => [join(storage, 'studio'), join(storage, 'shown')]);
}

/** Adds up the bytes of files and folders; those that don't exist have none. */
async function sizeOf(...paths: readonly string[]): Promise<number> {
  let size = 0;
  for (const path of paths) {
    const found = await stat(path).catch(() => undefined);
    if (found?.isDirectory()) {
      const names = await readdir(path).catch(() => []);
      size += await sizeOf(...names.map((name) => join(path, name)));
    } else {
      size += found?.size ?? 0;
    }
  }
  return size;
}

function tasksText(count: number): string {
  return count === 1 ? l10n.t('1 task') : l10n.t('{0} tasks', count);
}

function sizeText(bytes: number): string {
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kilobyte'] : [bytes / 1e6, 'megabyte'];
  return value.toLocaleString(vscode.env.language, { style: 'unit', unit, maximumFractionDigits: 1 });
}
