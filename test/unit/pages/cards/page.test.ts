import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as fc from 'fast-check';
import { type CardImage, withEdits } from '../../../../src/pages/cards/cardImage.ts';
import { readPage, writePage } from '../../../../src/pages/cards/page.ts';
import { readFrontMatter, readHead } from '../../../readers/pages.ts';

const image: CardImage = {
  page: 'index.html',
  fromPage: '../public/images/a-card.png',
  fromSite: '/images/a-card.png',
  isPublic: true,
  alt: 'Rye bread · Bakery',
  width: 1200,
  height: 630,
};
const beside: CardImage = {
  ...image,
  fromPage: 'images/a-card.png',
  fromSite: '/docs/images/a-card.png',
  isPublic: false,
};

/** Returns what a program takes an expression for. */
function valueOf(expression: string): unknown {
  return JSON.parse(JSON.stringify(runInNewContext(expression)));
}

function written(text: string, language: string, card = image): string {
  const change = writePage(text, language, card);
  assert.ok(change);
  return withEdits(text, change.edits);
}

/** Returns the lines that are in one text and not in the other, in order. */
function newLines(before: string, after: string): string[] {
  const known = before.split(/\r?\n/u);
  return after.split(/\r?\n/u).filter((line) => !known.includes(line));
}

const inLayout = (address: string): string =>
  `<Layout image="${address}">\n  <Layout image="/x.png"><p /></Layout>\n  <Layout />\n</Layout>\n<style>a{}</style>\n`;

const inToml = (lines: string): string => `+++\n${lines}\n+++\nText\n`;

const expected = (address: string): object => ({
  'og:image': [address],
  'og:image:width': ['1200'],
  'og:image:height': ['630'],
  'og:image:alt': ['Rye bread · Bakery'],
  'twitter:card': ['summary_large_image'],
  'twitter:image': [address],
});

const addressOn = (head: string, card: CardImage): string | undefined => {
  const page = `<head><title>x</title>${head}</head>`;
  const change = writePage(page, 'html', card);
  const address = readHead(withEdits(page, change?.edits ?? []))['og:image']?.[0];
  assert.equal(change?.isWhole, address?.startsWith('https://') === true);
  return address;
};
const canonical = (url: string): string => `<link href="${url}" rel="canonical">`;
const ogUrl = (url: string): string => `<meta property="og:url" content="${url}">`;
const ogImage = (url: string): string => `<meta property="og:image" content="${url}">`;

