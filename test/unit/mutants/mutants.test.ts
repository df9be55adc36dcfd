import assert from 'node:assert/strict';
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { changesOf } from '../../mutants/changes.ts';
import { CoveringTests } from '../../mutants/coveringTests.ts';
import { Executions } from '../../mutants/executions.ts';
import { mutantsOf } from '../../mutants/mutate.ts';
import { changed, Sandbox } from '../../mutants/sandbox.ts';
import { projectFolder } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const changesIn = (source: string): string[] =>
  mutantsOf('changes.ts', source).map((mutant) => changed(source, mutant));

test('an operator, a condition, a constant and a statement are changed one at a time', () => {
  assert.deepEqual(changesIn('if (a < 3) b();'), [
    'if (true) b();',
    'if (false) b();',
    'if (a <= 3) b();',
    'if (a < 4) b();',
    'if (a < 3) ;',
  ]);
  assert.deepEqual(changesIn('let c = a && !b;'), ['let c = a;', 'let c = !b;', 'let c = a && b;']);
  assert.deepEqual(changesIn('let c = Math.min(a >> 4, 900);'), [
    'let c = Math.max(a >> 4, 900);',
    'let c = Math.min(a << 4, 900);',
    'let c = Math.min(a >> 5, 900);',
    'let c = Math.min(a >> 4, 1800);',
  ]);
});

test('types, imports, names of properties and text for people stay as they are', () => {
  assert.deepEqual(
    changesIn(
      "import a from './a.ts'; let b: 'one' | 2 = c as 3; let d = { 'e': f }; let g = 'Not found.' + h.toString();",
    ),
    [],
  );
});

void describe('a sandbox', () => {
  const project = temporaryFolder('mutants');
  const source = [
    'export const isAdult = (age: number): boolean => age >= 18 && age < 200;',
    'export const halved = (age: number): number => age / 2;',
    'export const check = (age: number): void => void (age > 150 && process.exit());',
    '',
  ].join('\n');
  const files = {
    'src/ages/age.ts': source,
    'src/ages/person.ts': "export { isAdult } from './age.ts';\n",
    'src/ages/type.ts': "import type { isAdult } from './age.ts';\nexport type Test = typeof isAdult;\n",
    'test/unit/ages/person.test.ts': `
      import assert from 'node:assert/strict';
      import { test } from 'node:test';
      import { isAdult } from '../../../src/ages/person.ts';
      test('adults are of age', () => assert.deepEqual([17, 18, 30].map(isAdult), [false, true, true]));`,
    // Would notice whatever is changed.
    'test/unit/ages/text.test.ts': `
      import assert from 'node:assert/strict';
      import { halved, isAdult } from '../../../src/ages/age.ts';
      isAdult(20);
      assert.equal([isAdult, halved].join('').replaceAll(' ', ''), '(age)=>age>=18&&age<200(age)=>age/2');`,
    // Fails when it is run again in the same process.
    'test/unit/ages/once.test.ts': `
      import assert from 'node:assert/strict';
      import { it } from 'node:test';
      import { check, isAdult } from '../../../src/ages/age.ts';
      it('runs once', () => {
        isAdult(20);
        check(20);
        assert.equal(globalThis.hasRun, undefined);
        globalThis.hasRun = true;
      });`,
    'test/unit/ages/type.test.ts': "import '../../../src/ages/type.ts';\n",
    'test/unit/ages/broken.test.ts': "import '../../../src/ages/age.ts';\nthrow new Error('always');\n",
    'test/unit/other/home.test.ts': `
      import assert from 'node:assert/strict';
      import { homedir } from 'node:os';
      assert.notEqual(homedir(), ${JSON.stringify(homedir())});
      assert.equal(process.env['LIMNER_HOME'], undefined);`,
    'test/unit/other/person.test.ts': "import '../../../src/ages/person.ts';\n",
  };
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(project.path, file)), { recursive: true });
    writeFileSync(join(project.path, file), text);
  }
  for (const file of ['package.json', 'tsconfig.json']) {
    cpSync(join(projectFolder, file), join(project.path, file));
  }
  symlinkSync(join(projectFolder, 'node_modules'), join(project.path, 'node_modules'), 'junction');
  const coveringTests = new CoveringTests(project.path);
  const sandbox = new Sandbox(project.path, new Executions(join(project.path, 'out'), coveringTests));
  after(() => {
    sandbox.remove();
    project.remove();
  });
  const change = (from: string, to: string): ReturnType<typeof changesOf>[number] => {
    const found = changesOf(project.path, 'src/ages/age.ts').find(
      (one) => one.from === from && one.to === to,
    );
    assert.ok(found);
    return found;
  };

  void it('finds the tests of its room that run a file, those that import it first', () => {
    assert.deepEqual(coveringTests.of('src/ages/age.ts'), [
      'test/unit/ages/broken.test.ts',
      'test/unit/ages/text.test.ts',
      'test/unit/ages/once.test.ts',
      'test/unit/ages/person.test.ts',
    ]);
  });

  void it('tells the change that a test notices from the one that none does', async () => {
    const tests = ['test/unit/ages/broken.test.ts', 'test/unit/ages/person.test.ts'];
    const notice = async (from: string, to: string): Promise<string | undefined> =>
      sandbox.noticedBy('src/ages/age.ts', change(from, to).mutant, tests);
    assert.equal(await notice('>=', '>'), 'test/unit/ages/person.test.ts');
    assert.equal(await notice('<', '<='), undefined);
    assert.deepEqual([...sandbox.broken], ['test/unit/ages/broken.test.ts']);
  });

  void it('asks only tests that execute what is changed', async () => {
    const test = 'test/unit/ages/text.test.ts';
    const notice = async (from: string, to: string): Promise<string | undefined> =>
      sandbox.noticedBy('src/ages/age.ts', change(from, to).mutant, [test]);
    assert.equal(await notice('>=', '>'), test);
    assert.equal(await notice('/', '*'), undefined);
  });

  void it('believes no failure that comes without the change, too', async () => {
    const { mutant } = change('200', '400');
    assert.equal(
      await sandbox.noticedBy('src/ages/age.ts', mutant, ['test/unit/ages/once.test.ts']),
      undefined,
    );
  });

  void it('notices a change that ends the process', async () => {
    const test = 'test/unit/ages/once.test.ts';
    const { mutant } = change('age > 150 && process.exit()', 'process.exit()');
    assert.equal(await sandbox.noticedBy('src/ages/age.ts', mutant, [test]), test);
  });

  void it('keeps tests from what the developer has', async (test) => {
    process.env['LIMNER_HOME'] = homedir();
    test.after(() => delete process.env['LIMNER_HOME']);
    const file = 'test/unit/other/home.test.ts';
    await sandbox.noticedBy('src/ages/age.ts', change('>=', '>').mutant, [file]);
    assert.equal(sandbox.broken.has(file), false);
  });

  void it('asks the compiler', async () => {
    const { mutant } = change('18', '36');
    assert.equal(await sandbox.compiles('src/ages/age.ts', mutant), true);
    assert.equal(await sandbox.compiles('src/ages/age.ts', { ...mutant, replacement: "'18'" }), false);
  });

  void it('believes no refusal of a compiler that refuses what is not changed', async () => {
    // There is no project of the studio.
    await assert.rejects(
      sandbox.compiles('src/studio/age.ts', change('18', '36').mutant),
      /without any change/u,
    );
  });
});
