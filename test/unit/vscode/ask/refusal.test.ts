import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { it } from 'node:test';
import german from '../../../../l10n/bundle.l10n.de.json' with { type: 'json' };
import { inLanguage } from '../../../../src/engine/messages/language.ts';
import { TestLog } from '../../../support/engine/world.ts';

const stub = new URL('../documents/windowStub.ts', import.meta.url).href;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { describeFailure, refuse } = await import('../../../../src/vscode/ask/refusal.ts');
const { noModel } = await import('../../../../src/vscode/generate/models.ts');
const { notAnImage } = await import('../../../../src/vscode/generate/inputImages.ts');
hooks.deregister();

it('a refusal is English for agents, and in the language of the window for its user', () => {
  inLanguage({ tag: 'de', texts: german }, () => {
    for (const [make, english, told] of [
      [noModel, /^No model is set\. /u, /^Es ist kein Modell festgelegt\. /u],
      [
        () => refuse('unsupported_image', notAnImage('notes.txt')),
        /^notes\.txt isn't an image /u,
        /^notes\.txt ist kein Bild/u,
      ],
    ] as const) {
      const error = make();
      assert.match(error.message, english);
      assert.match(describeFailure(new TestLog(), error)?.message ?? '', told);
    }
  });
});
