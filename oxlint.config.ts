import { defineConfig, type OxlintOverride } from 'oxlint';
import { forbiddenImports, places, type Place } from './scripts/rooms.ts';

const network = ['http', 'https', 'http2', 'net', 'tls', 'dgram'];
const undici = { name: 'undici', message: 'undici never enters the extension host.' };

/** Modules that the files of a place never load. */
function forbiddenModules({ path, house, bundle }: Place): (string | typeof undici)[] {
  switch (bundle) {
    case 'extension':
    case 'commands':
    case 'documents':
      return path === 'src/studio/protocol/' ? ['vscode', undici, ...builtIn(network)] : [undici];
    case 'undici':
      return ['vscode'];
    default:
      return ['vscode', undici, ...builtIn(hidden(house.name))];
  }
}

function hidden(house: string): string[] {
  switch (house) {
    case 'service':
      return ['sqlite'];
    case 'common':
    case 'images':
    case 'engine':
      return network;
    default:
      return [];
  }
}

function builtIn(names: readonly string[]): string[] {
  return names.flatMap((name) => [name, `node:${name}`]);
}

const message = 'Windows refuses it for a moment: use src/common/heldFiles.ts.';
const asynchronous = ['rename', 'unlink', 'rm', 'rmdir', 'copyFile'];
const synchronous = asynchronous.map((name) => `${name}Sync`);
/** What only `src/common/heldFiles.ts` does to files itself. */
const movingFiles = [
  { name: 'node:fs/promises', importNames: [...asynchronous, 'default'], message },
  { name: 'node:fs', importNames: [...asynchronous, ...synchronous, 'promises', 'default'], message },
];

/** The rule of `scripts/rooms.ts`; single files last, since the last match counts. */
const layering = places
  .toSorted((one, other) => Number(other.path.endsWith('/')) - Number(one.path.endsWith('/')))
  .map((place): OxlintOverride => ({
    files: [place.path.endsWith('/') ? `${place.path}*.{ts,tsx}` : place.path],
    rules: {
      'eslint/no-restricted-imports': [
        'error',
        {
          paths: [...forbiddenModules(place), ...movingFiles],
          patterns: [
            ...forbiddenImports(place),
            ...(place.bundle === 'studio'
              ? [
                  { group: ['node:*'], message: 'A webview has no Node.' },
                  {
                    regex: '/protocol/',
                    allowTypeImports: true,
                    message: "Schemas stay on the host's side: import types only.",
                  },
                ]
              : []),
          ],
        },
      ],
    },
  }));

export default defineConfig({
  plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise'],
  categories: { correctness: 'error', suspicious: 'error', perf: 'error' },
  options: { typeAware: true },
  ignorePatterns: ['dist', 'out', '.vscode-test', 'bench/peers'],
  rules: {
    'eslint/curly': ['error', 'all'],
    'eslint/eqeqeq': ['error', 'smart'],
    'eslint/no-console': 'error',
    'eslint/no-duplicate-imports': 'error',
    'eslint/no-await-in-loop': 'off',
    'eslint/no-shadow': 'off',
    'eslint/no-underscore-dangle': 'off',
    'import/no-cycle': ['error', { ignoreTypes: false }],
    'import/no-unassigned-import': 'off',
    'typescript/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
    'typescript/no-explicit-any': 'error',
    'typescript/no-floating-promises': 'error',
    'typescript/no-misused-promises': 'error',
    'typescript/no-non-null-assertion': 'error',
    'typescript/no-unsafe-argument': 'error',
    'typescript/no-unsafe-assignment': 'error',
    'typescript/no-unsafe-call': 'error',
    'typescript/no-unsafe-member-access': 'error',
    'typescript/no-unsafe-return': 'error',
    'typescript/only-throw-error': 'error',
    'typescript/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
    'typescript/use-unknown-in-catch-callback-variable': 'error',
    'typescript/consistent-return': 'off',
  },
  overrides: [
    ...layering,
    { files: ['src/common/heldFiles.ts'], rules: { 'eslint/no-restricted-imports': 'off' } },
    {
      files: ['test/**', 'bench/**', 'scripts/**', 'esbuild.js', 'src/cli/commands/**'],
      rules: { 'eslint/no-console': 'off' },
    },
    {
      files: ['esbuild.js', 'test/long/agentPrograms/libraries.mjs'],
      rules: {
        'typescript/no-unsafe-argument': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-call': 'off',
        'typescript/no-unsafe-member-access': 'off',
        'typescript/no-unsafe-return': 'off',
        'typescript/use-unknown-in-catch-callback-variable': 'off',
        'typescript/unbound-method': 'off',
      },
    },
    {
      files: ['test/**'],
      rules: {
        'typescript/no-floating-promises': [
          'error',
          {
            allowForKnownSafeCalls: [
              {
                from: 'package',
                name: ['test', 'it', 'describe', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
                package: 'node:test',
              },
            ],
          },
        ],
      },
    },
    { files: ['bench/**'], rules: { 'typescript/no-unsafe-type-assertion': 'off' } },
    {
      files: ['src/vscode/studio/**', 'src/studio/**'],
      rules: { 'unicorn/require-post-message-target-origin': 'off' },
    },
    {
      files: ['src/studio/**'],
      plugins: ['typescript', 'unicorn', 'oxc', 'import', 'promise', 'react', 'jsx-a11y'],
      rules: { 'react/react-in-jsx-scope': 'off', 'react/no-unknown-property': 'off' },
    },
    {
      files: ['src/studio/store/host.ts'],
      rules: { 'typescript/no-unsafe-type-assertion': 'off' },
    },
  ],
});
