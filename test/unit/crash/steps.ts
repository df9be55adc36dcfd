import { subscribe } from 'node:diagnostics_channel';
import { writeSync } from 'node:fs';
import promises from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { stepsChannel } from './stepsChannel.ts';

// Loaded into a process before everything else: says each step that leaves a trace outside of it, a line each, just
// before it is taken, and kills the process before the step that was chosen. Nothing else is changed, but for links,
// which fail where that is asked for as they do on file systems that have none.
const { killVariable, linksVariable, lines } = stepsChannel;
const [fatal = '', count] = (process.env[killVariable] ?? '').split('#');
let toGo = Number(count);

function step(name: string): void {
  writeSync(lines, `${name}\n`);
  if (name.startsWith(fatal)) {
    toGo--;
    if (toGo === 0) {
      process.kill(process.pid, 'SIGKILL');
    }
  }
}

/** Has a step said before a method runs, unless it has no name. */
function announce(
  holder: object,
  method: string,
  nameOf: (parameters: readonly unknown[]) => string | undefined,
): void {
  const original: unknown = Reflect.get(holder, method);
  if (typeof original !== 'function') {
    throw new TypeError(`There is no method ${method} any more.`);
  }
  Reflect.set(holder, method, function (this: unknown, ...parameters: unknown[]): unknown {
    const name = nameOf(parameters);
    if (name !== undefined) {
      step(name);
    }
    const result: unknown = Reflect.apply(original, this, parameters);
    return result;
  });
}

/** What a file is, by its name. */
function kindOf(path: unknown): string {
  const name = basename(String(path));
  if (name.startsWith('.limner-')) {
    return 'temporary';
  }
  return name.endsWith('.part') ? 'part' : name.endsWith('.image') ? 'arrived' : 'other';
}

if (process.env[linksVariable] === 'none') {
  Reflect.set(promises, 'link', async () =>
    Promise.reject(Object.assign(new Error('EPERM: operation not permitted, link'), { code: 'EPERM' })),
  );
}
const file = await promises.open(fileURLToPath(import.meta.url));
const fileHandle: unknown = Object.getPrototypeOf(file);
await file.close();
if (typeof fileHandle !== 'object' || fileHandle === null) {
  throw new TypeError('File handles have no prototype any more.');
}
announce(fileHandle, 'write', () => 'write');
announce(fileHandle, 'sync', () => 'sync');
announce(promises, 'open', ([path, flags = 'r']) => (flags === 'r' ? undefined : `open ${kindOf(path)}`));
announce(promises, 'unlink', ([path]) => `unlink ${kindOf(path)}`);
announce(promises, 'rm', () => 'remove folder');
for (const method of ['rename', 'link', 'copyFile']) {
  announce(promises, method, ([from, to]) => `${method} ${kindOf(from)} to ${kindOf(to)}`);
}
syncBuiltinESMExports();
announce(DatabaseSync.prototype, 'exec', ([sql]) => (sql === 'COMMIT' ? 'commit' : undefined));

/** The part that a message has under a name: a request or a response. */
function partOf(message: unknown, name: string): object {
  const part: unknown =
    typeof message === 'object' && message !== null ? Reflect.get(message, name) : undefined;
  if (typeof part !== 'object' || part === null) {
    throw new TypeError(`Messages about requests have no ${name} any more.`);
  }
  return part;
}

/** Which request a message is about: what it asks for, and the path. */
function requestOf(message: unknown): string {
  const request = partOf(message, 'request');
  if (!('method' in request) || !('path' in request)) {
    throw new TypeError('Requests have no method or path any more.');
  }
  const path = String(request.path);
  return `${request.method === 'POST' ? 'post' : path.startsWith('/v1/') ? 'poll' : 'image'} ${path}`;
}

// The first four are of `fetch`, the others of `node:http`.
for (const [channel, verb] of [
  ['undici:client:sendHeaders', 'send'],
  ['undici:request:bodySent', 'sent'],
  ['undici:request:headers', 'received'],
  ['undici:request:trailers', 'done'],
  ['http.client.request.created', 'send'],
  ['http.client.request.start', 'sent'],
  ['http.client.response.finish', 'received'],
]) {
  subscribe(String(channel), (message) => step(`${verb} ${requestOf(message)}`));
}
subscribe('http.client.response.finish', (message) => {
  const response = partOf(message, 'response');
  if (response instanceof IncomingMessage) {
    response.prependOnceListener('end', () => step(`done ${requestOf(message)}`));
  }
});
