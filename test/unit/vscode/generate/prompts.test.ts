import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answeredPrompt, numberedPrompts, sentenceAt } from '../../../../src/vscode/generate/promptText.ts';

void describe('the prompt in the answer of a language model', () => {
  const prompt = 'A red fox in fresh snow, low sun, 35 mm, f/2';

  for (const [what, answer] of Object.entries({
    'is all of it': prompt,
    'is on one line': `  A red fox\n in fresh snow,\r\n\r\nlow sun, 35 mm, f/2 \n`,
    'is in quotes': `"${prompt}"`,
    'is in other quotes': `„${prompt}“`,
    'is in quotes after an introduction': `Here's the improved prompt:\n\n“${prompt}”`,
    'comes after much politeness': `Sure! Here is your prompt: ${prompt}`,
    'comes after an announcement': `Certainly, here you go:\n${prompt}`,
    'has a label': `**Improved prompt:** ${prompt}`,
    'has a heading': `# Prompt:\n${prompt}`,
    'is in a fence': `Here is a prompt.\n\n\`\`\`text\n${prompt}\n\`\`\`\n\nLet me know!`,
    'is in a fence that isn’t closed': `\`\`\`\n${prompt}`,
    'has Markdown': `- A **red fox** in *fresh* snow, \`low sun\`, __35 mm__, f/2`,
    'has links':
      'A [red fox](command:limner.generate) in fresh snow, ![low sun](https://a.example/b), 35 mm, f/2',
    'has marks that nobody sees': `A red fox in \u202Efresh\u202C snow, low sun,\u0007 35 mm, f/2`,
  })) {
    void it(what, () => {
      assert.equal(answeredPrompt(answer), prompt);
    });
  }

  for (const kept of [
    'A sign that says "Open" beside one that says "Closed"',
    '"Open" above "Closed", two signs',
    'A prompt old man: hat, stick, 2 * 3 buttons and 3 * 2 pockets',
    'Here, on a hill, a lighthouse',
    'Ein roter Fuchs: nah, im Schnee',
    'snake_case on a blackboard',
  ]) {
    void it(`stays as it is: ${kept}`, () => {
      assert.equal(answeredPrompt(kept), kept);
    });
  }

  for (const nothing of ['', ' \n', '```\n\n```', '""', 'Here is the prompt:']) {
    void it(`is missing in ${JSON.stringify(nothing)}`, () => {
      assert.equal(answeredPrompt(nothing), '');
    });
  }
});

const text = [
  '# A day at the sea',
  '',
  '- The tide is out. A red boat lies',
  '  on the sand! Gulls sleep.',
  '',
  '狐は雪の中にいる。月が明るい。',
  '',
].join('\n');

const at = (part: string, more = 0): string => sentenceAt(text, text.indexOf(part) + more);

void describe('the sentence at a place', () => {
  void it('is the one around it, on one line and without the marks of its paragraph', () => {
    assert.equal(at('tide'), 'The tide is out.');
    assert.equal(at('red boat'), 'A red boat lies on the sand!');
    assert.equal(at('day at'), 'A day at the sea');
    assert.equal(at('月'), '月が明るい。');
  });

  void it('is the last one at the end of a paragraph, and none between paragraphs', () => {
    assert.equal(at('sleep.', 'sleep.'.length), 'Gulls sleep.');
    assert.equal(sentenceAt('One.\n\n\n\nTwo.', 6), '');
    assert.equal(sentenceAt('', 0), '');
  });

  void it('is found in time in a text without paragraphs', () => {
    assert.equal(sentenceAt('x'.repeat(5_000_000), 2_000_000).length, 10_000);
  });
});

it('prompts that were asked for together are found by their numbers, and excuses are none', () => {
  const answer =
    'Sure! Here they are:\n\n1: A **red** boat\n- 2. "A heron"\n3: I\'m sorry, I can\'t\n4:\n5) Ponds';
  assert.deepEqual(
    [...numberedPrompts(answer, 100)],
    [
      [1, 'A red boat'],
      [2, 'A heron'],
      [5, 'Ponds'],
    ],
  );
  assert.equal(numberedPrompts('As a model, I show no images.', 100).size, 0);
});
