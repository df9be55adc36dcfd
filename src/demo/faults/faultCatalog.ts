import * as v from 'valibot';
import { invalidRequest } from '../http/apiError.ts';
import { addresses, emptyResult, extraResults, longText, staleNode, stateWords } from './alteredTasks.ts';
import { habit } from './habitCatalog.ts';
import {
  body,
  encoding,
  mediaType,
  pad,
  delay,
  framing,
  interim,
  reset,
  slow,
  stall,
  truncate,
} from './connections.ts';
import {
  blockPage,
  busy,
  gatewayError,
  routeNotFound,
  status,
  unauthorized,
  late,
  redirect,
} from './gateways.ts';

export const FAULT_KINDS = {
  // Gateways and firewalls answer in place of the service.
  status,
  blockPage,
  routeNotFound,
  gatewayError,
  busy,
  unauthorized,
  // Connections break, hang, or mark the end of a body in unusual ways.
  reset,
  stall,
  truncate,
  framing,
  interim,
  slow,
  delay,
  body,
  pad,
  mediaType,
  encoding,
  // Nodes of the service report tasks in unusual ways.
  staleNode,
  emptyResult,
  stateWords,
  extraResults,
  addresses,
  longText,
  // Image hosts do not have an image yet, or have it elsewhere.
  late,
  redirect,
  habit,
};

const Fault = v.variant(
  'kind',
  Object.values(FAULT_KINDS).map(({ schema }) => schema),
);

export type Fault = v.InferOutput<typeof Fault>;

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
