import type { Reply } from '../http/reply.ts';
import { type Fault, FAULT_KINDS, parseFaults } from './faultCatalog.ts';
import type { Passage, Work } from './defineFault.ts';
import { ActiveFaults } from './activeFaults.ts';
import * as v from 'valibot';
import { invalidRequest } from '../http/apiError.ts';
import { hashText, seededRandom } from '../http/random.ts';
import { SUBMISSIONS, TARGETS, type Target } from '../http/requestLog.ts';

/** Applies the faults that are switched on and those that the weather brings. */
export class FaultInjector {
  readonly switchedOn = new ActiveFaults();
  readonly weather = new Weather();

  constructor(faults: readonly Fault[], weather: WeatherOptions | undefined) {
    this.switchedOn.add(faults);
    this.weather.set(weather);
  }

  /** Applies the fault that is due for a request, or lets the endpoint work. */
  async apply(passage: Passage, work: Work): Promise<Reply> {
    passage.log.target = passage.target;
    // The weather counts the request even if another fault takes precedence.
    const drawn = this.weather.take(passage);
    const fault = this.switchedOn.take(passage) ?? drawn;
    if (fault === undefined) {
      return work();
    }
    passage.log.met = fault;
    return FAULT_KINDS[fault.kind].apply(fault, work, passage);
  }
}

const NAMES = Object.values(FAULT_KINDS).flatMap(({ name, drawnOn }) => (drawnOn.length > 0 ? name : []));

const WeatherOptions = v.strictObject({
  /** Makes the draws reproducible. */
  seed: v.pipe(v.number(), v.safeInteger()),
  share: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1)), 0.2),
  on: v.optional(v.array(v.picklist(TARGETS)), [...TARGETS]),
  /** The kinds of faults that it brings; by default all possible ones. */
  kinds: v.optional(v.array(v.picklist(NAMES))),
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
 * which order kinds are tried. The first applicable one is taken.
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
