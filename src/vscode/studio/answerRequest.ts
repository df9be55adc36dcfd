import * as v from 'valibot';
import {
  requestParameters,
  type StudioMessage,
  type StudioMethod,
  type StudioParameters,
  type StudioReplies,
  type StudioRequest,
} from '../../studio/protocol/messages.ts';

export type StudioHandlers = {
  [M in StudioMethod]: (
    parameters: StudioParameters<M>,
  ) => Promise<M extends keyof StudioReplies ? StudioReplies[M] : void>;
};

export interface StudioFailure {
  message: string;
  errorActions: string[];
}

/**
 * Answers a request of the page with the handler's result or the reason of its failure.
 *
 * @param describe describes an error; undefined if the user declined, which is answered with `null`
 */
export async function answerRequest(
  handlers: StudioHandlers,
  { id, method, parameters }: StudioRequest,
  describe: (error: unknown, id: number) => StudioFailure | undefined,
): Promise<Extract<StudioMessage, { kind: 'reply' | 'failure' }>> {
  try {
    return { kind: 'reply', id, value: (await run(handlers, method, parameters)) ?? null };
  } catch (error) {
    const failure = describe(error, id);
    return failure ? { kind: 'failure', id, ...failure } : { kind: 'reply', id, value: null };
  }
}

async function run(handlers: StudioHandlers, method: string, parameters: unknown): Promise<unknown> {
  if (!isMethod(method)) {
    throw new TypeError(`There is no "${method}".`);
  }
  const parsed = v.safeParse<v.GenericSchema>(requestParameters[method], parameters);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    throw new TypeError(
      `"${method}" was asked with ${v.getDotPath(issue) ?? 'parameters'}: ${issue.message}`,
    );
  }
  const handler: (parameters: never) => Promise<unknown> = handlers[method];
  return Reflect.apply(handler, undefined, [parsed.output]);
}

function isMethod(name: string): name is StudioMethod {
  return Object.hasOwn(requestParameters, name);
}
