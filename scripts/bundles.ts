/**
 * Checks of what ships, from esbuild's metafile and the package: `npm run check:bundles`, after `npm run package`.
 * Prints a line a check and fails when one does not hold.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { places } from './rooms.ts';
import * as v from 'valibot';

const kilobyte = 1024;
const largestExtension = 62 * kilobyte;
/** Of what a page loads before it shows. */
const largestPages = { studio: 150 * kilobyte, compare: 64 * kilobyte };
const largestPackage = 2 * kilobyte * kilobyte;
const loadedByTheExtensionHost = new Set([
  'extension',
  'commands',
  'documents',
  'references',
  'engine',
  'codecs',
  'demo',
]);

/**
 * What is copied into the bundles that need it. The codec thread reads image files without the engine; the bundles of the
 * window each stand in for `@vscode/l10n`.
 */
const copied = [
  ...places.filter(({ bundle }) => bundle === undefined).map(({ path }) => path),
  'src/images/formats/',
  'src/vscode/window/language.ts',
];

const metafiles = v.parse(
  v.record(
    v.string(),
    v.object({
      inputs: v.record(v.string(), v.unknown()),
      outputs: v.record(
        v.string(),
        v.object({ bytes: v.number(), imports: v.array(v.object({ path: v.string(), kind: v.string() })) }),
      ),
    }),
  ),
  JSON.parse(readFileSync('out/metafile.json', 'utf8')),
);

let failed = false;

function check(claim: string, problems: readonly string[]): void {
  failed ||= problems.length > 0;
  console.log(`${problems.length === 0 ? 'ok' : 'NOT OK'}: ${claim}`);
  for (const problem of problems) {
    console.log(`    ${problem}`);
  }
}

function checkSize(what: string, budget: number, { size } = statSync(what)): void {
  check(`${what} is ${size} bytes, at most ${budget}`, size <= budget ? [] : ['too large']);
}

/** Returns a module of a page, and the modules that it imports before it runs. */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  loaded.add(file);
  for (const { path, kind } of metafiles.studio?.outputs[file]?.imports ?? []) {
    if (kind === 'import-statement' && !loaded.has(path)) {
      loadedWith(path, loaded);
    }
  }
  return loaded;
}

check(
  'nothing that the extension host loads holds undici',
  Object.entries(metafiles).flatMap(([bundle, { inputs }]) =>
    loadedByTheExtensionHost.has(bundle)
      ? Object.keys(inputs)
          .filter((input) => input.includes('node_modules/undici/'))
          .map((input) => `dist/${bundle}.js: ${input}`)
      : [],
  ),
);

check(
  'loading what the extension host loads leaves the dispatchers of every other extension alone',
  execFileSync(process.execPath, ['--input-type=commonjs', '--eval', loadingScript()], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line !== ''),
);

for (const [words, bundles] of Object.entries({
  '--version': ['limner', 'program'],
  'tasks --json': ['engine', 'limner', 'program'],
})) {
  const loaded = loadedBy(words.split(' '));
  check(
    `limner ${words} loads ${bundles.join(', ')}`,
    loaded.join() === bundles.join() ? [] : [`it loads ${loaded.join(', ')}`],
  );
}

const isCopied = (input: string): boolean => copied.some((place) => input.startsWith(place));
const holders = new Map<string, string[]>();
for (const [bundle, { inputs }] of Object.entries(metafiles)) {
  for (const input of Object.keys(inputs).filter((path) => path.startsWith('src/') && !isCopied(path))) {
    holders.set(input, [...(holders.get(input) ?? []), bundle]);
  }
}
check(
  `no source file is in two bundles, but for those of ${copied.join(', ')}`,
  [...holders]
    .filter(([, bundles]) => bundles.length > 1)
    .map(([input, bundles]) => `${input}: ${bundles.join(', ')}`),
);

