import * as v from 'valibot';
import { invalidRequest } from '../http/apiError.ts';
import { hashText, seededRandom } from '../random.ts';
import { parseFaults, type Fault, FAULT_KINDS } from './faultCatalog.ts';
import { ActiveFaults } from './activeFaults.ts';
import type { Passage } from './defineFault.ts';
import { SUBMISSIONS, TARGETS, type Target } from '../http/requestLog.ts';

/** The kinds of random faults. */
const NAMES = Object.values(FAULT_KINDS).flatMap(({ name, drawnOn }) => (drawnOn.length > 0 ? name : []));

const WeatherOptions = v.strictObject({
  /** Makes the draws reproducible. */
  seed: v.pipe(v.number(), v.safeInteger()),
  /** The share of affected requests, from 0 to 1. */
  share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0.2),
  /** The requests that it affects. */
  on: v.optional(v.array(v.picklist(TARGETS)), [...TARGETS]),
  /** The kinds of faults that it brings; by default all possible ones. */
  kinds: v.optional(v.array(v.picklist(NAMES))),
  /** The kinds that it does not bring. */
  without: v.optional(v.array(v.picklist(NAMES)), []),
});

/** The share of requests that meet a fault, and the seed for drawing them. */
export type WeatherOptions = v.InferOutput<typeof WeatherOptions>;

/** @throws ApiError 400 that says what is wrong with them */
export function parseWeather(value: unknown): WeatherOptions {
  const result = v.safeParse(WeatherOptions, value);
  if (!result.success) {
    const [issue] = result.issues;
    throw invalidRequest(`${v.getDotPath(issue) ?? 'weather'}: ${issue.message}`, 'invalid_weather');
  }
  return result.output;
}

/**
 * Brings random faults. The seed and a request's ordinal among those of its target decide whether one meets it and in
 * which order kinds are tried. The first that makes sense for the request is taken.
 */
export class Weather {
  options: WeatherOptions | undefined;
  #ordinals = new Map<Target, number>();
  /** Faults that continue for further requests of the same path. */
  readonly #lasting = new ActiveFaults();

  set(options: WeatherOptions | undefined): void {
    this.options = options;
    this.#ordinals = new Map();
    this.#lasting.clear();
  }

  /** Returns the fault that meets a request, if any. */
  take(passage: Passage): Fault | undefined {
    const ordinal = (this.#ordinals.get(passage.target) ?? 0) + 1;
    this.#ordinals.set(passage.target, ordinal);
    passage.log.ordinal = ordinal;
    const lasting = this.#lasting.take(passage);
    if (lasting !== undefined || this.options === undefined) {
      return lasting;
    }
    const drawn = draw(this.options, ordinal, passage);
    if (drawn !== undefined) {
      this.#lasting.add([drawn]);
    }
    return this.#lasting.take(passage);
  }
}

function draw(
  { seed, share, on, kinds = NAMES, without }: WeatherOptions,
  ordinal: number,
  passage: Passage,
): Fault | undefined {
  const { target, url } = passage;
  const random = seededRandom(hashText(`${seed} ${target} ${ordinal}`));
  if (!random.chance(share) || !on.includes(target)) {
    return undefined;
  }
  const times = SUBMISSIONS.includes(target) ? 1 : random.integer(1, 3);
  const shuffled = kinds
    .filter((name) => !without.includes(name) && FAULT_KINDS[name].drawnOn.includes(target))
    .map((name) => ({ kind: FAULT_KINDS[name], place: random.next() }))
    .toSorted((one, other) => one.place - other.place);
  for (const { kind } of shuffled) {
    const [fault] = parseFaults({ ...kind.draw(random, target), on: target, path: url.pathname, times });
    if (fault !== undefined && kind.applies(fault, passage)) {
      return fault;
    }
  }
  return undefined;
}
