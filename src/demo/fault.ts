import * as v from 'valibot';
import { invalidRequest } from './apiError.ts';
import { LONGEST_STEP } from './clock.ts';

/** No body is made longer than this many bytes, and none trickles faster in a second. */
const MOST_BYTES = 500_000_000;

/** The kinds of requests that a fault can be meant for. */
export type Target = 'generations' | 'edits' | 'query' | 'native' | 'image';

const Fault = v.variant('kind', [
  v.strictObject({
    /** Another answer, instead of the endpoint's work. */
    kind: v.literal('status'),
    ...common(),
    status: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
    code: v.optional(v.string(), 'demo_fault'),
    message: v.optional(v.string(), 'The demo service was told to answer so.'),
    headers: v.optional(v.record(v.string(), v.string()), {}),
    /** Sent as it is, instead of the usual error body. */
    body: v.optional(v.string()),
  }),
  v.strictObject({
    /** The connection is reset: before or after the endpoint's work, or in the middle of the body. */
    kind: v.literal('reset'),
    ...common(),
    when: v.optional(v.picklist(['before', 'after', 'body']), 'after'),
  }),
  v.strictObject({
    /** Nothing more comes, and the connection stays: in place of the headers, or in the middle of the body. */
    kind: v.literal('stall'),
    ...common(),
    when: v.optional(v.picklist(['before', 'after', 'body']), 'after'),
  }),
  v.strictObject({
    /** The connection ends as if all were well, after so many bytes of the body. */
    kind: v.literal('truncate'),
    ...common(),
    bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_BYTES)),
  }),
  v.strictObject({
    /** The body trickles. */
    kind: v.literal('slow'),
    ...common(),
    bytesPerSecond: v.pipe(v.number(), v.minValue(1), v.maxValue(MOST_BYTES)),
  }),
  v.strictObject({
    /** The answer comes later by so many milliseconds of the service's clock. */
    kind: v.literal('delay'),
    ...common(),
    milliseconds: v.pipe(v.number(), v.minValue(0), v.maxValue(LONGEST_STEP)),
  }),
  v.strictObject({
    /** The body is another one, with status and headers as they were but for the media type. */
    kind: v.literal('body'),
    ...common(),
    contentType: v.optional(v.string(), 'text/html'),
    body: v.string(),
  }),
  v.strictObject({
    /** The body goes on with zeros until it has so many bytes. */
    kind: v.literal('pad'),
    ...common(),
    bytes: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MOST_BYTES)),
  }),
]);

export type Fault = v.InferOutput<typeof Fault>;

/** One fault or a list of them, as it came from outside. */
const FaultList = v.pipe(
  v.unknown(),
  v.transform((value) => (Array.isArray(value) ? Array.from<unknown>(value) : [value])),
  v.array(Fault),
);

function common() {
  return {
    on: v.optional(v.picklist(['any', 'generations', 'edits', 'query', 'native', 'image']), 'any'),
    /** How many requests it meets; 0 means every one until it is removed. */
    times: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 1),
    /** How many requests pass unharmed before. */
    skip: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(0)), 0),
  };
}

/** @throws ApiError 400 that says what is wrong with them */
export function parseFaults(value: unknown): Fault[] {
  const result = v.safeParse(FaultList, value);
  if (!result.success) {
    const [issue] = result.issues;
    throw invalidRequest(`${v.getDotPath(issue) ?? 'fault'}: ${issue.message}`, 'invalid_fault');
  }
  return result.output;
}
