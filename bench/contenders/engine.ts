/** The engine alone, as the editor runs it: `node engine.ts <base URL> <folder> <row> [input files]`. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { measure } from '../measure.ts';
import { prompts, type RowName } from '../rows.ts';

const engineModule = createRequire(import.meta.url)(
  '../../dist/engine.js',
) as typeof import('../../src/engine.ts');
const [baseUrl = '', folder = '', row = '', ...inputs] = process.argv.slice(2);
const silent = (): void => undefined;
const https = new engineModule.HttpsTransport();

const engine = await engineModule.openEngine({
  home: join(folder, 'home'),
  transports: { posts: https, polls: new engineModule.FetchTransport(), downloads: https },
  keys: { get: async () => Promise.resolve('bench'), onDidChange: () => ({ dispose: silent }) },
  settings: () => engineModule.defaultSettings,
  log: { trace: silent, debug: silent, info: silent, warn: console.error, error: console.error },
});
const target = pathToFileURL(join(folder, 'out')).href;
const images = await Promise.all(inputs.map(async (path) => engineModule.describeInput(path)));

await measure(async () => {
  const task = await engine.runner.start({
    kind: images.length > 0 ? 'edit' : 'generate',
    prompt: prompts[row as RowName],
    model: 'bench',
    family: 'image',
    callStyle: 'sync',
    n: images.length > 0 ? 1 : 4,
    ...(images.length > 0 && { images, imageField: 'image[]' }),
    baseUrl,
    target: { folder: target, root: target, fileName: '{index}' },
  });
  const { status, results, error } = await engine.runner.outcome(task.id);
  if (status !== 'completed' || results.some(({ state }) => state !== 'saved')) {
    throw new Error(`The task ended as ${status}: ${error?.message ?? ''}`);
  }
});
await engine.dispose();
