import assert from 'node:assert/strict';
import { defaultSettings } from '../../../../src/engine/task/ports.ts';
import { openEngine } from '../../../../src/engine/run/engine.ts';
import { FetchTransport } from '../../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../../src/service/http/httpsTransport.ts';
import type { TaskRequest } from '../../../../src/engine/task/task.ts';
import { apiKey, fastClock, TestLog } from '../../../support/engine/world.ts';

// A process for tests to kill: `home [request as JSON] [how fast time passes]`. Starts a task, or goes on with what
// there is, until nothing more can be done, or it is told to end.
const [, , home = '', request, speed = '50'] = process.argv;
const https = new HttpsTransport();
const engine = await openEngine({
  home: home,
  transports: { posts: https, polls: new FetchTransport(), downloads: https },
  keys: { get: () => Promise.resolve(apiKey), onDidChange: () => ({ dispose() {} }) },
  settings: () => ({ ...defaultSettings, requestTimeout: 60_000 }),
  log: new TestLog(),
  clock: fastClock(Number(speed)),
});
await engine.runner.resumeUnfinished();
if (request !== undefined) {
  const parsed: unknown = JSON.parse(request);
  assert.ok(isRequest(parsed));
  await engine.runner.start(parsed);
}
const told = Promise.withResolvers<void>();
process.on('message', () => told.resolve());
process.channel?.unref();
for (const { id } of engine.store.running()) {
  await Promise.race([engine.runner.outcome(id), told.promise]);
}
await engine.dispose();

function isRequest(value: unknown): value is TaskRequest {
  return typeof value === 'object' && value !== null && 'prompt' in value && 'target' in value;
}
