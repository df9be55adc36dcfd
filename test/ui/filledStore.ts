import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Task } from '../../src/engine/task/task.ts';
import { systemClock } from '../../src/common/clock.ts';
import { toRow } from '../../src/engine/store/taskRow.ts';
import { TaskStore } from '../../src/engine/store/taskStore.ts';

const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {} };

/** Returns the folder of the task list of the extension. */
export function storageFolder(userDataFolder: string): string {
  return join(userDataFolder, 'User', 'globalStorage', 'limner.limner');
}

/** Creates a task list with these tasks, before a window is open. */
export async function fillStore(userDataFolder: string, tasks: readonly Task[]): Promise<void> {
  const folder = storageFolder(userDataFolder);
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'limner.db');
  const store = await TaskStore.open({ file, clock: systemClock, log: silent, notice() {} });
  await store.close();
  const database = new DatabaseSync(file);
  const insert = database.prepare(
    `INSERT INTO tasks (id, status, live, unsaved, prompt, request, state, revision, owner, fence)
     VALUES (?, ?, ?, ?, ?, ?, ?, 1, NULL, 1)`,
  );
  database.exec('BEGIN');
  for (const task of tasks) {
    insert.run(...toRow(task));
  }
  database.exec('COMMIT');
  database.close();
}
