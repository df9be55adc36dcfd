import Database from 'libsql';
import * as v from 'valibot';

const Findings = v.array(v.object({ integrity_check: v.string() }));

/** The contents of a database as another build of SQLite reads them. */
export interface DatabaseReading {
  /** `ok`, or what is wrong with it. */
  integrity: string;
  rows: unknown[];
}

/**
 * Checks the whole file of a database by libsql, with its log, and reads rows of it.
 * @throws Error for what is no database
 */
export function readByLibsql(path: string, query: string): DatabaseReading {
  const database = new Database(path);
  try {
    const findings = v.parse(Findings, database.prepare('PRAGMA integrity_check').all());
    return {
      integrity: findings.map(({ integrity_check: finding }) => finding).join('\n'),
      rows: database.prepare(query).all(),
    };
  } finally {
    database.close();
  }
}
