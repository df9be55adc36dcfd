import * as v from 'valibot';
import { ApiError } from '../http/apiError.ts';
import { prefersAsync } from '../http/requestBody.ts';
import { errorReply, gather, jsonReply, type Reply } from '../http/reply.ts';
import { MOST_BYTES } from './connections.ts';
import { defineFault } from './defineFault.ts';
import { TARGETS } from '../http/requestLog.ts';

const JsonObject = v.record(v.string(), v.unknown());
const Results = v.array(JsonObject);

/** Replies as a node that does not know the task yet. */
export const staleNode = defineFault('staleNode', {
  on: ['query'],
  parameters: {},
  applies: (_, { task }) => task !== undefined,
  apply: (_, __, { url }) =>
    errorReply(new ApiError(404, 'task_not_found', 'There is no such task.'), url.pathname),
  draw: () => ({}),
});

const EMPTY = ['empty', 'null', 'absent', 'damaged'] as const;
const emptyData: Record<(typeof EMPTY)[number], () => unknown> = {
  empty: () => [],
  null: () => null,
  absent: () => undefined,
  damaged: () => [{ b64_json: 'iVBORw0KGgo*** damaged ***' }],
};

/** Reports a completed task whose images cannot be read from the reply. */
export const emptyResult = defineFault('emptyResult', {
  on: ['query'],
  parameters: { data: v.optional(v.picklist(EMPTY), 'empty') },
  applies: (_, { task }) => task === 'completed',
  apply: async ({ data }, work) => edited(await work(), (task) => ({ ...task, data: emptyData[data]() })),
  draw: (random) => ({ data: random.pick(EMPTY) }),
});

export const stateWords = defineFault('stateWords', {
  on: ['generations', 'edits', 'query'],
  parameters: {
    queued: v.optional(v.string(), 'pending'),
    in_progress: v.optional(v.string(), 'processing'),
    completed: v.optional(v.string(), 'succeeded'),
    failed: v.optional(v.string(), 'FAILED'),
  },
  applies: (_, { target, task, request }) =>
    target === 'query' ? task !== undefined : prefersAsync(request.headers['prefer']),
  apply: async (words, work) =>
    edited(await work(), (task) => {
      const word = Object.entries(words).find(([status]) => status === task['status'])?.[1];
      return word === undefined ? task : { ...task, status: word };
    }),
  draw: (random) => ({
    queued: random.pick(['pending', 'QUEUED', 'created']),
    in_progress: random.pick(['processing', 'running', 'IN_PROGRESS']),
    completed: random.pick(['succeeded', 'COMPLETED', 'success']),
    failed: random.pick(['FAILED', 'cancelled', 'error']),
  }),
});

/** Adds results beyond those requested by repeating the last one, each with a separate address. */
export const extraResults = defineFault('extraResults', {
  on: ['query'],
  parameters: { count: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100_000)), 1) },
  applies: (_, { task }) => task === 'completed',
  apply: async ({ count }, work) =>
    editedResults(await work(), (results) => {
      const last = results.at(-1);
      const copies = Array.from({ length: count }, (_, index) => ({
        ...last,
        url: `${String(last?.['url'])}?copy=${index + 1}`,
      }));
      return [...results, ...copies];
    }),
  draw: (random) => ({ count: random.pick([1, 3, 40]) }),
});

/** The path under which the service's own origin also serves the results, for addresses without a host. */
export const RELATIVE_RESULTS = '/here/';

/** Unusual forms of an address. All but the last four lead to the image. */
export const ADDRESS_FORMS = [
  'relative',
  'protocolRelative',
  'upperCaseScheme',
  'spaces',
  'userinfo',
  'garbage',
  'empty',
  'file',
  'script',
] as const;
const addressForms: Record<(typeof ADDRESS_FORMS)[number], (address: URL) => string> = {
  relative: ({ pathname }) => RELATIVE_RESULTS + pathname.slice(1),
  protocolRelative: ({ host, pathname }) => `//${host}${pathname}`,
  upperCaseScheme: ({ host, pathname }) => `HTTP://${host}${pathname}`,
  spaces: ({ href }) => `  ${href}?name=quiet sea.png `,
  userinfo: ({ href }) => Object.assign(new URL(href), { username: 'someone', password: 'secret' }).href,
  garbage: () => 'http://[::not an address',
  empty: () => '',
  file: () => 'file:///etc/hostname',
  script: () => 'javascript:alert(1)',
};

/** Rewrites the results' addresses in an unusual form. */
export const addresses = defineFault('addresses', {
  on: ['query'],
  parameters: { form: v.picklist(ADDRESS_FORMS) },
  applies: (_, { task }) => task === 'completed',
  apply: async ({ form }, work) =>
    editedResults(await work(), (results) =>
      results.map((result) => ({ ...result, url: addressForms[form](new URL(String(result['url']))) })),
    ),
  draw: (random) => ({ form: random.pick(ADDRESS_FORMS) }),
});

const PLACES = ['error', 'unknown', 'revised_prompt'] as const;

/**
 * Adds a text of a number of bytes: to the message of an error, which replaces the endpoint's work unless the task has
 * failed by itself; as an unknown field; or as the revised prompt of every result.
 */
export const longText = defineFault('longText', {
  on: TARGETS.filter((target) => target !== 'image'),
  parameters: {
    in: v.picklist(PLACES),
    bytes: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MOST_BYTES)), 2_000_000),
  },
  apply: async ({ in: place, bytes }, work, { task, url }) => {
    const text = 'All work and no play. '.repeat(Math.ceil(bytes / 22)).slice(0, bytes);
    switch (place) {
      case 'error':
        return task === 'failed'
          ? edited(await work(), (task) => ({
              ...task,
              error: { ...v.parse(JsonObject, task['error']), message: text },
            }))
          : errorReply(new ApiError(500, 'internal_error', text), url.pathname);
      case 'unknown':
        return edited(await work(), (answer) => ({ ...answer, debug: text }));
      case 'revised_prompt':
        return editedResults(await work(), (results) =>
          results.map((result) => ({ ...result, revised_prompt: text })),
        );
    }
  },
  draw: (random) => ({
    in: random.pick(PLACES),
    bytes: random.pick([20_000, 2_000_000]),
  }),
});

/** Changes a reply that is a JSON object and returns any other as it is. */
async function edited(
  reply: Reply,
  edit: (answer: Record<string, unknown>) => Record<string, unknown>,
): Promise<Reply> {
  if (reply.headers['content-type'] !== 'application/json') {
    return reply;
  }
  const { status, headers, body } = await gather(reply);
  const answer = v.parse(JsonObject, JSON.parse(Buffer.concat(body).toString()));
  return jsonReply(status, edit(answer), headers);
}

function editedResults(
  reply: Reply,
  edit: (results: Record<string, unknown>[]) => Record<string, unknown>[],
): Promise<Reply> {
  return edited(reply, (answer) => {
    const results = v.safeParse(Results, answer['data']);
    return results.success ? { ...answer, data: edit(results.output) } : answer;
  });
}