describe('what a page says of itself', () => {
  const pages: readonly [name: string, language: string, text: string, expected: object][] = [
    [
      'front matter',
      'markdown',
      '---\ntitle: Rye bread\ndescription: "In \\"five\\" steps"\n---\n# Other\n',
      { title: 'Rye bread', description: 'In "five" steps' },
    ],
    [
      'a quoted title',
      'markdown',
      "---\ntitle: 'Don''t panic: a guide' # really\n---\n",
      { title: "Don't panic: a guide" },
    ],
    [
      'a folded description',
      'markdown',
      '---\ntitle: A\ndescription: >-\n  One\n  two\nsite: Bakery\n---\n',
      { title: 'A', description: 'One two', siteName: 'Bakery' },
    ],
    [
      'a title of several lines',
      'markdown',
      '---\ntitle: A long\n  title\nimage: x\n---\n',
      { title: 'A long title' },
    ],
    [
      'a byte order mark and Windows line ends',
      'markdown',
      '\uFEFF---\r\ntitle: Rye\r\n---\r\n',
      { title: 'Rye' },
    ],
    [
      'TOML',
      'markdown',
      '+++\ntitle = "Rye \\u2014 bread"\n[params]\ntitle = "no"\n+++\n',
      { title: 'Rye — bread' },
    ],
    [
      'a heading',
      'markdown',
      'Text\n\n```\n# no\n```\n\n# The *best* `snake_case` in __Python__ {#id}\n',
      { title: 'The best snake_case in Python' },
    ],
    [
      'an underlined heading',
      'markdown',
      '---\nlayout: x\n---\nRye &amp; wheat\n===\n',
      { title: 'Rye & wheat' },
    ],
    ['a rule that is no front matter', 'markdown', '---\n\n# Rye\n', { title: 'Rye' }],
    [
      'a name with underscores',
      'markdown',
      '# The snake_case_name of 2 * 3 * 4\n',
      { title: 'The snake_case_name of 2 * 3 * 4' },
    ],
    [
      'a title with its site',
      'html',
      '<title>Rye &ndash; Bakery</title><h1>Rye</h1>',
      { title: 'Rye', siteName: 'Bakery' },
    ],
    [
      'a title with a bar',
      'html',
      '<head><title>Rye | Bakery</title></head>',
      { title: 'Rye', siteName: 'Bakery' },
    ],
    [
      'a title with a dash of its own',
      'html',
      '<title>Rye – a story</title><h1>Welcome</h1>',
      { title: 'Rye – a story', siteName: '' },
    ],
    [
      'Open Graph tags',
      'html',
      '<head><title>x</title><meta content="Rye &#8212; it&apos;s &eacute;" property="og:title"><meta name="description" content="All about it"><meta property="og:site_name" content="Bakery">',
      { title: "Rye — it's &eacute;", description: 'All about it', siteName: 'Bakery' },
    ],
    [
      'the address of the page',
      'html',
      '<title>Rye</title><link rel="canonical" href="https://www.bakery.example/rye">',
      { title: 'Rye', siteName: 'bakery.example' },
    ],
    [
      'neither comments nor pictures',
      'html',
      '<!-- <title>no</title> --><svg><title>no</title></svg><title>Rye</title>',
      { title: 'Rye' },
    ],
    [
      'front matter in HTML',
      'html',
      '---\ntitle: Rye\n---\n<title>{{ page.title }}</title>',
      { title: 'Rye' },
    ],
    ['what a program fills in', 'html', '<title>{{ title }}</title><h1>Rye</h1>', { title: 'Rye' }],
    [
      'a constant of a component',
      'astro',
      '---\nconst title = \'Rye\';\nconst description = "Five steps";\n---\n<html><head><title>{title}</title></head></html>',
      { title: 'Rye', description: 'Five steps' },
    ],
    [
      'what a layout is told',
      'astro',
      '---\nimport Layout from "x";\n---\n<Layout title="Rye" description="Steps"><h1>Other</h1></Layout>',
      { title: 'Other', description: 'Steps' },
    ],
    ['nothing', 'markdown', '', { title: '', description: '', siteName: '' }],
  ];
  for (const [name, language, text, expected] of pages) {
    it(`is read: ${name}`, () => {
      const words = readPage(text, language);
      assert.deepEqual({ ...words, ...expected }, words);
    });
  }
});

