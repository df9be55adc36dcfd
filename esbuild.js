// Builds the bundles of docs/architecture.md, "Bundles". Code of another bundle is reached through its door and stays
// external, so nothing is bundled twice.
const { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, dirname, join, relative, sep } = require('node:path');
const esbuild = require('esbuild');
const { places } = require('./scripts/rooms.ts');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** Bundles by name: where each begins. */
const entries = {
  commands: 'src/vscode/commands.ts',
  extension: 'src/vscode/extension.ts',
  documents: 'src/vscode/documents/documents.ts',
  references: 'src/pages/find/references.ts',
  agents: 'src/agents/tools/agentCalls.ts',
  codecs: 'src/images/finish/codecs.ts',
  engine: 'src/engine/run/engine.ts',
  demo: 'src/demo/endpoints/main.ts',
  limner: 'src/cli/commands/main.ts',
  program: 'src/cli/commands/program.ts',
  mcp: 'src/agents/mcp/mcpServer.ts',
  launcher: 'src/cli/setup/launcher.ts',
  undici: 'src/cli/setup/undiciTransport.ts',
};

/**
 * What webviews load: a module for each page, the modules that they share or import late, and one style sheet, which holds
 * the font of the icons.
 */
const pages = {
  entryPoints: [
    { in: 'src/studio/main.tsx', out: 'studio' },
    { in: 'src/studio/comparePage.tsx', out: 'compare' },
    { in: 'src/studio/studio.css', out: 'studio' },
  ],
  chunkNames: 'page-[hash]',
  outdir: 'dist',
  bundle: true,
  splitting: true,
  platform: 'browser',
  format: 'esm',
  target: 'chrome142',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  loader: { '.ttf': 'dataurl' },
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
  logLevel: 'warning',
};

/** The codecs' WebAssembly, which lies beside `dist/codecs.js`. */
const webAssembly = [
  '@jsquash/png/codec/pkg/squoosh_png_bg.wasm',
  '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm',
  '@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm',
  '@jsquash/webp/codec/dec/webp_dec.wasm',
  '@jsquash/webp/codec/enc/webp_enc_simd.wasm',
];

/** Files whose exports others find in a bundle, by its name: its entry, and what the entry exports as a whole. */
const shared = (name) => {
  const entry = entries[name];
  const whole = [...readFileSync(entry, 'utf8').matchAll(/^export \* from '(\.\.?\/.+)';$/gm)];
  return new Set([entry, ...whole.map(([, file]) => join(dirname(entry), file).split(sep).join('/'))]);
};

/**
 * Turns an import of what another bundle holds into a require of that bundle. The codecs run in a thread of their
 * own, which is not to load the engine: they hold their own copy of the files that read image files, and the demo
 * service finds it there.
 */
const doors = (name) => ({
  name: 'doors',
  setup(build) {
    build.onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') {
        return undefined;
      }
      const file = relative(__dirname, join(resolveDir, path)).split(sep).join('/');
      const holder = places.find(
        ({ path: place }) => file === place || (place.endsWith('/') && file.startsWith(place)),
      )?.bundle;
      if (!holder || holder === name || name === 'codecs') {
        return undefined;
      }
      return shared(holder).has(file)
        ? { path: `./${holder}.js`, external: true }
        : { errors: [{ text: `${entries[holder]} does not export ${file} for other bundles.` }] };
    });
  },
});

/** Gives all files of a bundle one `vscode`, where each would ask for it and copy its hundreds of names for itself. */
const oneVscode = {
  name: 'one vscode',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'one' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'one' },
    );
    build.onLoad({ filter: /^vscode$/, namespace: 'one' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/** Bundles with words for the window, whose language is VS Code's. */
const inWindow = new Set(['extension', 'commands', 'documents']);

/** Has all words of the window go through the file that knows its language. */
const wordsOfWindow = {
  name: 'words of the window',
  setup(build) {
    const path = join(__dirname, 'src/vscode/window/language.ts');
    const library = new Set([path, join(__dirname, 'src/engine/messages/language.ts')]);
    build.onResolve({ filter: /^@vscode\/l10n$/ }, ({ importer }) =>
      library.has(importer) ? undefined : { path },
    );
  },
};

const optionsOf = (name) => ({
  entryPoints: [entries[name]],
  outfile: `dist/${name}.js`,
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node22',
  // Other bundles are required: an `import()` would start the loader of ES modules for them.
  supported: { 'dynamic-import': false },
  external: ['vscode'],
  minify: production,
  sourcemap: production ? false : 'linked',
  metafile: true,
  logLevel: 'warning',
  plugins: [doors(name), oneVscode, ...(inWindow.has(name) ? [wordsOfWindow] : [])],
  // Its other form asks for its own files in a way that no bundler sees.
  ...(name === 'agents' && { alias: { 'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js' } }),
  ...(name === 'mcp' && { alias: { '@modelcontextprotocol/server/_shims': './src/agents/mcp/shims.ts' } }),
  define: { 'import.meta.url': 'moduleUrl' },
  banner: {
    js: `${name === 'limner' ? '#!/usr/bin/env node\n' : ''}const moduleUrl = require('node:url').pathToFileURL(__filename).href;`,
  },
});

/** Writes the translations as `src/engine/messages/translation.ts` reads them. */
function writeTranslations() {
  const keys = Object.keys(JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8')));
  writeFileSync('dist/texts.json', JSON.stringify(keys));
  for (const file of readdirSync('l10n').filter((name) => /^bundle\.l10n\..+\.json$/.test(name))) {
    const texts = JSON.parse(readFileSync(join('l10n', file), 'utf8'));
    const written = JSON.stringify(keys.map((key) => texts[key] ?? ''));
    writeFileSync(join('dist', file.replace('bundle.l10n', 'texts')), written);
  }
}

/** The licences of every package in the bundles, which ship beside them. */
function notices(inputs) {
  const folders = new Set(
    [...inputs, ...webAssembly.map((file) => `node_modules/${file}`)].flatMap(
      (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input) ?? [],
    ),
  );
  return [...folders]
    .toSorted()
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`;
      return `${name} ${version}\n${'-'.repeat(40)}\n${text}\n`;
    })
    .join('\n\n');
}

async function main() {
  rmSync('dist', { recursive: true, force: true });
  mkdirSync('dist');
  for (const file of webAssembly) {
    copyFileSync(require.resolve(file), join('dist', basename(file)));
  }
  const bundles = Object.fromEntries([
    ...Object.keys(entries).map((name) => [name, optionsOf(name)]),
    ['studio', pages],
  ]);
  writeTranslations();
  if (watch) {
    const contexts = await Promise.all(Object.values(bundles).map((options) => esbuild.context(options)));
    await Promise.all(contexts.map((context) => context.watch()));
    console.log('watching');
    return;
  }
  const results = await Promise.all(
    Object.entries(bundles).map(async ([name, options]) => [name, await esbuild.build(options)]),
  );
  mkdirSync('out', { recursive: true });
  writeFileSync(
    'out/metafile.json',
    JSON.stringify(Object.fromEntries(results.map(([name, { metafile }]) => [name, metafile]))),
  );
  writeFileSync(
    'dist/THIRD_PARTY_NOTICES.txt',
    notices(results.flatMap(([, { metafile }]) => Object.keys(metafile.inputs))),
  );
  if (production && readdirSync('dist').some((file) => file.endsWith('.map'))) {
    throw new Error('dist holds a source map: those are not shipped.');
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
