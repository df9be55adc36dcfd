import { parseArgs } from 'node:util';
import { parseFaults, FAULT_KINDS } from '../faults/faultCatalog.ts';
import { HABITS } from '../faults/habitCatalog.ts';
import { parseWeather } from '../faults/weather.ts';
import type { DemoServiceOptions } from './options.ts';

export interface ServiceCommand {
  options: DemoServiceOptions;
  /** Takes a free port if the given one is in use. */
  fallBackToFreePort: boolean;
  /** The time without a request after which the service ends, in milliseconds; by default never. */
  idleExit?: number;
  help: boolean;
}

const KIND_NAMES = wrapped(Object.keys(FAULT_KINDS), 27);
const HABIT_NAMES = wrapped(Object.keys(HABITS), 2);

export const SERVICE_HELP = `Runs the Limner demo service on this machine until interrupted, and prints one line of JSON:
{"baseUrl","resultHost","apiKeys":[...],"models":[{"id","family"}...]}. All options are optional.

  --port <n>               port of the service (0, the default, uses a free port)
  --result-port <n>        port of the host that serves the results (same)
  --or-free-port           use a free port if a given port is in use
  --task-duration <ms>     time a task is in progress (2500)
  --sync-duration <ms>     minimum time for a synchronous or native call (1500)
  --capacity <n>           unfinished tasks in the queue before it responds with 503 (128)
  --workers <n>            tasks in progress at once; others are queued (8)
  --clock running|frozen   frozen time advances only through POST /demo/clock (running)
  --fault <json>           a fault to start with, as in POST /demo/faults; may be repeated
  --weather <json>         random faults, as in POST /demo/weather
  --idle-exit <ms>         exit after this time without a request
  --help                   show this help

Words in a prompt that trigger special behavior:
  demo:fail                the task fails, or a synchronous call responds with 500
  demo:fewer               one image fewer than requested is returned
  demo:loose               an edit goes beyond its mask, as with many services
  demo:reject              the request is rejected as a content policy violation

In addition to the service's own paths, without an API key:
  /demo/requests           GET the requests so far, DELETE clears them
  /demo/ledger             GET what was reserved, billed and refunded, with the size, and the SHA-256 of prompt and images
  /demo/clock              GET the time, POST {"advance": <ms>} moves it
  /demo/faults             GET, DELETE, POST {"kind": ..., "on": "any" | "generations" | "edits" | "query" |
                           "native" | "image", "path": ..., "times": 1, "skip": 0, "eachPath": false, ...}
                           with one of the kinds
                           ${KIND_NAMES}
  /demo/weather            GET it and which requests met what, DELETE, POST {"seed": <n>, "share": 0.2,
                           "on": [<target>...], "kinds": [...], "without": [...]}

Habits of other services, which the weather never brings, are faults that last: {"kind": "habit", "name": ...} with one of
  ${HABIT_NAMES}
`;

/** Wraps names to the width of a terminal, below a column. */
function wrapped(names: readonly string[], column: number): string {
  const line = new RegExp(`(.{${87 - column},${104 - column}}) `, 'gu');
  return names.join(' ').replaceAll(line, `$1\n${' '.repeat(column)}`);
}

/** @throws Error with a message for the user, for an unknown flag or an invalid value */
export function parseServiceCommand(args: readonly string[]): ServiceCommand {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string' },
      'result-port': { type: 'string' },
      'or-free-port': { type: 'boolean', default: false },
      'task-duration': { type: 'string' },
      'sync-duration': { type: 'string' },
      capacity: { type: 'string' },
      workers: { type: 'string' },
      clock: { type: 'string' },
      fault: { type: 'string', multiple: true },
      weather: { type: 'string' },
      'idle-exit': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  const number = (
    name: Exclude<keyof typeof values, 'or-free-port' | 'help' | 'fault' | 'weather'>,
    lowest: number,
    highest: number,
  ) => {
    const given = values[name];
    if (given === undefined) {
      return undefined;
    }
    if (!/^\d+$/u.test(given) || Number(given) < lowest || Number(given) > highest) {
      throw new Error(`--${name} must be a whole number from ${lowest} to ${highest}, not ${given}`);
    }
    return Number(given);
  };
  const day = 86_400_000;
  const idleExit = number('idle-exit', 1, 30 * day);
  const options: DemoServiceOptions = dropUndefined({
    port: number('port', 0, 65_535),
    resultPort: number('result-port', 0, 65_535),
    taskDuration: number('task-duration', 0, day),
    syncDuration: number('sync-duration', 0, day),
    capacity: number('capacity', 0, 1_000_000),
    workers: number('workers', 1, 1000),
    clock: parseClock(values.clock),
    faults: values.fault?.flatMap((json) => parseFaults(JSON.parse(json))),
    weather: values.weather === undefined ? undefined : parseWeather(JSON.parse(values.weather)),
  });
  return {
    options,
    fallBackToFreePort: values['or-free-port'],
    help: values.help,
    ...(idleExit !== undefined && { idleExit }),
  };
}

function parseClock(given: string | undefined): 'running' | 'frozen' | undefined {
  if (given === undefined || given === 'running' || given === 'frozen') {
    return given;
  }
  throw new Error(`--clock must be running or frozen, not ${given}`);
}

function dropUndefined<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const kept: { [Key in keyof T]?: Exclude<T[Key], undefined> } = { ...values };
  for (const key in kept) {
    if (kept[key] === undefined) {
      delete kept[key];
    }
  }
  return kept;
}
