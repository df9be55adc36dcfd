import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { baseIn } from '../../../../src/pages/find/baseIn.ts';
import { aliasesIn } from '../../../../src/pages/sites/aliases.ts';
import { placeholderAt, isUnfinished } from '../../../../src/pages/scan/placeholders.ts';
import { pathBetween, placesOf } from '../../../../src/pages/sites/places.ts';
import { ImageNames } from '../../../../src/pages/find/imageNames.ts';
import { proposedPrompt } from '../../../../src/pages/find/proposedPrompt.ts';
import { addressOfPath, pathOfAddress } from '../../../../src/pages/scan/addresses.ts';
import { wantedSize, wantsTransparency } from '../../../../src/pages/find/wantedFinish.ts';
import { readFrontMatter } from '../../../readers/pages.ts';

const size = (width: number, height: number): object => ({ size: { width, height } });
const atRoot = (...folders: readonly string[]): { folder: string; at: string }[] =>
  folders.map((folder) => ({ folder, at: '/' }));
const ofAngular = (folder: string): { folder: string; at: string }[] => [{ folder, at: '/assets/' }];

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
    'https://picsum.photos/seed/mountain-hut/600/400': { ...size(600, 400), words: 'mountain hut' },
    'https://picsum.photos/seed/a8f3/600/400': size(600, 400),
    'https://i.pravatar.cc/150?img=3': { ...size(150, 150), words: 'a portrait of a person' },
    'https://robohash.org/ada.png?size=80x80': { ...size(80, 80), words: 'a robot' },
    'https://ui-avatars.com/api/?name=Ada+Berg&size=128': {
      ...size(128, 128),
      words: 'a portrait of a person',
    },
    'https://dummyimage.com/600x400&text=Hello+you': { ...size(600, 400), words: 'Hello you' },
    'https://placehold.jp/24/cc9999/993333/150x100.png': size(150, 100),
    'https://loremflickr.com/g/320/240/paris,girl/all': { ...size(320, 240), words: 'paris girl' },
    'https://source.unsplash.com/random/900x700/?cafe&sig=1': { ...size(900, 700), words: 'cafe' },
    'https://picsum.photos/seed/picsum/200/300': size(200, 300),
    'https://placebeard.it/640x480': { ...size(640, 480), words: 'a man with a beard' },
    'https://api.dicebear.com/9.x/bottts/png?size=64&seed=x': { ...size(64, 64), words: 'a robot' },
    'https://avatar.iran.liara.run/public/44': { words: 'a portrait of a person' },
    'https://randomuser.me/api/portraits/women/32.jpg': { words: 'a portrait of a woman' },
    'https://randomuser.me/api/?results=5': undefined,
    'https://i.pravatar.cc/': undefined,
    'https://cataas.com/api/cats': undefined,
    'https://placecats.com/neo/300/200': { ...size(300, 200), words: 'a cat' },
    'https://placehold.co/600x400?text=100%': { ...size(600, 400), words: '100%' },
    'https://example.com/600x400': undefined,
    'images/600x400.png': undefined,
    'https://notplacehold.co/600x400': undefined,
    'https://placehold.co/600x400?text=Hello\\nworld|100%25': {
      ...size(600, 400),
      words: 'Hello world|100%',
    },
    'https://picsum.photos/id/{fox.id}/200/300': undefined,
    'https://picsum.photos/300/200?random={{ post.id }}': undefined,
    'https://placehold.co/600x400?text={% title %}': undefined,
    'https://placehold.co/600x400?text=<%= title %>': undefined,
    'https://picsum.photos/seed/${x}/200/300': undefined,
    'https://picsum.photos/200?random=%d': undefined,
    "https://picsum.photos/seed/' + id + '/200/300": undefined,
    'https://picsum.photos/200/**': undefined,
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
      "/img/' + name + '.png",
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

  it('is what YAML reads of the one that is written into it', () => {
    for (const path of [
      'Ann\'s: #1/a "b" c\\d.png',
      '../images/a b.png',
      './[1], {2}.png',
      '-a.png',
      'é - b.png',
    ]) {
      const yaml = [
        `plain: ${addressOfPath(path, 'yaml')}`,
        `flow: {a: ${addressOfPath(path, 'yaml')}, b: 1}`,
        `single: '${addressOfPath(path, "yaml'")}'`,
        `double: "${addressOfPath(path, 'yaml"')}"`,
      ];
      assert.deepEqual(readFrontMatter(['---', ...yaml, '---'].join('\n')), {
        plain: path,
        flow: { a: path, b: 1 },
        single: path,
        double: path,
      });
    }
  });
});

