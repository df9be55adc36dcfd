/** The database as the first version of Limner made it. */
export const firstSchema = `
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
  PRAGMA user_version = 1;
`;
