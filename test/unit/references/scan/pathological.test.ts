import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferences, Readings } from '../../../../src/references/references.ts';
import { placeholder, repeated, slowDocuments } from '../../../support/slowDocuments.ts';

/** One for each way of reading documents. */
const languages = ['markdown', 'mdx', 'html', 'vue', 'typescript', 'scss', 'asciidoc'];
const length = 60_000;

describe('documents that are made to be read slowly', () => {
  for (const language of languages) {
    it(`are read in time in proportion to their length: ${language}`, () => {
      const documents = slowDocuments(length).flatMap((text) => [
        `${placeholder}\n${text}`,
        `---\n${text}\n---\n${placeholder}`,
      ]);
      for (const text of documents) {
        const found = findReferences(text, language);
        assert.ok(found.every(({ address, start, end }) => text.slice(start, end) === address));
      }
    });
  }

  it('are read while everything else has its turn', async () => {
    const readings = new Readings();
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns++;
      if (!isOver) {
        setImmediate(turn);
      }
    };
    setImmediate(turn);
    try {
      const text = repeated('![a](a.png)\n', length);
      const found = await readings.read('a.md', text, 'markdown');
      assert.deepEqual(found, findReferences(text, 'markdown'));
      const changed = `${text}\n![b](b.png)\n`;
      assert.equal((await readings.read('a.md', changed, 'markdown')).at(-1)?.address, 'b.png');
      assert.ok(turns > 2, `${turns} turns`);
    } finally {
      isOver = true;
      await readings.dispose();
    }
  });
});
