/** `jq [flags] <filter>` on standard input. */
import { text } from 'node:stream/consumers';
import { jq } from './scripts.ts';

const parameters = process.argv.slice(2);
const flags = parameters.filter((parameter) => parameter.startsWith('-'));
const filter = parameters.find((parameter) => !parameter.startsWith('-')) ?? '.';
try {
  process.stdout.write(await jq(await text(process.stdin), filter, ...flags));
} catch (error) {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 5;
}
