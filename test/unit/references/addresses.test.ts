import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aliasesIn } from '../../../src/references/aliases.ts';
import { placeholderAt, isUnfinished } from '../../../src/references/placeholders.ts';
import { pathBetween, placesOf } from '../../../src/references/places.ts';
import { proposedPrompt } from '../../../src/references/proposedPrompt.ts';
import { addressOfPath, pathOfAddress } from '../../../src/references/addresses.ts';
import { wantedSize } from '../../../src/references/wantedSize.ts';

const size = (width: number, height: number): object => ({ size: { width, height } });

describe('addresses of placeholder services', () => {
  const cases: Record<string, object | undefined> = {
    'https://placehold.co/600x400': size(600, 400),
    'https://placehold.co/600x400/000/fff.png?text=Our+Team': { ...size(600, 400), words: 'Our Team' },
    'https://placehold.co/300': size(300, 300),
    'http://via.placeholder.com/728x90.png?text=728x90': size(728, 90),
    'https://dummyimage.com/1200x630/fff&text=x': size(1200, 630),
    'https://picsum.photos/200/300': size(200, 300),
    'https://picsum.photos/id/237/200/300?grayscale': size(200, 300),
    'https://picsum.photos/seed/12/640/480.jpg': size(640, 480),
    'https://picsum.photos/400': size(400, 400),
    'https://loremflickr.com/320/240/dog,park': { ...size(320, 240), words: 'dog park' },
    'https://placekitten.com/96/139': { ...size(96, 139), words: 'a kitten' },
    'https://source.unsplash.com/1600x900/?nature,water': { ...size(1600, 900), words: 'nature water' },
    '//www.placehold.it/50x50': size(50, 50),
    'https://placehold.co/': undefined,
    'https://placehold.co': undefined,
    'https://placehold.co/**': undefined,
    'https://placehold.co/docs': undefined,
    'https://picsum.photos/v2/list?page=2': undefined,
    'https://picsum.photos/id/237/info': undefined,
    'https://picsum.photos/200.webp': size(200, 200),
    'https://placekitten.com/about': undefined,
    'https://source.unsplash.com/': undefined,
    'https://source.unsplash.com/**': undefined,
    'https://source.unsplash.com/random': {},
    'https://source.unsplash.com/?fox': { words: 'fox' },
    'https://example.com/600x400': undefined,
    'images/600x400.png': undefined,
    'https://notplacehold.co/600x400': undefined,
  };
  for (const [address, expected] of Object.entries(cases)) {
    it(`tell what they ask for: ${address}`, () => assert.deepEqual(placeholderAt(address), expected));
  }

  it('are told from files whose names say that they are to be replaced', () => {
    const names = [
      'TODO.png',
      'fixme_1.webp',
      'img/placeholder-2.jpg',
      'dummy.png',
      'todo-list.png',
      'todo.svg',
    ];
    const unfinished = (isThere: boolean): string[] => names.filter((name) => isUnfinished(name, isThere));
    assert.deepEqual(unfinished(false), names.slice(0, 4));
    assert.deepEqual(unfinished(true), names.slice(0, 2));
  });
});

