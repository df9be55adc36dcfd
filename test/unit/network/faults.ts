import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { fuzzRuns } from '../../support/fuzzRuns.ts';
import type { Transports } from '../../../src/engine/task/ports.ts';
import {
  answers,
  bodies,
  connections,
  encodings,
  heads,
  outcomeAt,
  refusal,
  type Row,
  statuses,
} from './faultTable.ts';
import { type Endpoint, endpoints, type Fault } from './faultyService.ts';
import { type Impatience, type Outcome, Outcomes } from './outcomes.ts';

/** Nothing hangs: a row that takes so long, in milliseconds, never ends. */
const patience = { timeout: 180_000 };
/** Rows mostly wait: for limits to run out, and for the disk. */
const together = { concurrency: 4 };

/** Endpoints that answer alike: of these, one meets each fault, in turn, but where they differ; all do in the long tests. */
const alike: readonly (readonly Endpoint[])[] = [
  ['generate', 'edit'],
  ['sync', 'native', 'nativeStream'],
  ['query'],
  ['download'],
];

/** One cell of the table. */
interface Cell {
  name: string;
  endpoint: Endpoint;
  fault: Fault;
  impatience: Impatience | undefined;
  pace: number;
  expected: Outcome;
}

/**
 * The table of faults, through an engine with these transports, on real sockets.
 *
 * @param refusals the wordings in which statuses are told; what reads them is the same behind every transport
 * @param first the turn with which the endpoints begin
 * @param isDrawn whether a row is tried
 */
export function describeFaults(
  transports: Transports,
  refusals: readonly string[],
  first: number,
  isDrawn: () => boolean = () => true,
): void {
  let turn = first;
  const unheard: unknown[] = [];
  const onUnheard = (reason: unknown): void => void unheard.push(reason);
  let outcomes: Outcomes;

  before(async () => {
    process.on('unhandledRejection', onUnheard);
    outcomes = await Outcomes.begin(transports);
  });
  after(async () => {
    await outcomes.end();
    process.off('unhandledRejection', onUnheard);
  });

  function endpointsFor({ differs = {} }: Omit<Row, 'name' | 'fault'>): readonly Endpoint[] {
    const inTurn = new Set(alike.map((group) => group[turn % group.length]));
    turn += 1;
    return fuzzRuns(
      endpoints.filter((endpoint) => inTurn.has(endpoint) || endpoint in differs),
      endpoints,
    );
  }

  async function check(cells: readonly Cell[]): Promise<void> {
    const found = await outcomes.of(
      cells.map(({ endpoint, fault, impatience }) => [endpoint, fault, impatience]),
      Math.min(...cells.map(({ pace }) => pace)),
    );
    const named = (values: readonly Outcome[]): Record<string, Outcome> =>
      Object.fromEntries(cells.map(({ name, endpoint }, index) => [name + endpoint, values[index] ?? '']));
    assert.deepEqual(named(found), named(cells.map(({ expected }) => expected)));
    assert.deepEqual(unheard, []);
  }

  const groups = { connections, heads, bodies, encodings, answers };
  for (const [group, rows] of Object.entries(groups)) {
    describe(group, together, () => {
      for (const row of rows.filter(isDrawn)) {
        it(row.name, patience, async () => check(cellsOf(row, row.fault, endpointsFor(row))));
      }
    });
  }

  describe(`statuses in the wordings ${refusals.join(', ')}`, together, () => {
    for (const row of statuses.filter(isDrawn)) {
      it(String(row.status), patience, async () => {
        const tried = endpointsFor(row);
        const cells = refusals.flatMap((wording) => {
          const isPage = wording === 'HTML';
          const isPlain = isPage || wording === 'empty';
          const said = { ...row, ...(isPlain && row.plain), ...(isPage && row.page) };
          return cellsOf(said, refusal(row.status, wording), tried, `${wording}, `);
        });
        await check(cells);
      });
    }
  });
}

function cellsOf(
  row: Omit<Row, 'name' | 'fault'>,
  fault: Fault,
  tried: readonly Endpoint[],
  name = '',
): Cell[] {
  return tried.flatMap((endpoint) => {
    const expected = outcomeAt(row, endpoint);
    const { impatience, pace = 400 } = row;
    return expected === undefined ? [] : [{ name, endpoint, fault, impatience, pace, expected }];
  });
}
