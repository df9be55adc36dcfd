import assert from 'node:assert/strict';
import { closeSync, constants, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { isPng } from '../support/cli/limner.ts';
import { openShipped } from './shipped.ts';
import { Scanner } from './scanner.ts';

/** `UV_FS_O_EXLOCK`: Windows refuses to open the file once more. */
const openForNobodyElse = 0x10_00_00_00;

describe('beside a program that holds each new file open', () => {
  const met: string[] = [];
  for (const hold of [50, 400, 3000]) {
    for (const style of ['async', 'sync']) {
      it(`for ${hold} ms, a paid image survives: ${style}`, async () => {
        await using world = await openShipped();
        await mkdir(world.home);
        const scanner = await Scanner.start([world.home, world.folder], hold);
        const { code, stderr } = await world.run(['generate', 'a fox', '--call-style', style]);
        const held = await scanner.end();
        assert.equal(code, 0, stderr);
        assert.deepEqual(await world.files(), ['a-fox.png']);
        assert.ok(await isPng(world.path('a-fox.png')));
        assert.deepEqual(await world.ledger(), ['settled']);
        met.push(...held);
      });
    }
  }

  it('has met files before they got their names in each folder', () => {
    assert.match(met.join('\n'), /\\incoming\\.*\.(?:part|image)$/mu);
    assert.match(met.join('\n'), /\\work\\\.limner-.*\.tmp$/mu);
  });
});

describe('beside a program that lets nobody else open the task list', () => {
  it('for 2 s, an image is requested and saved', async () => {
    await using world = await openShipped();
    const first = await world.run(['generate', 'a fox']);
    assert.equal(first.code, 0, first.stderr);
    const list = openSync(join(world.home, 'limner.db'), constants.O_RDWR | openForNobodyElse);
    setTimeout(() => closeSync(list), 2000);
    const { code, stderr } = await world.run(['generate', 'a hen']);
    assert.equal(code, 0, stderr);
    assert.deepEqual(await world.files(), ['a-fox.png', 'a-hen.png']);
    assert.deepEqual(await world.ledger(), ['settled', 'settled']);
  });
});
