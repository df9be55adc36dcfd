import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ImageCommands } from '../actions/imageCommands.ts';
import { imageOf, type SavedImage } from '../actions/taskArgument.ts';
import type { Task } from '../../engine/task/task.ts';
import { reported } from '../ask/refusal.ts';
import type { Documents } from '../documents/documents.ts';
import type { Painting } from '../generate/painting.ts';
import { RowFiles } from '../taskList/rowFiles.ts';
import { taskItem } from '../taskList/taskItem.ts';
import { savedImages, taskTitle } from '../taskList/taskLabels.ts';
import type { TaskRow } from '../taskList/taskNode.ts';
import type { TaskTree } from '../taskList/taskTree.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, statOf } from '../window/files.ts';
import { commandAction, offer } from '../window/offers.ts';
import * as commands from '../window/commandIds.ts';
import { plainText } from '../window/plainText.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import { insertReference } from './insertImage.ts';

/** The most tasks that are offered at once. Whoever looks for an older one types a word of it. */
const most = 100;
/** How long new thumbnails are gathered before the list is drawn again, in milliseconds. */
const gathering = 50;

interface TaskPick extends vscode.QuickPickItem {
  row: TaskRow;
}

export interface HistoryServices {
  engine: EngineHost;
  names: ServiceNames;
  tree: Pick<TaskTree, 'reveal'>;
  images: Pick<ImageCommands, 'open'>;
  painting: Pick<Painting, 'runWithChanges'>;
  documents: () => Promise<Documents>;
  log: vscode.LogOutputChannel;
}

/** `limner.tasks.search`: finds tasks as the user types, in all workspaces, newest first, and opens the chosen one. */
export async function searchHistory(services: HistoryServices): Promise<void> {
  const { engine, names, tree, images, painting, documents, log } = services;
  const opened = await engine.get();
  const { store } = opened;
  if (store.list({ limit: 1 }).length === 0) {
    void offer(
      vscode.window.showInformationMessage,
      l10n.t('The task list is empty.'),
      commandAction(l10n.t('Generate Image…'), commands.generate),
    );
    return;
  }
  const input = vscode.window.createQuickPick<TaskPick>();
  const buttons: PickButtons = {
    insert: { iconPath: new vscode.ThemeIcon('insert'), tooltip: l10n.t('Insert into Editor') },
    change: { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Run Again with Changes…') },
  };
  let rows: TaskRow[] = [];
  let drawing: NodeJS.Timeout | undefined;
  const activeRow = (): TaskRow | undefined => {
    const active = input.activeItems[0]?.row;
    // An Enter right after a letter means what that letter finds, not what was active before.
    return active && rows.includes(active) ? active : rows[0];
  };
  const draw = (active = activeRow()): void => {
    input.items = rows.map((row) => pickOf(row, files, names, buttons));
    input.activeItems = input.items.filter(({ row }) => row === active);
  };
  const files = new RowFiles(() => {
    clearTimeout(drawing);
    drawing = setTimeout(() => draw(), gathering);
  });
  files.open(opened);
  /** @param id of the task that stays active if it is found; otherwise the newest is */
  const search = (id?: string): void => {
    const tasks = store.list({ words: input.value, limit: most });
    rows = tasks.map((task) => ({ kind: 'task', task }));
    input.prompt =
      tasks.length === most ? l10n.t('The newest {0} are shown. Type to find others.', most) : undefined;
    draw(rows.find(({ task }) => task.id === id) ?? rows[0]);
    rows.forEach((row) => files.lookAt(row));
  };
  const close = (action: () => Promise<unknown>): void => {
    input.hide();
    void reported(log, async () => void (await action()));
  };
  const onImage = async ({ id }: Task, act: (image: SavedImage) => Promise<void>): Promise<void> => {
    const image = await imageOf(engine, id);
    await (image && (await statOf(image.uri)) ? act(image) : tree.reveal(id));
  };
  input.title = l10n.t('Search History');
  input.placeholder = l10n.t('Words of the prompt, model, service, or file name');
  // The order of the list is that of time. VS Code would sort what matches by its name.
  Object.assign(input, { sortByLabel: false, keepScrollPosition: true });
  input.onDidChangeValue(() => search());
  input.onDidAccept(() => {
    const { task } = activeRow() ?? {};
    if (task) {
      close(async () => onImage(task, async (image) => images.open(image)));
    }
  });
  input.onDidTriggerItemButton(({ button, item: { row } }) =>
    close(async () =>
      button === buttons.insert
        ? onImage(row.task, async (image) => insertReference(image, documents))
        : painting.runWithChanges(row.task),
    ),
  );
  const subscription = store.onDidChange(() => search(activeRow()?.task.id));
  input.onDidHide(() => {
    clearTimeout(drawing);
    subscription.dispose();
    files.dispose();
    input.dispose();
  });
  search();
  input.show();
}

interface PickButtons {
  insert: vscode.QuickInputButton;
  change: vscode.QuickInputButton;
}

function pickOf(
  row: TaskRow,
  files: RowFiles,
  names: ServiceNames,
  { insert, change }: PickButtons,
): TaskPick {
  const { task } = row;
  const { description, iconPath } = taskItem(row, files, names);
  const saved = savedImages(task).map(({ uri }) => nameOf(vscode.Uri.parse(uri, true)));
  return {
    label: plainText(taskTitle(task)),
    description: [task.request.model, description].join(' · '),
    ...(saved.length > 0 && { detail: saved.join(', ') }),
    ...(typeof iconPath === 'object' && { iconPath }),
    // The store has searched already, also in what isn't shown.
    alwaysShow: true,
    buttons: saved.length > 0 && canInsert() ? [insert, change] : [change],
    row,
  };
}

/** Whether a document is open that an image can be inserted into. */
function canInsert(): boolean {
  return vscode.window.tabGroups.all.some(({ tabs }) =>
    tabs.some(({ input }) => input instanceof vscode.TabInputText),
  );
}
