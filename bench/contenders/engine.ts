/**
 * The engine alone, as the editor runs it: `node engine.ts <base URL> <folder> <prompt> <count> [input files]`, with its
 * home in `LIMNER_HOME`. Inputs are described before the clock starts: the editor does that when they are chosen.
 */
import { pathToFileURL } from 'node:url';
import { measure } from '../measure.ts';
import { engineModule, openShippedEngine } from '../shippedEngine.ts';

const [baseUrl = '', folder = '', prompt = '', count = '', ...inputs] = process.argv.slice(2);
const engine = await openShippedEngine(process.env['LIMNER_HOME'] ?? '');
const target = pathToFileURL(folder).href;
const images = await Promise.all(inputs.map(async (path) => engineModule.describeInput(path)));

await measure(async () => {
  const task = await engine.runner.start({
    kind: images.length > 0 ? 'edit' : 'generate',
    prompt,
    model: 'bench',
    family: 'image',
    callStyle: 'sync',
    n: Number(count),
    ...(images.length > 0 && { images, imageField: 'image[]' }),
    baseUrl,
    target: { folder: target, root: target, fileName: '{index}' },
  });
  const { status, results, error } = await engine.runner.outcome(task.id);
  if (status !== 'completed' || results.some(({ state, seemsCut }) => state !== 'saved' || seemsCut)) {
    throw new Error(`The task ended as ${status}: ${error?.message ?? ''}`);
  }
});
await engine.dispose();
