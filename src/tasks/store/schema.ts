import type { Database } from './database.ts';

/**
 * One script for each version, in order; `user_version` counts those that have run. Scripts that were released
 * are never changed.
 */
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
  // What the history is searched by is read out of the JSON by SQLite itself: for old rows, too.
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
  // A search looks at every prompt: without the rest of the rows, which is ten times as much.
  `
  CREATE INDEX tasks_by_prompt ON tasks (id, prompt);
  `,
  // What a task costs follows from these facts, in the order of `factColumns`; when it was sent is in Unix milliseconds.
  // Triggers write them, whichever version writes the row: unlike those that SQLite generates, an index of them is read
  // without the rows. Of tasks that were removed, their number is kept, by quarters of an hour: all days begin with one.
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
  // The values of `keyOf`: an agent's call, and the place or the file of the image. Nobody waits for a file whose name is
  // still a template.
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
];

/** The version that this program writes. */
export const schemaVersion = migrations.length;

export function versionOf(database: Database): number {
  return database.number('PRAGMA user_version');
}

/**
 * Brings a database up to `schemaVersion`, unless it is newer; other windows may try the same at once.
 *
 * @throws the error of SQLite when the file cannot be written
 */
export async function migrate(database: Database): Promise<void> {
  if (versionOf(database) >= schemaVersion) {
    return;
  }
  await database.transaction('full', 10_000, () => {
    // A newer version may have waited for less.
    if (versionOf(database) >= schemaVersion) {
      return;
    }
    for (const script of migrations.slice(versionOf(database))) {
      database.exec(script);
    }
    database.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}
