import type { IncomingMessage } from 'node:http';
import { findAccount, type Account } from '../http/accounts.ts';
import { ApiError } from '../http/apiError.ts';
import type { AuthorizedCall, EndpointContext } from './endpointContext.ts';
import { edits, generations, queryTask } from './generations.ts';
import { generateContent, streamGenerateContent } from './native.ts';
import type { Target, LoggedRequest } from '../http/requestLog.ts';
import type { Reply } from '../http/reply.ts';
import { prefersAsync } from '../http/requestBody.ts';

interface Route {
  method: 'GET' | 'POST';
  path: RegExp;
  target: Target;
  answer: (call: AuthorizedCall) => Reply | Promise<Reply>;
}

const ROUTES: readonly Route[] = [
  { method: 'POST', path: /^\/v1\/images\/generations$/u, target: 'generations', answer: generations },
  { method: 'POST', path: /^\/v1\/images\/edits$/u, target: 'edits', answer: edits },
  { method: 'GET', path: /^\/v1\/images\/generations\/([^/]+)$/u, target: 'query', answer: queryTask },
  {
    method: 'POST',
    path: /^\/v1beta\/models\/([^/:]+):generateContent$/u,
    target: 'native',
    answer: generateContent,
  },
  {
    method: 'POST',
    path: /^\/v1beta\/models\/([^/:]+):streamGenerateContent$/u,
    target: 'native',
    answer: streamGenerateContent,
  },
];

/** Queries a task that a habit has moved to another path, whose last part is its id. */
const QUERY_ELSEWHERE: Route = { method: 'GET', path: /([^/]+)$/u, target: 'query', answer: queryTask };

/** @throws ApiError 404 for an unknown path, 405 for another method, 401 without a valid key */
export async function route(
  context: EndpointContext,
  request: IncomingMessage,
  url: URL,
  log: LoggedRequest,
): Promise<Reply> {
  const found =
    ROUTES.find(({ path }) => path.test(url.pathname)) ??
    (context.queue.findAt(url.pathname) && QUERY_ELSEWHERE);
  if (found === undefined) {
    throw new ApiError(404, 'not_found', `There is nothing at ${url.pathname}.`);
  }
  if (found.method !== request.method) {
    throw new ApiError(405, 'method_not_allowed', `${url.pathname} answers ${found.method} only.`, {
      headers: { allow: found.method },
    });
  }
  const { target, answer } = found;
  const parameter = decodeParameter(found.path.exec(url.pathname)?.[1] ?? '');
  const task = target === 'query' ? context.queue.find(parameter)?.state.status : undefined;
  const { clock, queue, images, resultHost } = context;
  const passage = { target, request, url, clock, queue, images, resultHost, task, log };
  return context.faults.apply(passage, ({ atOnce = false, images = (asked: number) => asked } = {}) => {
    const account = authenticate(context, request);
    const async = prefersAsync(request.headers['prefer']) && !atOnce;
    return answer({ context, request, url, parameter, account, async, images });
  });
}

function authenticate(context: EndpointContext, request: IncomingMessage): Account {
  const account = findAccount(context.accounts, request.headers.authorization);
  if (account === 'missing' || account === 'unknown') {
    const message =
      account === 'missing'
        ? 'The header Authorization: Bearer <API_KEY> is missing.'
        : 'The API key is not valid.';
    throw new ApiError(401, 'invalid_api_key', message, {
      type: 'authentication_error',
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  return account;
}

function decodeParameter(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A path with invalid escapes names nothing that exists.
    return text;
  }
}
