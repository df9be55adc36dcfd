import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toJsonSchema } from '@valibot/to-json-schema';
import { readCall, tools } from '../../../src/agents/tools.ts';
import manifest from '../../../package.json' with { type: 'json' };

describe('the tools of agents', () => {
  const contributed = manifest.contributes.languageModelTools;

  it('are those that package.json contributes, in the same words', () => {
    assert.deepEqual(
      contributed.map(({ name, modelDescription }) => ({ name, description: modelDescription })),
      tools.map(({ name, description }) => ({ name, description })),
    );
  });

  for (const { name, schema } of tools) {
    it(`take in VS Code what is checked: ${name}`, () => {
      const { $schema: _, ...checked } = toJsonSchema(schema);
      const tool = contributed.find((one) => one.name === name);
      assert.deepEqual(tool?.inputSchema, checked);
      assert.equal(tool.inputSchema.type, 'object');
    });
  }

  it('can be named in a prompt, have icons, and are there in trusted workspaces only', () => {
    for (const { canBeReferencedInPrompt, icon, when, toolReferenceName } of contributed) {
      assert.deepEqual([canBeReferencedInPrompt, when], [true, 'isWorkspaceTrusted']);
      assert.match(icon, /^\$\([a-z-]+\)$/u);
      assert.match(toolReferenceName, /^limner[A-Z][a-z]+$/u);
    }
  });

  it('refuse arguments that they do not have, and name them', () => {
    const fox = { prompt: 'a fox', path: 'fox.png' };
    for (const [input, name] of [
      [{ ...fox, path: undefined }, 'path'],
      [{ ...fox, size: 'large' }, 'size'],
      [{ ...fox, n: 11 }, 'n'],
      [{ ...fox, file: 'fox.png' }, 'file'],
    ] as const) {
      assert.throws(() => readCall('limner_generate_image', input), {
        code: 'invalid_request',
        sent: false,
        message: new RegExp(`"${name}"`, 'u'),
      });
    }
    assert.deepEqual(readCall('limner_list_tasks', undefined).input, {});
  });
});