describe('the place of a file', () => {
  const layout = {
    root: '/project',
    served: atRoot('/project/site/public', '/project/static'),
    rules: [],
    aliases: [{ prefix: '@/', folder: '/project/src' }],
  };
  const at = (path: string, isImport = false): string[] =>
    placesOf(path, '/project/site/page.md', layout, isImport);

  it('is beside the document, in a folder that is served from the root, or where an alias leads', () => {
    assert.deepEqual(at('a/b.png'), ['/project/site/a/b.png']);
    assert.deepEqual(at('../b.png'), ['/project/b.png']);
    assert.deepEqual(at('/b.png'), ['/project/site/public/b.png', '/project/static/b.png', '/project/b.png']);
    assert.deepEqual(at('@/b.png', true), ['/project/src/b.png']);
    assert.deepEqual(at('./b.png', true), ['/project/site/b.png']);
  });

  it('is among the sources where a path from the root begins there', () => {
    assert.deepEqual(at('/src/b.png'), [
      '/project/site/src/b.png',
      '/project/src/b.png',
      '/project/site/public/src/b.png',
      '/project/static/src/b.png',
    ]);
    const noPublic = { root: '/project', served: [], rules: [], aliases: [] };
    assert.deepEqual(placesOf('/src/b.png', '/project/app/src/a/b.vue', noPublic), [
      '/project/app/src/b.png',
      '/project/src/b.png',
    ]);
  });

  it('is in the assets of Angular by their name', () => {
    const angular = { root: '/project', served: ofAngular('/project/src/assets'), rules: [], aliases: [] };
    const from = (document: string, path: string): string[] => placesOf(path, document, angular);
    const [asset, beside] = ['/project/src/assets/b.png', '/project/src/app/assets/b.png'];
    assert.deepEqual(from('/project/src/app/a.html', '/assets/b.png'), [asset, '/project/assets/b.png']);
    assert.deepEqual(from('/project/src/app/a.html', '/b.png'), ['/project/b.png']);
    assert.deepEqual(from('/project/src/app/a.html', 'assets/b.png'), [asset, beside]);
    assert.deepEqual(from('/project/src/app/a.md', 'assets/b.png'), [beside, asset]);
    assert.deepEqual(from('/project/README.md', 'assets/b.png'), ['/project/assets/b.png']);
  });

  it('is where the longest alias leads, and where imports alone have it, only theirs', () => {
    const aliases = [
      { prefix: '@/', folder: '/project/src' },
      { prefix: '@/images/', folder: '/project/pictures' },
      { prefix: 'assets/', folder: '/project/src/assets' },
    ];
    const from = (path: string, isImport: boolean): string[] =>
      placesOf(path, '/project/README.md', { root: '/project', served: [], rules: [], aliases }, isImport);
    assert.deepEqual(from('@/images/b.png', true), ['/project/pictures/b.png']);
    assert.deepEqual(from('@/images/b.png', false), ['/project/pictures/b.png']);
    assert.deepEqual(from('~@/b.png', false), ['/project/src/b.png']);
    assert.deepEqual(from('~package/b.png', false), []);
    assert.deepEqual(from('assets/b.png', true), ['/project/src/assets/b.png']);
    assert.deepEqual(from('assets/b.png', false), ['/project/assets/b.png']);
  });

  it('is nowhere outside of the workspace, in packages, or behind unknown aliases', () => {
    for (const path of ['../../b.png', '/../../b.png', '@/../../b.png', '~/b.png', '@assets/b.png']) {
      assert.deepEqual(
        at(path).filter((place) => !place.startsWith('/project/')),
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

  it('is never one of the words that templates have for any image', () => {
    const empty = [
      'placeholder',
      'Alt Text',
      'Image title',
      'Product Image',
      'Default',
      'No Image',
      'image 3',
      'Image description',
      'Your alt text here',
      'picture of product',
      'Card image cap',
      'Team member 2',
      'Photo by Ada Berg on Unsplash',
      'fa fa-user',
      '...',
      'Bildbeschreibung',
      'Imagen del producto',
      'Image du produit',
      '商品图片',
      '画像の説明',
    ];
    const latin = ['Pellentesque habitant morbi', 'Nemo enim ipsam voluptatem'];
    for (const alt of [...empty, ...latin, 'accusamus beatae ad facilis', 'Lorem ipsum dolor sit amet']) {
      assert.equal(proposedPrompt({ alt, heading: 'Blue kettles' }, 'img_0042.png'), 'Blue kettles', alt);
    }
    const said = [
      'Space',
      'Product photo of a blue kettle',
      'california rv',
      'Ada Berg',
      'Our team',
      'Material for MkDocs',
    ];
    for (const alt of said) {
      assert.equal(proposedPrompt({ alt }, 'a.png'), alt);
    }
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

describe('a transparent background', () => {
  const [icon, hero] = [
    { width: 64, height: 64 },
    { width: 1600, height: 600 },
  ];

  it('is wanted by words, by the folder of an icon, and by the size of one', () => {
    for (const [words, path, size] of [
      ['A red fox, transparent background', 'img/fox.png', hero],
      ['Ein Fuchs, freigestellt', 'img/fox.webp', undefined],
      ['一只狐狸，透明背景', 'fox.png', undefined],
      ['Un renard sans fond', 'fox.png', undefined],
      ['A mushroom, transparent', '', undefined],
      ['A mushroom', '../assets/icons/mushroom.png', undefined],
      ['A mushroom', 'img/mushroom.png', icon],
      ['A mushroom', '', { width: 16, height: 256 }],
    ] as const) {
      assert.ok(wantsTransparency(words, path, size), words);
    }
  });

  it('is not wanted by photos, by large images, and by formats without it', () => {
    for (const [words, path, size] of [
      ['A red fox', 'img/fox.png', hero],
      ['A red fox', 'img/fox.png', undefined],
      ['A bottle of transparent glass', 'img/bottle.png', undefined],
      ['A red fox, transparent background', 'img/fox.jpg', icon],
      ['Portrait of our founder', 'team/founder.png', { width: 150, height: 150 }],
      ['Photo of a fox', 'img/fox.webp', icon],
      ['A fox', 'icons/apple-touch-icon.png', { width: 180, height: 180 }],
      ['A dot', 'img/dot.png', { width: 8, height: 8 }],
    ] as const) {
      assert.ok(!wantsTransparency(words, path, size), words);
    }
  });
});

describe('aliases', () => {
  it('are read where they are plain, in spite of comments', () => {
    const tsconfig = `{
      // "@old/*": nothing
      "compilerOptions": { "baseUrl": "./app", "paths": { "@/*": ["./src/*"], "~img/*": ["pictures/*", "x/*"], "exact": ["y"] } },
    }`;
    assert.deepEqual(aliasesIn(tsconfig, 'tsconfig.json', '/project'), [
      { prefix: '@/', folder: '/project/app/src/' },
      { prefix: '~img/', folder: '/project/app/pictures/' },
    ]);
    const vite = `export default defineConfig({ resolve: { alias: {
      '@': fileURLToPath(new URL('./src', import.meta.url)), "assets": path.resolve(__dirname, 'src/assets'),
    } } })`;
    assert.deepEqual(aliasesIn(vite, 'vite.config.ts', '/project'), [
      { prefix: '@/', folder: '/project/src' },
      { prefix: 'assets/', folder: '/project/src/assets' },
    ]);
    assert.deepEqual(aliasesIn('not json', 'tsconfig.json', '/project'), []);
  });

  it('are not read in comments, and may lead out of their folder', () => {
    const tsconfig = `{ "compilerOptions": { "paths": {
      // "@/*": ["./old/*"],
      /* "#/*": ["./old/*"], */ "@/*": ["./src/*"] // "~/*": ["./old/*"]
    } } }`;
    assert.deepEqual(aliasesIn(tsconfig, 'tsconfig.json', '/w/app'), [
      { prefix: '@/', folder: '/w/app/src/' },
    ]);
    const vite = `export default { resolve: { alias: {
      // '@old': '/old',
      '@shared': path.resolve(__dirname,'../shared/src'), '@up': resolve(__dirname, '..', 'up'),
      assets: resolve('src/assets'), '@computed': folder, '@root': '/src',
    } } }`;
    assert.deepEqual(aliasesIn(vite, 'vite.config.ts', '/w/app'), [
      { prefix: '@shared/', folder: '/w/shared/src' },
      { prefix: '@up/', folder: '/w/up' },
      { prefix: 'assets/', folder: '/w/app/src/assets' },
      { prefix: '@root/', folder: '/w/app/src' },
    ]);
  });
});

const plainAliases = (alias: string): object =>
  aliasesIn(`export default { resolve: { alias: ${alias} } }`, 'vite.config.ts', '/w');
describe('aliases of a bundler', () => {
  it('are left alone where a condition tells what they are', () => {
    const alias = `{'@': path.join(process.cwd(), isDev ? 'src' : 'lib'), '#': process.env.A || 'a', '~': './b'}`;
    assert.deepEqual(plainAliases(alias), [{ prefix: '~/', folder: '/w/b' }]);
  });

  it('are read in a list, too', () => {
    const alias = `[
      { find: '@', replacement: fileURLToPath(new URL('./src', import.meta.url)) },
      { find: /^~(.*)$/, replacement: '$1' }, { find: "#/", replacement: path.resolve(__dirname, 'lib'), },
      { find: '!', replacement: isDev ? 'src' : 'lib' },
    ]`;
    assert.deepEqual(plainAliases(alias), [
      { prefix: '@/', folder: '/w/src' },
      { prefix: '#/', folder: '/w/lib' },
    ]);
  });
});

const baseOfPage = (address: string): string | undefined =>
  baseIn(`<head><!-- <base href="/no/"> --><base target="_top"><base href="${address}"></head>`, 'html');
describe('what is put before relative addresses', () => {
  it('is the folder of images in AsciiDoc', () => {
    assert.equal(baseIn('= A\r\n:imagesdir: pictures \r\n', 'asciidoc'), 'pictures/');
    assert.equal(baseIn(':imagesdir: {docdir}/a', 'asciidoc'), undefined);
    assert.equal(baseIn(':imagesdir: pictures', 'markdown'), '');
  });

  it('is what the header of AsciiDoc says, without conditions that hold elsewhere', () => {
    const header = [
      '////',
      'Ours',
      '////',
      '= A',
      'Ann Author <ann@example.com>',
      ':toc:',
      '',
      'ifdef::env-github[]',
      ':imagesdir: https://example.com/',
      'endif::[]',
      'ifndef::imagesdir[:imagesdir: ../pictures]',
    ];
    assert.equal(baseIn(header.join('\n'), 'asciidoc'), '../pictures/');
    assert.equal(baseIn('= A\n\nWords.\n\n :imagesdir: pictures\n', 'asciidoc'), '');
    assert.equal(baseIn('= A\n\nWords.\n\n:imagesdir: pictures\n', 'asciidoc'), undefined);
  });

  it('is the base of a page', () => {
    assert.deepEqual(['/', '/app/', '../a/index.html', 'index.html'].map(baseOfPage), [
      '/',
      '/app/',
      '../a/',
      '',
    ]);
    assert.deepEqual(['https://a.b/c/', '//a.b/', '{{ base }}'].map(baseOfPage), [
      undefined,
      undefined,
      undefined,
    ]);
    assert.equal(baseIn('<head></head>', 'html'), '');
  });
});

const between = (file: string, isImport = false): string =>
  pathBetween('/project/site/src', file, { served: atRoot('/project/site/public'), isImport });

const ofAssets = (...served: readonly { folder: string; at: string }[]): string =>
  pathBetween('/w/src/app', '/w/src/assets/b.png', { served, isImport: false });

void describe('the path by which a document names a file', () => {
  void it('begins at the root of the site in a public folder', () => {
    assert.equal(between('/project/site/public/images/fox.png'), '/images/fox.png');
  });

  void it('is relative elsewhere, and never a bare name where that is a package', () => {
    assert.equal(between('/project/site/images/fox.png'), '../images/fox.png');
    assert.equal(between('/project/site/src/fox.png'), 'fox.png');
    assert.equal(between('/project/site/src/fox.png', true), './fox.png');
    assert.equal(between('/project/site/public/fox.png', true), '../public/fox.png');
    assert.equal(between('/project/site/public-domain/fox.png'), '../public-domain/fox.png');
  });

  void it('begins with the name of assets only where nothing else is public', () => {
    assert.equal(ofAssets(...ofAngular('/w/src/assets')), '/assets/b.png');
    assert.equal(ofAssets(...atRoot('/w/public'), ...ofAngular('/w/src/assets')), '../assets/b.png');
  });
});

describe('an image that an address means although it leads elsewhere', () => {
  const names = new ImageNames();
  for (const path of [
    '/w/modules/care/assets/images/beds/rose.png',
    '/w/src/site/img/Rose.png',
    '/w/static/img/a.png',
  ]) {
    names.add(path);
  }

  it('ends with the whole address, or else with the address without its first folder', () => {
    assert.deepEqual(names.endingWith('beds/rose.png'), ['/w/modules/care/assets/images/beds/rose.png']);
    assert.deepEqual(names.endingWith('/img/rose.png'), ['/w/src/site/img/Rose.png']);
    assert.deepEqual(names.endingWith('/docs/img/a.png'), ['/w/static/img/a.png']);
    assert.deepEqual(names.endingWith('../../../img/a.png'), ['/w/static/img/a.png']);
    assert.deepEqual(names.endingWith('other/img/b.png'), []);
    assert.deepEqual(names.endingWith('g/a.png'), ['/w/static/img/a.png']);
    assert.deepEqual(names.endingWith('x/y/a.png'), []);
  });

  it('is no longer found once it is deleted', () => {
    names.delete('/w/static/img/a.png');
    assert.deepEqual(names.endingWith('img/a.png'), []);
  });
});
