import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Task } from '../../../src/engine/task/task.ts';
import { fromRow, taskColumns } from '../../../src/engine/store/taskRow.ts';
import { memoryFolder } from '../../support/memoryFolder.ts';

/** The tasks as a dead process left them, oldest first. A copy is read: repairing the file is up to the next process. */
export function readRows(home: string): Task[] {
  const file = join(home, 'limner.db');
  if (!existsSync(file)) {
    return [];
  }
  const folder = mkdtempSync(join(memoryFolder, 'limner-rows-'));
  try {
    const copy = join(folder, 'limner.db');
    for (const suffix of ['', '-wal'].filter((suffix) => existsSync(file + suffix))) {
      cpSync(file + suffix, copy + suffix);
    }
    const database = new DatabaseSync(copy);
    try {
      const exists = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'tasks'").get();
      const rows = exists ? database.prepare(`SELECT ${taskColumns} FROM tasks ORDER BY id`).all() : [];
      return rows.map((row) => {
        const task = fromRow(row);
        if (!task) {
          throw new Error(`A row cannot be read: ${JSON.stringify(row)}`);
        }
        return task;
      });
    } finally {
      database.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}
