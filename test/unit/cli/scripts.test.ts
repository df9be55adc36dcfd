import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { DemoServiceOptions } from '../../../src/demo/endpoints/options.ts';
import { readBySharp } from '../../readers/images.ts';
import { type Finished, noShell, Shell } from '../../readers/scripts.ts';
import { linesOf, World } from '../../support/cli/limner.ts';
import { bundledProgram } from '../../support/cli/program.ts';

const hour = 3_600_000;
/** Breaks lines, strings and characters, and begins like an option. */
const prompt = 'a "red"\nfox\\n \'s\' $HOME `id`\u0007\u2028 日本 🦊';
/** As a service says it that counts characters by their halves. */
const cutOff = 'no "foxes"\n\u0007 cut off: \ud83e';

describe('limner in shell scripts', { concurrency: 2, skip: noShell }, () => {
  it('tells jq the files that it saved, in the way that its help shows', async () => {
    await using world = await World.open();
    const { code, stdout } = await script(
      world,
      `set -e
       limner generate - --size 64x64 --n 2 --name fox --json < prompt | jq -r '.files[]' > files
       while read -r file; do test -s "$file"; done < files
       cat files`,
      { prompt },
    );
    assert.equal(code, 0);
    const files = linesOf(stdout);
    assert.deepEqual(files.toSorted(), [world.path('fox-2.png'), world.path('fox.png')].toSorted());
    for (const file of files) {
      assert.equal((await readBySharp(await readFile(file))).width, 64);
    }
  });

  it('tells jq a line a task, whatever the prompts and errors say', async () => {
    const refusal = {
      kind: 'status',
      on: 'any',
      times: 1,
      skip: 0,
      status: 400,
      code: cutOff,
      message: cutOff,
      headers: {},
    } as const;
    await using world = await World.open({ faults: [refusal] });
    const { code, stdout } = await script(
      world,
      `limner generate - --size 64x64 --json < prompt > refused
       echo $?
       jq .error.message < refused
       limner generate - --size 64x64 --name fox --json < prompt | jq .prompt
       limner tasks --json | wc -l
       limner tasks --json | jq .prompt
       limner tasks --json | jq -r 'select(.status == "completed") | .files[]'`,
      { prompt },
    );
    assert.equal(code, 0);
    const [refused, message = '', ...rest] = linesOf(stdout);
    assert.equal(refused, '1');
    assert.ok(String(JSON.parse(message)).includes('no "foxes"'), message);
    const [first = '', count, ...listed] = rest;
    assert.deepEqual(
      [first, ...listed.slice(0, 2)].map((line): unknown => JSON.parse(line)),
      Array.from({ length: 3 }, () => prompt),
    );
    assert.equal(count?.trim(), '2');
    assert.deepEqual(listed.slice(2), [world.path('fox.png')]);
  });

  const endings: { title: string; line: string; code: number; options?: DemoServiceOptions }[] = [
    { title: '0 once all is saved', line: 'limner generate fox --size 64x64 --json', code: 0 },
    { title: '1 for a task that failed', line: 'limner generate demo:fail --json', code: 1 },
    { title: '2 for arguments that cannot be used', line: 'limner generate fox --n none --json', code: 2 },
    { title: '2 for what is missing', line: 'LIMNER_API_KEY= limner generate fox --json', code: 2 },
    {
      title: '3 for a connection that broke before the answer',
      line: 'limner generate fox --size 64x64 --json',
      code: 3,
      options: { faults: [{ kind: 'reset', on: 'generations', times: 1, skip: 0, when: 'after' }] },
    },
  ];
  for (const { title, line, code, options } of endings) {
    it(`exits with ${title}, and prints one value of JSON`, async () => {
      await using world = await World.open(options);
      const plain = await script(world, `${line} > printed; echo $?; jq -s length < printed`);
      assert.deepEqual(linesOf(plain.stdout), [String(code), '1']);
    });
  }

  it('exits with 1 where what it prints cannot be written', { skip: !existsSync('/dev/full') }, async () => {
    await using world = await World.open();
    await world.picture('fox.png');
    const { stdout, stderr } = await script(world, 'limner finish fox.png --format png > /dev/full; echo $?');
    assert.deepEqual([stdout, await world.files()], ['1\n', ['fox.png']]);
    assert.match(stderr, /^Couldn't write the results: ENOSPC/mu);
  });

  it('exits with 130 after Ctrl+C, with the task that goes on as JSON', async () => {
    await using world = await World.open({ clock: 'frozen', taskDuration: hour });
    const { stdout } = await script(
      world,
      `limner generate fox --json --verbose > printed 2> said &
       pid=$!
       while kill -0 $pid && ! grep -q ' 202' said; do :; done
       kill -INT $pid
       wait $pid
       echo $?
       jq -r .status < printed`,
    );
    assert.deepEqual(linesOf(stdout), ['130', 'stopped']);
  });

  it('ends a script that goes by its exit code, and none that goes on', async () => {
    await using world = await World.open();
    const strict = await script(world, 'set -e; limner generate demo:fail --json > printed; echo went on');
    assert.deepEqual([strict.code, strict.stdout], [1, '']);
    const chained = await script(
      world,
      'limner generate demo:fail > printed || limner generate fox --size 64x64 && echo saved',
    );
    assert.deepEqual(linesOf(chained.stdout), [world.path('fox.png'), 'saved']);
  });
});

/** Runs a script in a world, beside files with these contents. */
async function script(
  world: World,
  source: string,
  files: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  await using shell = await Shell.open(bundledProgram());
  for (const [name, content] of Object.entries(files)) {
    await world.write(name, content);
  }
  return await shell.run(source, { cwd: world.folder, env: world.variables });
}
