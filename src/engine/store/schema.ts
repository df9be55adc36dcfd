import type { Database } from './database.ts';

/** One script for each version, in order; `user_version` counts those that have run. Released scripts never change. */
const migrations: readonly string[] = [
  `
  CREATE TABLE tasks (
    id TEXT PRIMARY KEY,       -- sorts by time of creation
    status TEXT NOT NULL,
    live INTEGER NOT NULL,     -- 1 while a window has to work on it
    unsaved INTEGER NOT NULL,  -- 1 while pictures are here that are no file yet
    prompt TEXT NOT NULL,
    request TEXT NOT NULL,     -- JSON, written once
    state TEXT NOT NULL,       -- JSON, everything else
    revision INTEGER NOT NULL,
    owner TEXT,                -- the window that works on it
    fence INTEGER NOT NULL     -- grows with every change of owner
  ) STRICT;
  CREATE INDEX tasks_by_revision ON tasks (revision);
  CREATE INDEX tasks_by_status ON tasks (status);
  CREATE INDEX tasks_live ON tasks (owner) WHERE live = 1;
  CREATE INDEX tasks_unsaved ON tasks (id) WHERE unsaved = 1;
  CREATE INDEX tasks_finished ON tasks (id) WHERE live = 0 AND unsaved = 0 AND status <> 'waiting';

  CREATE TABLE removed (
    id TEXT PRIMARY KEY,
    revision INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX removed_by_revision ON removed (revision);

  CREATE TABLE owners (
    owner TEXT PRIMARY KEY,
    host TEXT NOT NULL,
    pid INTEGER NOT NULL,
    beat INTEGER NOT NULL      -- grows while the owner lives
  ) STRICT;

  CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value ANY NOT NULL
  ) STRICT;
  INSERT INTO meta VALUES ('revision', 0);
  INSERT INTO meta VALUES ('salt', randomblob(32));
  `,
  // SQLite itself extracts the searched fields from the JSON, for old rows, too.
  `
  ALTER TABLE tasks ADD COLUMN kind TEXT
    AS (CASE WHEN json_valid(request) THEN CAST(request ->> '$.kind' AS TEXT) END);
  ALTER TABLE tasks ADD COLUMN model TEXT
    AS (CASE WHEN json_valid(request) THEN CAST(request ->> '$.model' AS TEXT) END);
  ALTER TABLE tasks ADD COLUMN starred INTEGER AS (instr(state, '"starred":true') > 0);
  CREATE INDEX tasks_by_kind ON tasks (kind, id);
  CREATE INDEX tasks_by_model ON tasks (model, id);
  DROP INDEX tasks_by_status;
  CREATE INDEX tasks_by_status ON tasks (status, id);
  CREATE INDEX tasks_starred ON tasks (id) WHERE starred = 1;
  DROP INDEX tasks_finished;
  CREATE INDEX tasks_finished ON tasks (id) WHERE live = 0 AND unsaved = 0 AND starred = 0 AND status <> 'waiting';
  `,
  // The folder that images are saved in, with a slash at the end.
  `
  ALTER TABLE tasks ADD COLUMN folder TEXT
    AS (CASE WHEN json_valid(request) THEN CAST(request ->> '$.target.folder' AS TEXT) || '/' END);
  CREATE INDEX tasks_by_folder ON tasks (folder, id);
  `,
  // A search looks at every prompt. Without the rest of the rows, it reads a tenth of the data.
  `
  CREATE INDEX tasks_by_prompt ON tasks (id, prompt);
  `,
  // A task's cost follows from these facts, in the order of `factColumns`; the time is in Unix milliseconds. Triggers
  // write them, whichever version writes the row: unlike generated columns, they can be indexed and read without the
  // rows. For removed tasks, counts are kept by quarters of an hour, at which all days begin.
  `
  ALTER TABLE tasks ADD COLUMN ordered_at INTEGER;
  ALTER TABLE tasks ADD COLUMN cost_facts TEXT;
  CREATE TRIGGER tasks_changed AFTER UPDATE OF status, request, state ON tasks BEGIN
    UPDATE tasks SET
      ordered_at = CASE WHEN json_valid(state)
        THEN CAST(coalesce(state ->> '$.orderedAt', state ->> '$.createdAt') AS INTEGER) END,
      cost_facts = CASE WHEN json_valid(state) AND json_valid(request) THEN json_array(
        status,
        state ->> '$.held',
        request ->> '$.n',
        json_array_length(state, '$.results'),
        state ->> '$.completedAt' IS NOT NULL,
        state ->> '$.error.billing',
        request ->> '$.onBlack' IS NOT NULL AND instr(state, '"begun":true') = 0,
        request ->> '$.free',
        request ->> '$.price.amount',
        request ->> '$.price.currency',
        request ->> '$.model',
        state ->> '$.origin',
        request ->> '$.startedBy'
      ) END
    WHERE id = NEW.id;
  END;
  CREATE TRIGGER tasks_added AFTER INSERT ON tasks BEGIN
    UPDATE tasks SET state = state WHERE id = NEW.id;
  END;
  UPDATE tasks SET state = state;
  CREATE INDEX tasks_by_cost ON tasks (ordered_at, cost_facts);

  CREATE TABLE spent (
    ordered_at INTEGER NOT NULL,
    cost_facts TEXT NOT NULL,
    tasks INTEGER NOT NULL,
    UNIQUE (ordered_at, cost_facts)
  ) STRICT;
  `,
  // The values of `keyOf`: an agent's call, and the place or the file of the image. A file name that is still a
  // template identifies no file.
  `
  ALTER TABLE tasks ADD COLUMN call TEXT
    AS (CASE WHEN json_valid(request) THEN CAST(request ->> '$.agent.call' AS TEXT) END);
  ALTER TABLE tasks ADD COLUMN claim TEXT
    AS (CASE WHEN json_valid(request) THEN CAST(coalesce(
      request ->> '$.reference.address' || char(10) || coalesce(request ->> '$.reference.words', ''),
      CASE WHEN instr(coalesce(request ->> '$.onBlack.fileName', request ->> '$.target.fileName'), '{') = 0
        THEN coalesce(request ->> '$.onBlack.fileName', request ->> '$.target.fileName') END
    ) AS TEXT) END);
  CREATE INDEX tasks_by_call ON tasks (call, id) WHERE call IS NOT NULL;
  CREATE INDEX tasks_by_claim ON tasks (claim, id) WHERE claim IS NOT NULL;
  `,
  // The files of a task: its images, with their hashes, and its inputs. In a table of their own, they are found by path,
  // folder, or contents without the rows. Triggers write them, as they do the facts above.
  `
  CREATE TABLE files (
    task TEXT NOT NULL,
    uri TEXT NOT NULL COLLATE NOCASE,
    sha256 TEXT                -- of an image
  ) STRICT;
  CREATE INDEX files_by_task ON files (task);
  CREATE INDEX files_by_uri ON files (uri, task);
  CREATE INDEX files_by_hash ON files (sha256, task) WHERE sha256 IS NOT NULL;
  INSERT INTO files ${filesOf('tasks', 'tasks, ')};
  CREATE TRIGGER files_changed AFTER UPDATE OF request, state ON tasks BEGIN
    DELETE FROM files WHERE task = NEW.id;
    INSERT INTO files ${filesOf('NEW', '')};
  END;
  CREATE TRIGGER files_removed AFTER DELETE ON tasks BEGIN
    DELETE FROM files WHERE task = OLD.id;
  END;
  `,
];

