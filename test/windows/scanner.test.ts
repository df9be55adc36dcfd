import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { isPng } from '../support/cli/limner.ts';
import { openShipped } from './shipped.ts';
import { Scanner } from './scanner.ts';

describe('beside a program that holds each new file open', () => {
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
        assert.match(held.join('\n'), /\\incoming\\.*\.(?:part|image)$/mu);
        assert.match(held.join('\n'), /\\work\\\.limner-.*\.tmp$/mu);
      });
    }
  }
});
