import * as v from 'valibot';
import { billings } from '../../common/limnerError.ts';
import { taskStatuses } from '../../common/taskStatus.ts';
import type { CostFacts, CostGroup } from '../task/spending.ts';
import type { Database } from './database.ts';

/** The latest possible date, less the largest time zone offset, in Unix milliseconds. */
const lastTime = 8.64e15 - 2 * 86_400_000;

/** A quarter of an hour in milliseconds: the unit in which the cost of removed tasks is kept. */
const quarter = 900_000;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

const factColumns = v.tuple([
  v.picklist(taskStatuses),
  v.nullable(v.number()),
  count,
  v.nullable(count),
  v.number(),
  v.nullable(v.picklist(billings)),
  v.number(),
  v.nullable(v.number()),
  v.nullable(v.number()),
  v.nullable(v.string()),
  v.string(),
  v.nullable(v.string()),
  v.nullable(v.string()),
]);

const group = v.object({
  cost_facts: v.pipe(v.string(), v.parseJson(), factColumns),
  tasks: v.number(),
});

/** The cost of all tasks, including removed ones, summed up by SQLite without reading the rows. */
export class SpentTasks {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Returns the tasks ordered from `since` (inclusive) to `until` (exclusive), in Unix milliseconds. */
  between(since: number, until = lastTime): CostGroup[] {
    const span = 'ordered_at >= ? AND ordered_at < ?';
    const rows = this.#database.all(
      `SELECT cost_facts, sum(tasks) AS tasks FROM (
         SELECT cost_facts, count(*) AS tasks FROM tasks WHERE ${span} GROUP BY cost_facts
         UNION ALL
         SELECT cost_facts, tasks FROM spent WHERE ${span}
       ) GROUP BY cost_facts`,
      since,
      until,
      since,
      until,
    );
    return rows.flatMap((row) => {
      const parsed = v.safeParse(group, row);
      return parsed.success ? { facts: factsOf(parsed.output.cost_facts), tasks: parsed.output.tasks } : [];
    });
  }

  /** Returns when the first task was ordered at or after a time, in Unix milliseconds. */
  next(since: number): number | undefined {
    const times = ['tasks', 'spent'].flatMap((table) => {
      const sql = `SELECT min(ordered_at) AS time FROM ${table} WHERE ordered_at >= ? AND ordered_at < ?`;
      const time = this.#database.get(sql, since, lastTime)?.['time'];
      return typeof time === 'number' ? time : [];
    });
    return times.length > 0 ? Math.min(...times) : undefined;
  }

  /** Keeps the cost of tasks that are about to be removed; called in the transaction that removes them. */
  keep(condition: string, values: readonly string[]): void {
    this.#database.run(
      `INSERT INTO spent (ordered_at, cost_facts, tasks)
       SELECT ordered_at - ordered_at % ${quarter}, cost_facts, count(*) FROM tasks
       WHERE ordered_at IS NOT NULL AND cost_facts IS NOT NULL AND (${condition}) GROUP BY 1, 2
       ON CONFLICT DO UPDATE SET tasks = tasks + excluded.tasks`,
      ...values,
    );
  }
}

function factsOf([
  status,
  held,
  n,
  returned,
  isComplete,
  billing,
  isSecondDue,
  free,
  amount,
  currency,
  model,
  service,
  startedBy,
]: v.InferOutput<typeof factColumns>): CostFacts {
  return {
    status,
    isHeld: held === 1,
    n,
    returned: returned ?? 0,
    isComplete: isComplete === 1,
    billing: billing ?? undefined,
    isSecondDue: isSecondDue === 1,
    isFree: free === 1,
    price: amount === null ? undefined : { amount, currency: currency ?? '' },
    model,
    service: service ?? '',
    isByAgent: startedBy === 'agent',
  };
}
