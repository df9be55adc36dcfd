import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { plainText, rowLabel } from '../../../../src/vscode/window/plainText.ts';

/** How VS Code finds links in the text of a message. */
const link = /\[[^\]]+\]\((?:https?:\/\/|command:|file:)[^)\s]+/i;

void describe('plainText', () => {
  void it('leaves no link that a click would follow or run', () => {
    const text = 'see [click me](command:workbench.action.quit) or [this](https://example.com)';
    assert.match(text, link);
    assert.doesNotMatch(plainText(text), link);
  });

  void it('leaves no name that a row would show as an icon', () => {
    assert.equal(plainText('$(cost) of (us).png'), '$\u200b(cost) of (us).png');
  });

  void it('puts everything on one line and ends somewhere', () => {
    assert.equal(plainText(' a\n\tb '), 'a b');
    assert.equal(plainText('fox\u202egnp.exe\u2066\u001b[2J\u2028\0x'), 'fox gnp.exe [2J x');
    assert.ok(plainText('x'.repeat(10_000)).length < 400);
  });

  void it('isolates what is written from right to left, so that the words around it stay in their order', () => {
    assert.equal(plainText('שועל אדום'), '\u2068שועל אדום\u2069');
    assert.equal(plainText('a \u202bثعلب\u202c b'), '\u2068a ثعلب b\u2069');
  });

  void it('ends between two characters', () => {
    for (let before = 0; before < 4; before++) {
      assert.match(plainText(`${'x'.repeat(before)}${'🦊'.repeat(300)}`), /^x*(?:🦊)+…$/u);
    }
  });
});

void describe('the name of a row', () => {
  for (const [name, label] of [
    ['A tin robot', 'A tin robot'],
    ['Logo for a coffee roastery, a cup and steam', 'Logo for a coffee…'],
    ['Social card: donaudampfschifffahrt.md', 'Social card: donaudampf…'],
    ['夕暮れの古い灯台のある海岸を描いた油絵', '夕暮れの古い灯台のある…'],
  ] as const) {
    void it(`leaves room for what follows: ${label}`, () => {
      assert.equal(rowLabel(name), label);
    });
  }
});
