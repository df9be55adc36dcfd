import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferences, Readings } from '../../../../src/pages/find/references.ts';
import { readPage, writePage } from '../../../../src/pages/cards/page.ts';
import { placeholder, repeated, slowDocuments } from '../../../support/slowDocuments.ts';

/** One for each way of reading documents. */
const languages = ['markdown', 'mdx', 'html', 'vue', 'typescript', 'scss', 'asciidoc'];
const length = 60_000;

/** Returns how often everything else has its turn while a document is read. */
const turnsDuring = async (read: (readings: Readings) => Promise<void>): Promise<number> => {
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
    await read(readings);
  } finally {
    isOver = true;
    await readings.dispose();
  }
  return turns;
};

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
    const turns = await turnsDuring(async (readings) => {
      const text = repeated('![a](a.png)\n', length);
      const found = await readings.read('a.md', text, 'markdown');
      assert.deepEqual(found, findReferences(text, 'markdown'));
      const changed = `${text}\n![b](b.png)\n`;
      assert.equal((await readings.read('a.md', changed, 'markdown')).at(-1)?.address, 'b.png');
    });
    assert.ok(turns > 2, `${turns} turns`);
  });

  const front = `---\nimage: b.png\n${repeated('a: b\n', length)}---\n`;
  const card = { alt: 'A fox', width: 1200, height: 630, fromPage: 'a.png', fromSite: '/a.png' };
  const image = { ...card, isPublic: true, page: 'index.md' };
  const pages: Readonly<Record<string, (readings: Readings) => Promise<void>>> = {
    'their words': async (readings) =>
      assert.deepEqual(await readings.readPage(front, 'markdown'), readPage(front, 'markdown')),
    'their image': async (readings) => assert.equal(await readings.imageOfPage(front, 'markdown'), 'b.png'),
    'the change of it': async (readings) =>
      assert.deepEqual(
        await readings.writePage(front, 'markdown', image),
        writePage(front, 'markdown', image),
      ),
  };
  for (const [what, read] of Object.entries(pages)) {
    it(`are read as pages while everything else has its turn: ${what}`, async () => {
      const turns = await turnsDuring(read);
      assert.ok(turns > 2, `${turns} turns`);
    });
  }
});
