import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, it } from 'node:test';
import { World } from '../../../support/cli/limner.ts';
import { McpSession, textOf } from '../../../support/cli/mcpSession.ts';

const hut = 'https://placehold.co/600x400?text=Hut';
const page = `# Trip\r
\r
![A mountain hut](${hut})\r
![A red kayak](${hut})\r
![The harbor](../img/harbor.webp) ![](logo.png)\r
![There](../pictures/there.png)\r
`;
const free = /^Cost: none\. Nothing was sent\.$/mu;

/** A workspace with a client in it. */
class Site {
  readonly #world: World;
  readonly #session: McpSession;

  constructor(world: World, session: McpSession) {
    this.#world = world;
    this.#session = session;
  }

  async write(file: string, contents: string | Buffer): Promise<void> {
    await mkdir(dirname(this.#world.path(file)), { recursive: true });
    await writeFile(this.#world.path(file), contents);
  }

  async read(file: string): Promise<Buffer> {
    return readFile(this.#world.path(file));
  }

  async link(to: string, file: string): Promise<void> {
    await symlink(this.#world.path(to), this.#world.path(file));
  }

  async find(file: string): Promise<string> {
    return textOf(await this.#session.call('limner_find_missing_images', { file }));
  }

  async put(input: Record<string, unknown>): Promise<string> {
    return textOf(await this.#session.call('limner_replace_placeholder', input));
  }
}

function story(name: string, test: (site: Site) => Promise<void>): void {
  it(name, async () => {
    await using world = await World.open();
    await using session = await McpSession.open(world);
    for (const image of ['pictures/there.png', 'pictures/hut.png', 'old/logo.png']) {
      await mkdir(dirname(world.path(image)), { recursive: true });
      await world.picture(image);
    }
    await test(new Site(world, session));
    assert.deepEqual(await world.ledger(), []);
  });
}

describe('the images that a document still needs', { concurrency: 2 }, () => {
  story('are listed with what an agent needs to make them', async (site) => {
    await site.write('docs/trip.md', page);
    assert.deepEqual((await site.find('docs/trip.md')).split('\n').slice(1), [
      `3 placeholder ${hut} → pictures/a-mountain-hut.png 600x400 "A mountain hut"`,
      `4 placeholder ${hut} → pictures/a-red-kayak.png 600x400 "A red kayak"`,
      '5 missing ../img/harbor.webp → img/harbor.webp "The harbor"',
      '5 elsewhere logo.png → exists as old/logo.png',
    ]);
    await site.write('public/index.html', '<img src="/frog.png" alt="A tree frog" width="320" height="200">');
    assert.match(
      await site.find('public/index.html'),
      /^1 missing \/frog\.png → public\/frog\.png 320x200 "A tree frog"$/mu,
    );
    await site.write('src/hero.css', `${'\n'.repeat(9)}.hero { background: url(./none.jpg) }\n`);
    assert.match(await site.find('src/hero.css'), /^10 missing \.\/none\.jpg → src\/none\.jpg /mu);
    await site.write('done.md', '![There](pictures/there.png)');
    assert.equal(await site.find('done.md'), 'done.md names no missing image and no placeholder.');
    const many = Array.from({ length: 60 }, (_, index) => `![Fox ${index}](foxes/${index}.png)`);
    await site.write('many.md', many.join('\n'));
    const lines = (await site.find('many.md')).split('\n');
    assert.deepEqual([lines.length, lines.at(-1)], [52, 'and 10 more, once these are there.']);
  });

  story('are put in their places, and nothing else of the document changes', async (site) => {
    const input = { file: 'docs/trip.md', placeholder: hut, image: 'pictures/hut.png' };
    await site.write('docs/trip.md', page);
    const unclear = await site.put(input);
    assert.match(unclear, /stands for several images, in the lines 3,4: call again with line\.$/mu);
    assert.match(unclear, free);
    assert.match(
      await site.put({ ...input, line: 3 }),
      /^docs\/trip\.md now names pictures\/hut\.png in 1 place\.$/mu,
    );
    const filled = page.replace(hut, '../pictures/hut.png');
    assert.equal((await site.read('docs/trip.md')).toString(), filled);
    const again = await site.put({ ...input, line: 3 });
    assert.match(again, /^docs\/trip\.md names pictures\/hut\.png already\. Nothing was changed\.$/mu);
    assert.match(again, free);
    await site.put({ ...input, placeholder: 'logo.png', image: 'old/logo.png' });
    assert.equal(
      (await site.read('docs/trip.md')).toString(),
      filled.replace('(logo.png', '(../old/logo.png'),
    );

    await site.write(
      'src/Hero.tsx',
      `import hut from '../img/placeholder.png';\nexport default () => <img src={hut} />;\n`,
    );
    await site.put({
      file: 'src/Hero.tsx',
      placeholder: '../img/placeholder.png',
      image: 'pictures/hut.png',
    });
    assert.match(
      (await site.read('src/Hero.tsx')).toString(),
      /^import hut from '\.\.\/pictures\/hut\.png';$/mu,
    );
  });

  story('are put into documents whose encodings keep every character, and into no others', async (site) => {
    const text = `\uFEFF![Café](${hut})\r\n`;
    const kept = {
      'utf8.md': Buffer.from(text),
      'utf16le.md': Buffer.from(text, 'utf16le'),
      'utf16be.md': Buffer.from(text, 'utf16le').swap16(),
    };
    const image = 'pictures/hut.png';
    const expected = text.replace(hut, image);
    for (const [file, bytes] of Object.entries(kept)) {
      await site.write(file, bytes);
      await site.put({ file, placeholder: hut, image });
    }
    assert.deepEqual(await site.read('utf8.md'), Buffer.from(expected));
    assert.deepEqual(await site.read('utf16le.md'), Buffer.from(expected, 'utf16le'));
    assert.deepEqual(await site.read('utf16be.md'), Buffer.from(expected, 'utf16le').swap16());
    const latin = Buffer.from(`![Café](${hut})`, 'latin1');
    await site.write('latin1.md', latin);
    for (const told of [
      await site.put({ file: 'latin1.md', placeholder: hut, image }),
      await site.find('latin1.md'),
    ]) {
      assert.match(told, /^latin1\.md can't be used: its encoding loses characters\./u);
      assert.match(told, free);
    }
    assert.deepEqual(await site.read('latin1.md'), latin);
  });

  story(
    'are refused outside of the workspace, and where there is nothing to do, at no cost',
    async (site) => {
      await site.write('../out.md', page);
      await site.link('../out.md', 'link.md');
      await site.write('trip.md', page);
      await site.write('node_modules/p/readme.md', page);
      await site.write('notes.txt', hut);
      const input = { placeholder: hut, image: 'pictures/hut.png', line: 3 };
      const refusals = {
        'is outside the workspace': { ...input, file: '../out.md' },
        'leads out of the workspace': { ...input, file: 'link.md' },
        'is in a folder of other software': { ...input, file: 'node_modules/p/readme.md' },
        'The file "gone.md" does not exist': { ...input, file: 'gone.md' },
        'The file "gone.png" does not exist': { ...input, file: 'trip.md', image: 'gone.png' },
        'must end in .png, .jpg, or .webp': { ...input, file: 'trip.md', image: 'notes.txt' },
        "notes.txt can't be read: Limner reads Markdown": { ...input, file: 'notes.txt' },
        'There is no placeholder "none.png" in line 3 of trip.md': {
          ...input,
          file: 'trip.md',
          placeholder: 'none.png',
        },
      };
      for (const [reason, one] of Object.entries(refusals)) {
        const told = await site.put(one);
        assert.ok(told.includes(reason), told);
        assert.match(told, free);
      }
      assert.match(await site.find('link.md'), /leads out of the workspace/u);
      assert.equal((await site.read('../out.md')).toString(), page);
      assert.equal((await site.read('trip.md')).toString(), page);
    },
  );
});