describe('the image in front matter', () => {
  const lines: readonly [before: string, after: string, card?: CardImage][] = [
    ['title: A', 'title: A\nimage: /images/a-card.png'],
    ['title: A', 'title: A\nimage: images/a-card.png', beside],
    ['image: /img/old.png # kept', 'image: /images/a-card.png # kept'],
    ['image: "./old.png"\ntags: [a]', 'image: "../public/images/a-card.png"\ntags: [a]'],
    ["image: './old.png'", "image: './images/a-card.png'", beside],
    ['image: img/old.png', 'image: images/a-card.png'],
    [
      'ogImage: https://a.example/blog/images/a-card.png?v=1\nimage: hero.png',
      'ogImage: https://a.example/blog/images/a-card.png\nimage: hero.png',
    ],
    ['og_image: /old.png', 'og_image: /images/a-card.png'],
    ['cover: /old.png', 'cover: /images/a-card.png'],
    [
      'cover:\n  image: /old.png\n  alt: An oven\n  caption: kept',
      'cover:\n  image: /images/a-card.png\n  alt: "Rye bread · Bakery"\n  caption: kept',
    ],
    [
      'image:\n  # where it is\n  src: "/old.png"\n  alt: ""',
      'image:\n  # where it is\n  src: "/images/a-card.png"\n  alt: "Rye bread · Bakery"',
    ],
    [
      'image: { src: /old.png, alt: "An oven" }',
      'image: { src: /images/a-card.png, alt: "Rye bread · Bakery" }',
    ],
    [
      'image:\n  author:\n    url: https://bob.example\n  src: /a.png',
      'image:\n  author:\n    url: https://bob.example\n  src: /images/a-card.png',
    ],
    [
      'images:\n  - by:\n      url: b\n    url: /a.png\n    alt: x\n  - url: /b.png',
      'images:\n  - by:\n      url: b\n    url: /images/a-card.png\n    alt: "Rye bread · Bakery"\n  - url: /b.png',
    ],
    ['cover:\n  image:\n  alt: x', 'cover:\n  image: /images/a-card.png\n  alt: "Rye bread · Bakery"'],
    ['images:\n  - /old.png\n  - /other.png', 'images:\n  - /images/a-card.png\n  - /other.png'],
    ['images:\n- "/old.png"', 'images:\n- "/images/a-card.png"'],
    ['images: ["/old.png", b.png]', 'images: ["/images/a-card.png", b.png]'],
    ['images: []', 'images: [/images/a-card.png]'],
    ['images:', 'images: [/images/a-card.png]'],
    ['image:\ntitle: A', 'image: /images/a-card.png\ntitle: A'],
    ['image: ""', 'image: "/images/a-card.png"'],
    ['image: null', 'image: /images/a-card.png'],
    ['image: # none', 'image: /images/a-card.png # none'],
    ['image: a\n  b\n404: A', 'image: images/a-card.png\n404: A'],
    ['image: /old.png\nimageAlt: An oven', 'image: /images/a-card.png\nimageAlt: "Rye bread · Bakery"'],
    ['title: |\n  ---\n  image: no\nx: 1', 'title: |\n  ---\n  image: no\nx: 1\nimage: /images/a-card.png'],
  ];
  for (const [before, after, card] of lines) {
    it(`is written into: ${JSON.stringify(before)}`, () => {
      for (const end of ['\n', '\r\n']) {
        const page = (lines: string): string =>
          `---\n${lines}\n---\n\nText\n\n---\n\nimage: no\n`.replaceAll('\n', end);
        assert.equal(written(page(before), 'markdown', card), page(after));
        assert.ok(readFrontMatter(page(after)));
      }
    });
  }

  it('never gets an address on a site that may be another one', () => {
    for (const [line, address] of [
      ['image: https://images.unsplash.com/photo-1', '/images/a-card.png'],
      ['image: //cdn.example/images/old.png', '/images/a-card.png'],
      ['image: https://user.github.io/blog/images/old.png', '/images/a-card.png'],
      ['image: https://user.github.io/blog/images/a-card.png', undefined],
      ['image: /old.png', undefined],
    ] as const) {
      const page = `---\n${line}\n---\n`;
      const change = writePage(page, 'markdown', image);
      assert.equal(change?.isWhole, address === undefined, line);
      if (address !== undefined) {
        assert.deepEqual(readFrontMatter(withEdits(page, change?.edits ?? [])), { image: address });
      }
    }
    const layout = '<Layout image="https://cdn.example/old.png" />';
    assert.equal(written(layout, 'astro'), '<Layout image="/images/a-card.png" />');
    assert.equal(writePage(layout, 'astro', image)?.isWhole, false);
  });

  it('is left alone where it is not understood', () => {
    for (const line of [
      'image: *anchor',
      'image: !file a.png',
      'image:\n  - - a',
      'image: >-\n  a\n  b',
      'image:\n  url:\n    src: a.png',
      'image: { src: *a, alt: x }',
      'image: &hero a.png\nhero: *hero',
      'image: a.png\ntitle: "Rye',
      '{title: A, layout: post}',
      '{\ntitle: A,\nlayout: post\n}',
      '  title: A\n  layout: post',
      `data: ${'['.repeat(100_000)}`,
      'image: "{{ page.image }}"',
      'cover:\n  src: <%= image %>',
    ]) {
      assert.equal(writePage(`---\n${line}\n---\n`, 'markdown', image), undefined, line);
    }
    assert.equal(writePage('export const meta = {}\n\n# A\n', 'mdx', image), undefined);
  });

  it('comes with front matter where there is none', () => {
    assert.equal(written('# Rye\n', 'markdown'), '---\nimage: /images/a-card.png\n---\n\n# Rye\n');
    assert.equal(
      written('\uFEFF# Rye\r\n', 'mdx'),
      '\uFEFF---\r\nimage: /images/a-card.png\r\n---\r\n\r\n# Rye\r\n',
    );
    assert.equal(written('---\n---\nx', 'markdown'), '---\nimage: /images/a-card.png\n---\nx');
  });

  it('is written into TOML', () => {
    for (const [before, after] of [
      ['title = "A"', 'title = "A"\nimages = ["/images/a-card.png"]'],
      ['title = "A"\n[menu]\nx = 1', 'title = "A"\nimages = ["/images/a-card.png"]\n[menu]\nx = 1'],
      ['images = ["/old.png", "/b.png"]', 'images = ["/images/a-card.png", "/b.png"]'],
      [
        'weights = [\n  ["x"], # ]\n]\ntitle = "]"\n',
        'weights = [\n  ["x"], # ]\n]\ntitle = "]"\n\nimages = ["/images/a-card.png"]',
      ],
      ['[a."b c"]\nimage = "x"', 'images = ["/images/a-card.png"]\n[a."b c"]\nimage = "x"'],
      ['images = []', 'images = ["/images/a-card.png"]'],
      ["image = '/old.png' # kept", "image = '/images/a-card.png' # kept"],
      ['cover.image = "/old.png"\nparams.x = 1', 'cover.image = "/images/a-card.png"\nparams.x = 1'],
      [
        '[[images]]\nurl = "/a.png"\n[[images]]\nurl = "/b.png"',
        '[[images]]\nurl = "/images/a-card.png"\n[[images]]\nurl = "/b.png"',
      ],
      [
        'title = "A"\n[params]\ncover = { image = "a.png" }',
        'title = "A"\n[params]\ncover = { image = "images/a-card.png" }',
      ],
      [
        '[cover]\nimage = "/old.png"\nalt = "x"',
        '[cover]\nimage = "/images/a-card.png"\nalt = "Rye bread · Bakery"',
      ],
      ['a = """\nimage = "no"\n"""\n', 'a = """\nimage = "no"\n"""\n\nimages = ["/images/a-card.png"]'],
    ] as const) {
      assert.equal(written(inToml(before), 'markdown'), inToml(after));
    }
    for (const line of ['image = 1', 'image = "{{ x }}"', 'weights = [\ntitle = "A"']) {
      assert.equal(writePage(inToml(line), 'markdown', image), undefined, line);
    }
  });

  it('is written into JSON', () => {
    for (const [before, after] of [
      ['{\n  "title": "A"\n}', '{\n  "title": "A",\n  "images": ["/images/a-card.png"]\n}'],
      ['{"title": "A"}', '{"title": "A","images": ["/images/a-card.png"]}'],
      ['{\n\t"images": [],\n\t"a": "}"\n}', '{\n\t"images": ["/images/a-card.png"],\n\t"a": "}"\n}'],
      [
        '{ "cover": { "image": "/old.png", "alt": "\\u00e9" }, "x": [{}] }',
        '{ "cover": { "image": "/images/a-card.png", "alt": "Rye bread · Bakery" }, "x": [{}] }',
      ],
    ] as const) {
      const page = written(`${before}\n\n# Text {\n`, 'markdown');
      assert.equal(page, `${after}\n\n# Text {\n`);
      assert.ok(JSON.parse(after));
    }
    assert.equal(writePage('{ "title": "A" "b" }\n', 'markdown', image), undefined);
  });

  it('is what YAML reads there, whatever the file is called; everything else stays', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .filter((text) => !/[\p{C}/\\]|[{$<][{%?]/u.test(text));
    const before = fc.constantFrom(
      '',
      'image: /a.png',
      'image: "./a.png"',
      "image: 'a.png'",
      'image:',
      'images: [a.png]',
      'cover:\n  url: a.png',
    );
    fc.assert(
      fc.property(name, before, fc.constantFrom('\n', '\r\n'), fc.string(), (name, line, end, rest) => {
        const body = ['title: A', ...(line === '' ? [] : line.split('\n')), 'x: [1, 2]'].join(end);
        const page = `---${end}${body}${end}---${end}${rest}`;
        const card = { ...image, fromSite: `/i/${name}.png`, fromPage: `../public/i/${name}.png` };
        const after = written(page, 'markdown', card);
        const said = JSON.stringify(readFrontMatter(after));
        assert.ok(said.includes(JSON.stringify(`${name}.png`).slice(1, -1)), said);
        assert.ok(after.endsWith(`---${end}${rest}`));
        assert.equal(newLines(page, after).length, 1);
        assert.deepEqual(writePage(after, 'markdown', card)?.edits, []);
      }),
    );
  });
});

describe('the image in the head of a page', () => {
  it('is added behind what is there, as that is indented', () => {
    const page = [
      '<!doctype html>',
      '<html lang="en">',
      '  <head>',
      '    <meta charset="utf-8" />',
      '    <title>Rye</title>',
      '    <link rel="canonical" href="https://bakery.example/rye" />',
      '  </head>',
      '  <body><h1>Rye</h1></body>',
      '</html>',
      '',
    ].join('\r\n');
    const after = written(page, 'html', { ...image, page: 'rye.html' });
    assert.deepEqual(readHead(after), expected('https://bakery.example/images/a-card.png'));
    assert.equal(
      after,
      page.replace(
        '<title>Rye</title>\r\n',
        [
          '<title>Rye</title>',
          '<meta property="og:image" content="https://bakery.example/images/a-card.png" />',
          '<meta property="og:image:width" content="1200" />',
          '<meta property="og:image:height" content="630" />',
          '<meta property="og:image:alt" content="Rye bread · Bakery" />',
          '<meta name="twitter:card" content="summary_large_image" />',
          '<meta name="twitter:image" content="https://bakery.example/images/a-card.png" />',
          '',
        ]
          .join('\r\n    ')
          .trimEnd() + '\r\n',
      ),
    );
  });

  it('takes the place of the one before, with all that was said of that', () => {
    const page = `<head>
  <meta property='og:image' content='https://bakery.example/images/a-card.png?it&#39;s'>
  <meta property="og:image:secure_url" content="https://bakery.example/old.jpg">
  <meta property="og:image:type" content="image/jpeg">
  <meta content=100 property="og:image:width">
  <meta property="og:image" content="https://bakery.example/second.jpg">
  <meta property="og:image:width" content="7">
  <meta name="twitter:card" content="summary">
  <meta name="twitter:image:alt" content="An oven">
</head>`;
    const after = written(page, 'html');
    const address = 'https://bakery.example/images/a-card.png';
    assert.deepEqual(readHead(after), {
      'og:image': [address, 'https://bakery.example/second.jpg'],
      'og:image:secure_url': [address],
      'og:image:type': ['image/png'],
      'og:image:width': ['1200', '7'],
      'og:image:height': ['630'],
      'og:image:alt': ['Rye bread · Bakery'],
      'twitter:card': ['summary_large_image'],
      'twitter:image': [address],
      'twitter:image:alt': ['Rye bread · Bakery'],
    });
    assert.ok(after.includes(`content='${address}'`));
    assert.ok(after.indexOf('og:image:height') < after.indexOf('second.jpg'));
    assert.deepEqual(writePage(after, 'html', image)?.edits, []);
  });

  it('has a whole address where the page tells its own, else a path, which is said', () => {
    const about = { ...image, page: 'src/pages/about/team.astro' };
    const plain = { ...beside, page: 'docs/about.html' };
    for (const [head, card, address] of [
      ['', image, '/images/a-card.png'],
      ['', beside, 'images/a-card.png'],
      [canonical('https://a.example/'), image, 'https://a.example/images/a-card.png'],
      [canonical('https://a.example/repo/'), image, 'https://a.example/repo/images/a-card.png'],
      [canonical('https://a.example/repo/about/team/'), about, 'https://a.example/repo/images/a-card.png'],
      [
        canonical('https://a.example/repo/about/team.html'),
        about,
        'https://a.example/repo/images/a-card.png',
      ],
      [
        '<meta property="og:url" content="https://a.example/docs/about.html">',
        plain,
        'https://a.example/docs/images/a-card.png',
      ],
      [canonical('https://a.example/docs/about/'), plain, 'https://a.example/docs/images/a-card.png'],
      [canonical('/about'), image, '/images/a-card.png'],
      [canonical('https://a.example/home'), image, '/images/a-card.png'],
      [canonical('https://a.example/repo/other-slug/'), about, '/images/a-card.png'],
      [canonical('https://a.example/repo/team/'), about, '/images/a-card.png'],
      [canonical('https://a.example/repo/other-slug/'), plain, 'images/a-card.png'],
      [canonical('https://a.example/about'), plain, 'https://a.example/images/a-card.png'],
      [
        canonical('https://b.example/') + ogUrl('https://a.example/about/team'),
        about,
        'https://a.example/images/a-card.png',
      ],
      [ogImage('https://cdn.example/images/old.png'), image, '/images/a-card.png'],
      [
        ogImage('https://a.example/repo/images/a-card.png?v=1'),
        image,
        'https://a.example/repo/images/a-card.png',
      ],
    ] as const) {
      assert.equal(addressOn(head, card), address, head);
    }
  });

  it('is written so that it is read as it is meant', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', maxLength: 40 }).filter((text) => !/[\p{C}]/u.test(text)),
        fc.constantFrom('"', "'"),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (alt, quote, end, isThere) => {
          const tag = `<meta property=${quote}og:image:alt${quote} content=${quote}x${quote}>`;
          const page = [
            '<head>',
            '  <title>A</title>',
            ...(isThere ? [`  ${tag}`] : []),
            '</head>',
            '<p>x',
          ].join(end);
          const after = written(page, 'html', { ...image, alt });
          assert.deepEqual(readHead(after)['og:image:alt'], [alt]);
          assert.equal(after.split(end).length, page.split(end).length + (isThere ? 5 : 6));
          assert.deepEqual(writePage(after, 'html', { ...image, alt })?.edits, []);
        },
      ),
    );
  });

  it('is added to one line where all is on one, and to a page without a head', () => {
    for (const page of [
      '<head><meta charset=utf-8><title>A</title></head>',
      '<title>A</title>\n<p>x',
      '<!doctype html>\n<body>',
      '<html>\n<p>',
    ]) {
      assert.deepEqual(readHead(written(page, 'html')), expected('/images/a-card.png'), page);
    }
    const line = '<head><title>A</title></head>';
    assert.ok(!written(line, 'html').includes('\n'));
  });

  it('is left alone where a program puts it together, and in a piece of a page', () => {
    assert.equal(
      writePage('<head><meta property="og:image" content="{{ image }}"></head>', 'html', image),
      undefined,
    );
    assert.equal(
      writePage('<head><meta property="og:image" content={image} /></head>', 'astro', image),
      undefined,
    );
    assert.equal(writePage('<div>x</div>', 'html', image), undefined);
    assert.equal(writePage('---\n---\n<Layout title="A" />', 'astro', image), undefined);
  });

  it('is added where every page has it, whatever a template decides', () => {
    const tag = '<meta property="og:title" content="A">';
    for (const [opening, closing] of [
      ['{% if page.title %}', '{% endif %}'],
      ['{%- unless a -%}{% if b %}x{% else %}', '{% endif %}{% endunless %}'],
      ['{{#if title}}', '{{/if}}'],
      ['{{ if .Title }}', '{{ end }}'],
      ['{{- with .Title -}}{{ . }}', '{{- end -}}'],
      ['<% if (title) { %>', '<% } %>'],
      ['<%- if title -%>', '<%- end -%>'],
      ['<?php if ($title): ?>', '<?php endif ?>'],
      ['{title && (', ')}'],
    ]) {
      const page = `<head>\n  <title>{{ x }}</title>\n  ${opening}\n  ${tag}\n  ${closing}\n</head>`;
      const after = written(page, 'html');
      assert.ok(after.includes(`${opening}\n  ${tag}\n  ${closing}`), after);
      assert.deepEqual(readHead(after)['og:image'], ['/images/a-card.png']);
      const named = page.replace('og:title', 'og:image');
      assert.equal(writePage(named, 'html', image), undefined, named);
    }
  });

  it('is added to the page, and not to what a comment of its templates says', () => {
    for (const comment of [
      '<!-- <head></head> -->',
      '{{/* Is put into <head></head> */}}',
      '{{- /*\n<head>\n</head>\n*/ -}}',
      '{{!-- <head></head> --}}',
      '{# <head></head> #}',
      '{% comment %}<head></head>{% endcomment %}',
      '<%# <head></head> %>',
      '<%-- <head></head> --%>',
      '@* <head></head> *@',
    ]) {
      const page = `${comment}\n<html>\n<head>\n  <title>A</title>\n</head>\n</html>\n`;
      const after = written(page, 'html');
      assert.ok(after.startsWith(`${comment}\n<html>\n<head>\n  <title>A</title>\n  <meta `), after);
      assert.equal(writePage(`${comment}\n<p>A</p>\n`, 'html', image), undefined, comment);
    }
  });

  it('is written into the head of a component, or told its layout as it is now', () => {
    const script = '---\nconst html = "<head>";\n---\n';
    const page = `${script}<html>\n<!--\n---\n--><head>\n  <title>A</title>\n</head>\n---\n</html>`;
    const after = written(page, 'astro');
    assert.ok(after.startsWith(page.slice(0, page.indexOf('\n</head>'))));
    assert.deepEqual(readHead(after.slice(script.length)), expected('/images/a-card.png'));
    assert.equal(
      written(`${script}<Layout title="A" ogImage='/old.png' ogImageAlt="x">`, 'astro'),
      `${script}<Layout title="A" ogImage='/images/a-card.png' ogImageAlt="Rye bread · Bakery">`,
    );
  });

  it('is told the layout of a component, not what is in that', () => {
    for (const page of [
      '<div><Card image="/a.png" /></div>',
      '<Layout title="A"><Card image="/a.png" /></Layout>',
      '<Hero image="/a.png" />\n<Text />',
      '<Card image="/a.png">x</Card>\n<Card image="/b.png">x</Card>',
      '<Layout image={hero}><Card image="/a.png" /></Layout>',
      'Text <Card image="/a.png" />',
    ]) {
      assert.equal(writePage(page, 'astro', image), undefined, page);
    }
    assert.equal(written(inLayout('/old.png'), 'astro'), inLayout('/images/a-card.png'));
  });

  it('stays a string of a program where it is one', () => {
    const card = { ...image, alt: 'It\'s "rye" & `${wheat}` \\' };
    for (const quote of ['"', "'", '`']) {
      const string = (text: string): string => `{${quote}${text}${quote}}`;
      const layout = `<Layout image=${string('/old.png')} imageAlt=${string('q')} />`;
      const [, address = '', alt = ''] =
        /^<Layout image=\{([^{}]*)\} imageAlt=\{(.*)\} \/>$/u.exec(written(layout, 'astro', card)) ?? [];
      assert.deepEqual(valueOf(`[${address}, ${alt}]`), ['/images/a-card.png', card.alt]);
      const head = `<head><meta property="og:image:alt" content=${string('q')} /></head>`;
      const [, said = ''] = /content=\{(.*?)\} \/>/u.exec(written(head, 'astro', card)) ?? [];
      assert.equal(valueOf(said), card.alt);
    }
    const bound = '<head><meta property="og:image" :content="\'/a.png\'"></head>';
    assert.equal(writePage(bound, 'html', image), undefined);
  });
});

