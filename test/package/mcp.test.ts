import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { World } from '../support/cli/limner.ts';
import { McpSession, textOf } from '../support/cli/mcpSession.ts';
import { projectFolder } from '../support/folders.ts';

/** Made by `npm run package`. */
const program = join(projectFolder, 'dist/limner.js');

for (const era of ['legacy', 'auto'] as const) {
  it(`the limner that ships serves agents, and asks the person through the client (${era})`, async () => {
    await using world = await World.open({}, program);
    await using session = await McpSession.open(world, {
      answer: 'accept',
      era,
      env: { LIMNER_AGENTS_CONFIRM: 'always' },
    });
    const input = { prompt: 'a fox', path: 'fox.webp', size: '90x60' };
    const result = await session.call('limner_generate_image', input);
    assert.match(textOf(result), /^Saved fox\.webp \(WebP, .*saved 90 × 60, /mu);
    assert.ok(result.content.some(({ type }) => type === 'image'));
    assert.equal(session.questions.length, 1);
    assert.deepEqual(await world.ledger(), ['settled']);
    assert.match((await world.run(['skill'])).stdout, /^---\nname: limner-images\n/u);
  });
}