checkSize('dist/extension.js', largestExtension);
checkSize('limner.vsix', largestPackage);
for (const [page, budget] of Object.entries(largestPages)) {
  const size = [...loadedWith(`dist/${page}.js`)].reduce((sum, file) => sum + statSync(file).size, 0);
  checkSize(`dist/${page}.js with what it imports at once`, budget, { size });
}

const shipped = execFileSync(
  process.execPath,
  ['node_modules/@vscode/vsce/vsce', 'ls', '--no-dependencies', '--readme-path', 'dist/EXTENSION.md'],
  {
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n');
const expected = [
  'CHANGELOG.md',
  'LICENSE',
  'dist/EXTENSION.md',
  'SECURITY.md',
  'media/icon.png',
  'media/limner.svg',
  'media/style.schema.json',
  'package.json',
  'dist/THIRD_PARTY_NOTICES.txt',
  'skills/limner-images/SKILL.md',
  ...walkthroughPictures(),
  ...globSync('l10n/bundle.l10n{,.*}.json').map((file) => file.replace('l10n/bundle.l10n', 'dist/texts')),
  ...readdirSync('.').filter((file) => /^package\.nls\b.*\.json$/u.test(file)),
  ...readdirSync('dist')
    .filter((file) => file.endsWith('.wasm'))
    .map((file) => `dist/${file}`),
  ...Object.values(metafiles).flatMap(({ outputs }) => Object.keys(outputs)),
];
check('the package holds only what runs', [
  ...shipped.filter((file) => !expected.includes(file)).map((file) => `not expected: ${file}`),
  ...expected.filter((file) => !shipped.includes(file)).map((file) => `missing: ${file}`),
]);

process.exitCode = failed ? 1 : 0;

/** The pictures of the walkthrough, which VS Code reads from the package. */
function walkthroughPictures(): string[] {
  const image = v.union([v.string(), v.record(v.string(), v.string())]);
  const walkthrough = v.object({ steps: v.array(v.object({ media: v.object({ image }) })) });
  const schema = v.object({ contributes: v.object({ walkthroughs: v.array(walkthrough) }) });
  const { walkthroughs } = v.parse(schema, JSON.parse(readFileSync('package.json', 'utf8'))).contributes;
  const images = walkthroughs.flatMap(({ steps }) => steps.map(({ media }) => media.image));
  return [...new Set(images.flatMap((one) => (typeof one === 'string' ? one : Object.values(one))))];
}

/** Runs the command line, and returns which bundles it loaded. */
function loadedBy(words: readonly string[]): string[] {
  const home = mkdtempSync(join(tmpdir(), 'limner-bundles-'));
  const script = `
    process.once('exit', () => process.stderr.write(Object.keys(require.cache).join('\\n')));
    require('./dist/limner.js');`;
  const { stderr } = spawnSync(process.execPath, ['--eval', script, '--', ...words], {
    encoding: 'utf8',
    env: { ...process.env, LIMNER_HOME: home, XDG_CACHE_HOME: home },
  });
  rmSync(home, { recursive: true });
  return stderr
    .split('\n')
    .filter((line) => line.endsWith('.js'))
    .map((file) => basename(file, '.js'))
    .toSorted();
}

/** Loads the bundles where nobody has used `fetch` yet, and prints each slot of undici's that they touched. */
function loadingScript(): string {
  return `
    const slots = [1, 2].map((version) => Symbol.for('undici.globalDispatcher.' + version));
    const vscode = { ThemeColor: class {}, ThemeIcon: class {}, env: { language: 'en' } };
    const module = require('node:module');
    const load = module._load;
    module._load = (name, ...rest) => (name === 'vscode' ? vscode : load(name, ...rest));
    for (const bundle of ['extension', 'engine', 'commands']) {
      require('./dist/' + bundle + '.js');
    }
    for (const slot of slots) {
      if (globalThis[slot] !== undefined) console.log(slot.description);
    }`;
}