export const schemaVersion = migrations.length;

export function versionOf(database: Database): number {
  return database.number('PRAGMA user_version');
}

/**
 * Updates a database to `schemaVersion`, unless it is newer. Other windows may try at the same time.
 *
 * @throws the error of SQLite when the file can't be written
 */
export async function migrate(database: Database): Promise<void> {
  if (versionOf(database) >= schemaVersion) {
    return;
  }
  await database.transaction('full', 10_000, () => {
    // A newer version may have migrated it meanwhile.
    if (versionOf(database) >= schemaVersion) {
      return;
    }
    for (const script of migrations.slice(versionOf(database))) {
      database.exec(script);
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

/**
 * Returns the query of the files that rows name.
 *
 * @param row names a row in the query
 * @param from begins the list of tables with the rows, if they come from one
 */
function filesOf(row: string, from: string): string {
  const json = (column: string): string => `CASE WHEN json_valid(${row}.${column}) THEN ${row}.${column} END`;
  const others = `json_object('mask', json_extract(${json('request')}, '$.mask'),
    'original', json_extract(${json('request')}, '$.original'))`;
  const each = (objects: string, hash: string): string => `
    SELECT ${row}.id, replace(replace(value ->> '$.uri', '%3A/', ':/'), '%3a/', ':/'), ${hash}
      FROM ${from}json_each(${objects}) WHERE type = 'object' AND value ->> '$.uri' IS NOT NULL`;
  return [
    each(`${json('state')}, '$.results'`, "CAST(value ->> '$.sha256' AS TEXT)"),
    each(`${json('request')}, '$.images'`, 'NULL'),
    each(others, 'NULL'),
  ].join(' UNION ALL ');
}