describe('the path of an address', () => {
  it('is decoded, and without its query', () => {
    assert.equal(pathOfAddress('a%20b/c.png?v=1#top', 'url'), 'a b/c.png');
    assert.equal(pathOfAddress('./a b.png?url', 'path'), './a b.png');
  });

  it('is that of a local file of a format that Limner writes, and of no template', () => {
    for (const address of [
      'https://a.b/c.png',
      '//a.b/c.png',
      'data:image/png;base64,a.png',
      'C:\\a.png',
      'a.svg',
      'a.png.txt',
      '{a}.png',
      '${a}.png',
      '%ZZ.png',
      '',
    ]) {
      assert.equal(pathOfAddress(address, 'url'), undefined, address);
    }
  });

  it('is found again in the address that is written for it', () => {
    const path = 'my files/a (new) \'one\' & 50% "x" #2.png';
    assert.equal(pathOfAddress(addressOfPath(path, 'url'), 'url'), path);
    assert.doesNotMatch(addressOfPath(path, 'url'), /[\s"'()<>]/u);
  });
});

describe('the place of a file', () => {
  const layout = {
    root: '/work',
    publicFolders: ['/work/site/public', '/work/static'],
    aliases: [{ prefix: '@/', folder: '/work/src' }],
  };
  const at = (path: string, isImport = false): string[] =>
    placesOf(path, '/work/site/page.md', layout, isImport);

  it('is beside the document, in a folder that is served from the root, or where an alias leads', () => {
    assert.deepEqual(at('a/b.png'), ['/work/site/a/b.png']);
    assert.deepEqual(at('../b.png'), ['/work/b.png']);
    assert.deepEqual(at('/b.png'), ['/work/site/public/b.png', '/work/static/b.png', '/work/b.png']);
    assert.deepEqual(at('@/b.png', true), ['/work/src/b.png']);
    assert.deepEqual(at('./b.png', true), ['/work/site/b.png']);
  });

  it('is nowhere outside of the workspace, in packages, or behind unknown aliases', () => {
    for (const path of ['../../b.png', '/../../b.png', '@/../../b.png', '~/b.png', '@assets/b.png']) {
      assert.deepEqual(
        at(path).filter((place) => !place.startsWith('/work/')),
        [],
        path,
      );
    }
    assert.deepEqual(at('../../b.png'), []);
    assert.deepEqual(at('package/b.png', true), []);
  });
});

describe('the prompt that is proposed', () => {
  it('is what the document says of the image, else what its name and the heading say', () => {
    assert.equal(proposedPrompt({ alt: 'A red boat', title: 'x' }, 'a.png'), 'A red boat');
    assert.equal(proposedPrompt({ alt: 'boat.png', caption: 'The quay' }, 'a.png'), 'The quay');
    assert.equal(
      proposedPrompt({ heading: 'Our team' }, 'img/heroBanner-1200x630@2x.png'),
      'hero banner: Our team',
    );
    assert.equal(proposedPrompt({ heading: 'Our team' }, 'img_0042.png'), 'Our team');
    assert.equal(proposedPrompt({}, 'placeholder-1.png'), '');
  });
});

describe('the size that is wanted', () => {
  it('is the one it is shown in, else the one in its name, for the density that the name says', () => {
    assert.deepEqual(wantedSize({ size: { width: 300, height: 200 } }, 'a-10x10.png'), {
      width: 300,
      height: 200,
    });
    assert.deepEqual(wantedSize({ size: { width: 300 } }, 'card-1200x630.png'), { width: 1200, height: 630 });
    assert.deepEqual(wantedSize({ size: { width: 30, height: 20 } }, 'a@2x.png'), { width: 60, height: 40 });
    assert.equal(wantedSize({ size: { width: 300 } }, 'a.png'), undefined);
    assert.equal(wantedSize({ size: { width: 1, height: 1 } }, 'a.png'), undefined);
  });
});

describe('aliases', () => {
  it('are read where they are plain, in spite of comments', () => {
    const tsconfig = `{
      // "@old/*": nothing
      "compilerOptions": { "baseUrl": "./app", "paths": { "@/*": ["./src/*"], "~img/*": ["pictures/*", "x/*"], "exact": ["y"] } },
    }`;
    assert.deepEqual(aliasesIn(tsconfig, 'tsconfig.json', '/work'), [
      { prefix: '@/', folder: '/work/app/src/' },
      { prefix: '~img/', folder: '/work/app/pictures/' },
    ]);
    const vite = `export default defineConfig({ resolve: { alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)), "assets": path.resolve(__dirname, 'src/assets'),
    } } })`;
    assert.deepEqual(aliasesIn(vite, 'vite.config.ts', '/work'), [
      { prefix: '@/', folder: '/work/src' },
      { prefix: 'assets/', folder: '/work/src/assets' },
    ]);
    assert.deepEqual(aliasesIn('not json', 'tsconfig.json', '/work'), []);
  });
});

const between = (file: string, isImport = false): string =>
  pathBetween('/work/site/src/page.md', file, { publicFolders: ['/work/site/public'], isImport });

void describe('the path by which a document names a file', () => {
  void it('begins at the root of the site in a public folder', () => {
    assert.equal(between('/work/site/public/images/fox.png'), '/images/fox.png');
  });

  void it('is relative elsewhere, and never a bare name where that is a package', () => {
    assert.equal(between('/work/site/images/fox.png'), '../images/fox.png');
    assert.equal(between('/work/site/src/fox.png'), 'fox.png');
    assert.equal(between('/work/site/src/fox.png', true), './fox.png');
    assert.equal(between('/work/site/public/fox.png', true), '../public/fox.png');
    assert.equal(between('/work/site/public-domain/fox.png'), '../public-domain/fox.png');
  });
});
