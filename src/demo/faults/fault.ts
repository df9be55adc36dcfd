import * as v from 'valibot';
import { invalidRequest } from '../http/apiError.ts';
import { FAULT_KINDS } from './kinds.ts';

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
