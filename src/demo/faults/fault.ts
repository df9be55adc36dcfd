import * as v from 'valibot';
import { invalidRequest } from '../http/apiError.ts';
import { addresses, emptyResult, extraResults, longText, staleNode, stateWords } from './answers.ts';
import { body, encoding, mediaType, pad } from './bodies.ts';
import { delay, framing, interim, reset, slow, stall, truncate } from './connections.ts';
import { blockPage, busy, gatewayError, routeNotFound, status, unauthorized } from './gateways.ts';
import { late, redirect } from './imageHosts.ts';

/** Everything that can come between a request and its answer. */
export const FAULT_KINDS = {
  // Gateways and firewalls answer in place of the service.
  status,
  blockPage,
  routeNotFound,
  gatewayError,
  busy,
  unauthorized,
  // Connections break, hang and tell the end of a body in many ways.
  reset,
  stall,
  truncate,
  framing,
  interim,
  slow,
  delay,
  // Bodies are not what they were.
  body,
  pad,
  mediaType,
  encoding,
  // Nodes of the service answer in their own ways about tasks.
  staleNode,
  emptyResult,
  stateWords,
  extraResults,
  addresses,
  longText,
  // Hosts of pictures do not have them yet, or elsewhere.
  late,
  redirect,
};

const Fault = v.variant(
  'kind',
  Object.values(FAULT_KINDS).map(({ schema }) => schema),
);

/** Something that is to come between requests and their answers: a kind of the table, with its parameters. */
export type Fault = v.InferOutput<typeof Fault>;

/** One fault or a list of them, as it came from outside. */
const FaultList = v.pipe(
  v.unknown(),
  v.transform((value) => (Array.isArray(value) ? Array.from<unknown>(value) : [value])),
  v.array(Fault),
);

/** @throws ApiError 400 that says what is wrong with them */
export function parseFaults(value: unknown): Fault[] {
  const result = v.safeParse(FaultList, value);
  if (!result.success) {
    const [issue] = result.issues;
    throw invalidRequest(`${v.getDotPath(issue) ?? 'fault'}: ${issue.message}`, 'invalid_fault');
  }
  return result.output;
}
