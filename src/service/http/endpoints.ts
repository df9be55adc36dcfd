import * as english from '../../common/english.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { isThisMachine } from './hosts.ts';

/** The URLs of a service (docs/service.md, "Endpoints"). */
export interface Endpoints {
  origin: string;
  generations: URL;
  edits: URL;
  /** @param path replaces the documented path, on the same origin */
  task(id: string, path?: string): URL;
  generateContent(model: string): URL;
  streamGenerateContent(model: string): URL;
}

/** Path segments that may follow the version in an address copied from a request. */
const knownCall = /^(?:images|models|chat|completions|responses|embeddings)$/u;

/**
 * Finds the endpoints from a base URL as users paste it: with or without a scheme, trailing slashes, `/v1`, `/v1beta`,
 * a path prefix (`https://host/gateway/v1`), or the full address of a call, whose query is dropped.
 *
 * @throws LimnerError `no_service` if the text isn't the address of a service
 */
export function endpointsOf(baseUrl: string): Endpoints {
  const url = parseBaseUrl(baseUrl);
  const root = `${url.origin}${splitPath(url.pathname).prefix}`;
  const native = (model: string, method: string): URL =>
    new URL(`${root}/v1beta/models/${segment(model.replace(/^models\//u, ''))}:${method}`);
  return {
    origin: url.origin,
    generations: new URL(`${root}/v1/images/generations`),
    edits: new URL(`${root}/v1/images/edits`),
    task: (id, path) =>
      path === undefined
        ? new URL(`${root}/v1/images/generations/${taskSegment(id)}`)
        : onOrigin(new URL(path, url.origin), url.origin),
    generateContent: (model) => native(model, 'generateContent'),
    streamGenerateContent: (model) => native(model, 'streamGenerateContent?alt=sse'),
  };
}

/** Returns the path to query a task from the template in a model's entry: `{id}` stands for the task's id. */
export function taskPathOf(baseUrl: string, template: string, id: string): string {
  const { pathname } = endpointsOf(baseUrl).generations;
  const root = pathname.slice(0, -'/v1/images/generations'.length);
  return root + template.replaceAll('{id}', taskSegment(id));
}

/** @throws LimnerError `protocol` for a path that leads to another host: the key is never sent elsewhere */
function onOrigin(url: URL, origin: string): URL {
  if (url.origin !== origin) {
    throw new LimnerError('protocol', english.t('The path of the task leads to another host.'));
  }
  return url;
}

/** Whether two URLs, as users write them, mean the same service. */
export function isSameService(one: string, other: string): boolean {
  try {
    return endpointsOf(one).generations.href === endpointsOf(other).generations.href;
  } catch {
    return false;
  }
}

/** Returns a name as one path segment, with lone surrogates replaced. */
function segment(name: string): string {
  return encodeURIComponent(name.toWellFormed());
}

/** @throws LimnerError `protocol` for an id that would lead to another path, however it is encoded */
function taskSegment(id: string): string {
  if (id === '.' || id === '..') {
    throw new LimnerError('protocol', english.t('The task ID is invalid.'));
  }
  return segment(id);
}

function parseBaseUrl(baseUrl: string): URL {
  const text = baseUrl.trim();
  if (text === '') {
    throw new LimnerError('no_service', english.t('No service URL is set.'), { billing: 'no' });
  }
  const url = URL.parse(hasScheme(text) ? text : withScheme(text));
  if (url === null) {
    throw unusable(english.t("it isn't a valid URL"));
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw unusable(english.t('it must start with https:// or http://'));
  }
  if (!/^(?:[\w.-]+|\[[\da-f:.]+\])$/iu.test(url.hostname)) {
    throw unusable(english.t("its host name isn't valid"));
  }
  if (url.username !== '' || url.password !== '') {
    throw unusable(english.t("it can't contain a user name or password; enter the API key separately"));
  }
  if (url.hash !== '' || (url.search !== '' && !splitPath(url.pathname).isCall)) {
    throw unusable(english.t('it can\'t contain "?" or "#"'));
  }
  return url;
}

function hasScheme(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:(?!\d+(?:\/|$))/iu.test(text);
}

function withScheme(text: string): string {
  const url = URL.parse(`https://${text}`);
  return url !== null && isThisMachine(url) ? `http://${text}` : `https://${text}`;
}

/** Returns the path before the version, without a trailing slash, and whether a call follows the version. */
function splitPath(pathname: string): { prefix: string; isCall: boolean } {
  const segments = pathname.split('/').filter((segment) => segment !== '');
  const version = segments.findLastIndex((segment) => segment === 'v1' || segment === 'v1beta');
  const next = segments[version + 1];
  const isCall = version !== -1 && next !== undefined && knownCall.test(next);
  const isEnd = isCall || (version !== -1 && next === undefined);
  const prefix = (isEnd ? segments.slice(0, version) : segments).map((segment) => `/${segment}`).join('');
  return { prefix, isCall };
}

function unusable(reason: string): LimnerError {
  // The message omits the address: users paste keys into the wrong field.
  return new LimnerError('no_service', english.t("The service URL can't be used: {0}.", reason), {
    billing: 'no',
  });
}

/**
 * Whether the API key may be sent to a URL: encrypted, to this machine, or if the user allowed plain HTTP. Only the
 * requests of `ImageService` carry a key, each to the origin that the key belongs to. `src/engine/task/keyRing.ts`
 * lists who reads keys.
 *
 * @param confirmed origins that the user allowed
 */
export function mayCarryKey(url: URL, confirmed: readonly string[] = []): boolean {
  return url.protocol === 'https:' || isThisMachine(url) || confirmed.includes(url.origin);
}

/** @throws LimnerError `no_service` for an address that may not get the key */
export function requireKeyMayGo(url: URL, confirmed: readonly string[] | undefined): void {
  if (!mayCarryKey(url, confirmed)) {
    throw new LimnerError(
      'no_service',
      english.t("The API key would be sent to {0} unencrypted, which wasn't confirmed.", url.origin),
      { billing: 'no' },
    );
  }
}

/** Trims a key. @throws LimnerError `no_key` for a missing key, or one that no request can carry */
export function checkedKey(apiKey: string): string {
  const key = apiKey.trim();
  if (key === '') {
    throw new LimnerError('no_key', english.t('No API key is set for this service.'), { billing: 'no' });
  }
  if (!/^[\x21-\x7e]+$/u.test(key)) {
    throw new LimnerError('no_key', english.t("The API key contains characters that aren't allowed."), {
      billing: 'no',
    });
  }
  return key;
}
