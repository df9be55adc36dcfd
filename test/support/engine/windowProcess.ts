import { defaultSettings } from '../../../src/engine/task/ports.ts';
import { openEngine } from '../../../src/engine/run/engine.ts';
import { FetchTransport } from '../../../src/service/http/fetchTransport.ts';
import { HttpsTransport } from '../../../src/service/http/httpsTransport.ts';
import type { Transport } from '../../../src/service/http/transport.ts';
import { ManualClock, settle } from '../manualClock.ts';
import type { WindowOrder, WindowState } from './windowMessages.ts';
import { withoutLocks } from './withoutLocks.ts';
import { TestLog } from './world.ts';

// One window as a process of its own: `home key now`. Does what the test that forked it says, on a clock that the test
// moves, with the real transports.
const [, , home = '', key, now] = process.argv;
const clock = new ManualClock(Number(now));
let open = 0;
let idle = Promise.withResolvers<void>();
idle.resolve();
const https = counted(new HttpsTransport());
const opening = openEngine({
  home,
  transports: { posts: https, polls: counted(new FetchTransport()), downloads: https },
  keys: { get: () => Promise.resolve(key), onDidChange: () => ({ dispose() {} }) },
  settings: () => ({ ...defaultSettings, requestTimeout: 60_000 }),
  log: new TestLog(),
  clock,
});
const engine = await withoutLocks(clock, opening);
await withoutLocks(clock, engine.runner.resumeUnfinished());
let last: Promise<void> = Promise.resolve();
process.on('message', (order: WindowOrder) => {
  last = last.then(() => obey(order));
});
process.once('disconnect', () => process.exit());
answer();

async function obey(order: WindowOrder): Promise<void> {
  switch (order.type) {
    case 'start':
      for (const request of order.requests) {
        await withoutLocks(clock, engine.runner.start(request));
      }
      await quiet();
      break;
    case 'pass':
      await clock.pass(order.milliseconds);
      await quiet();
      break;
    case 'sleep':
      clock.jump(order.milliseconds);
      break;
    case 'close':
      await withoutLocks(clock, engine.dispose());
      process.disconnect();
      return;
  }
  answer();
}

function answer(): void {
  const state: WindowState = { running: engine.store.running().length };
  process.send?.(state);
}

/** Resolves once no exchange is open and all that the last ones set off is done. */
async function quiet(): Promise<void> {
  for (let before: typeof idle | undefined; before !== idle;) {
    before = idle;
    await idle.promise;
    await settle();
  }
}

function begin(): void {
  if (open++ === 0) {
    idle = Promise.withResolvers();
  }
}

function end(): void {
  if (--open === 0) {
    idle.resolve();
  }
}

function counted(inner: Transport): Transport {
  return {
    async request(request) {
      begin();
      return inner.request({
        ...request,
        log: (line) => {
          end();
          request.log?.(line);
        },
      });
    },
  };
}
