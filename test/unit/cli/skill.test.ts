import assert from 'node:assert/strict';
import { basename, dirname } from 'node:path';
import { it } from 'node:test';
import manifest from '../../../package.json' with { type: 'json' };
import { tools } from '../../../src/agents/tools/tools.ts';
import { skillPage } from '../../../src/cli/commands/clients.ts';

it('limner skill prints the page that VS Code contributes, under the name of its folder', async () => {
  const page = await skillPage();
  const [skill] = manifest.contributes.chatSkills;
  assert.ok(skill);
  assert.match(page, new RegExp(`^---\nname: ${basename(dirname(skill.path))}\ndescription: .+\n---\n`, 'u'));
  for (const { name } of tools) {
    assert.ok(page.includes(name), name);
  }
});
