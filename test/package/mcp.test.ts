import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { it } from 'node:test';
import { World } from '../support/cli/limner.ts';
import { McpSession, textOf } from '../support/cli/mcpSession.ts';
import { bracketed, outsideBrackets, translatedProgram } from '../support/cli/translatedProgram.ts';
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
    const { stdout: page } = await world.run(['skill']);
    assert.match(page, /^---\nname: limner-images\n/u);
    assert.equal((await world.run(['skill', '--install', 'claude', '--yes'])).code, 0);
    const installed = join(dirname(world.home), '.claude/skills/limner-images/SKILL.md');
    assert.equal(await readFile(installed, 'utf8'), page);
    // What the bundle leaves to another file is there.
    assert.match((await world.run(['mcp', '--config', 'opencode'])).stdout, /"limner": \{/u);
  });
}

it('the limner that ships speaks the language of its user, but English to agents and programs', async () => {
  const translated = translatedProgram(program, { xx: bracketed });
  await using world = await World.open({}, translated);
  const LC_ALL = 'xx.UTF-8';
  const { stdout: help } = await world.run(['--help'], { LC_ALL });
  assert.match(help, /^⟦Usage:⟧ limner /u);
  const refused = await world.run(['generate', ' ', '--json'], { LC_ALL });
  assert.match(refused.stdout, /"message":"The prompt is empty\."/u);
  assert.match(refused.stderr, /^⟦error: ⟦The prompt is empty\.⟧/u);
  await using session = await McpSession.open(world, {
    answer: 'accept',
    env: { LC_ALL, LIMNER_AGENTS_CONFIRM: 'always' },
  });
  const replies = [
    await session.call('limner_generate_image', { prompt: 'demo:fail', path: 'fox.png' }),
    await session.call('limner_generate_image', { prompt: ' ', path: 'fox.png' }),
  ].map(textOf);
  assert.doesNotMatch(replies.join('\n'), /⟦/u);
  assert.match(session.questions[0] ?? '', /^⟦Generate 1 image with Limner\?⟧\n/u);
  assert.doesNotMatch(outsideBrackets(session.questions.join('\n')), /\p{L}/u);
});