const milliseconds = (text: string, language: string): number => {
  const start = process.cpuUsage();
  readPage(text, language);
  writePage(text, language, image);
  return process.cpuUsage(start).user / 1000;
};

void describe('pages that are made to be read slowly', () => {
  const pages: Record<string, [language: string, page: (count: number) => string]> = {
    'headings that are no tags': ['markdown', (count) => '<h1'.repeat(count)],
    'titles that are no tags': ['html', (count) => `<head>${'<title'.repeat(count)}`],
    'scripts that are no tags': ['html', (count) => `<head>${'<script'.repeat(count)}`],
    'blank lines in a head': ['html', (count) => `<html>\n<head>${'\n'.repeat(count)}`],
    'statements that do not end': ['html', (count) => `<head>${'<% '.repeat(count)}`],
    'statements that end others': ['html', (count) => `<head>${'{{% endif %}'.repeat(count)}`],
    'statements around tags': ['html', (count) => `<head>${'{}<a>'.repeat(count)}`],
    'tags that do not end': ['html', (count) => `<head>${'<meta '.repeat(count * 4)}`],
    'layouts in layouts': [
      'astro',
      (count) => `<A image="a">${'<A>'.repeat(count)}${'</A>'.repeat(count + 1)}`,
    ],
    'strings of TOML that do not end': ['markdown', (count) => `+++\nimage = [${'"\\'.repeat(count)}\n+++\n`],
  };
  for (const [what, [language, page]] of Object.entries(pages)) {
    void it(`are read in time in proportion to their length: ${what}`, () => {
      // In proportion to its square, it takes about 4 s and more.
      assert.ok(milliseconds(page(60_000), language) < 3000);
    });
  }
});
