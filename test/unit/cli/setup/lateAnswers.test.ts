import assert from 'node:assert/strict';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';
import { undiciTransport } from '../../../support/cli/undici.ts';
import { listenUntilEnd } from '../../../support/service/listenUntilEnd.ts';
import { RefreshedTimers } from '../../../support/service/refreshedTimers.ts';

// A file of its own: undici keeps one timer for all that a process sends.
it('UndiciTransport waits for headers and for the rest of a body as long as it is asked to', async (test) => {
  const hour = 3_600_000;
  const timers = new RefreshedTimers(test);
  /** Has an hour pass, in steps in which undici looks at its timers. */
  const pass = (): void => {
    for (let step = 0; step < hour / 500; step++) {
      timers.tick(500);
    }
  };
  const asked = Promise.withResolvers<http.ServerResponse>();
  const server = http.createServer((_, response) => asked.resolve(response));
  const url = new URL(`http://127.0.0.1:${await listenUntilEnd(test, server)}/`);
  const limit = 10 * hour;
  const timeouts = { connect: limit, headers: limit, idle: limit, whole: limit };
  const answer = undiciTransport().request({ method: 'GET', url, timeouts });
  const reply = await asked.promise;
  pass();
  reply.write('late ');
  const { body } = await answer;
  const received = text(body);
  pass();
  reply.end('answer');
  assert.equal(await received, 'late answer');
});
