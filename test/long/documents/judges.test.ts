import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findReferences } from '../../../src/pages/find/findReferences.ts';
import { languageBy, type ReadLanguage } from '../../../src/pages/find/languages.ts';
import { namesImage } from '../../../src/pages/scan/addresses.ts';
import { frontMatterIn } from '../../../src/pages/scan/frontMatter.ts';
import { type Judge, judges } from '../../readers/documents.ts';
import { projectFolder } from '../../support/folders.ts';
import { Random } from '../../support/random.ts';

/** In UTF-16 units: judges of programs take long for what is generated. */
const longest = 300_000;
/** Documents that are drawn in each language, and blocks in each of them. */
const [drawn, most] = [400, 12];

const seed = Number(process.env['LIMNER_JUDGES_SEED'] ?? Math.trunc(Math.random() * 2 ** 31));

/** Returns an address as it is meant, however the document writes it. */
function meant(address: string): string {
  const plain = address
    .trim()
    .replaceAll('&amp;', '&')
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** Returns where Limner and a judge differ about a document; undefined if it is none for the judge. */
async function differencesIn(text: string, language: string, judge: Judge): Promise<string[] | undefined> {
  const judged = await Promise.resolve(text)
    .then(judge)
    .catch(() => undefined);
  if (!judged) {
    return undefined;
  }
  // The front matter of a page is for generators of sites, and not for these judges.
  const start = languageBy(language)?.writing === 'markdown' ? (frontMatterIn(text)?.behind ?? 0) : 0;
  const found = findReferences(text, language).filter((reference) => reference.start >= start);
  const [shown, read] = [
    new Set(judged.images.filter((address) => namesImage(address, 'url')).map(meant)),
    new Set(found.map(({ address }) => meant(address))),
  ];
  const wrong = found.filter(
    ({ address }) => !shown.has(meant(address)) && !judged.texts.some((one) => one.includes(address)),
  );
  return [
    ...[...shown].filter((address) => !read.has(address)).map((address) => `not found: ${address}`),
    ...wrong.map(({ address }) => `no image: ${address}`),
  ];
}

/** Each judge is described in `test/readers/documents.ts`, with the texts about which it says nothing. */
const table: Readonly<Record<ReadLanguage, string>> = {
  markdown: 'remark with GFM and front matter, and parse5 for its HTML',
  mdx: 'remark with MDX',
  asciidoc: 'Asciidoctor',
  html: 'parse5, and PostCSS for its styles',
  vue: "Vue's compiler",
  svelte: "Svelte's compiler",
  astro: "Astro's compiler",
  javascriptreact: 'Oxc',
  typescriptreact: 'Oxc',
  javascript: 'Oxc',
  typescript: 'Oxc',
  json: 'Oxc',
  css: 'PostCSS',
  scss: 'PostCSS with SCSS',
  less: 'PostCSS with SCSS',
  postcss: 'PostCSS',
};

describe(`the images of documents, drawn with the seed ${seed}`, () => {
  for (const [language, judge] of Object.entries(judges)) {
    const name = Object.entries(table).find(([key]) => key === language)?.[1];
    it(`are those that another parser finds, in ${language}: ${name}`, async (test) => {
      const differences: string[] = [];
      const documents = [...drawnIn(language), ...shippedIn(language)];
      let judged = 0;
      for (const [what, text] of documents) {
        const found = await differencesIn(text, language, judge);
        judged += found ? 1 : 0;
        differences.push(...(found ?? []).map((one) => `${what}: ${one}`));
      }
      test.diagnostic(`${judged} of ${documents.length} documents were judged`);
      assert.deepEqual(differences, []);
      assert.ok(judged > drawn / 4);
    });
  }
});

/** Returns the documents of a language that packages of npm bring along. */
function shippedIn(language: string): [name: string, text: string][] {
  const extensions = languageBy(language)?.extensions ?? [];
  // Scripts and data of packages name no images, and are many.
  const files = ['javascript', 'typescript', 'json'].includes(language)
    ? []
    : extensions.flatMap((extension) => globSync(`node_modules/**/*.${extension}`, { cwd: projectFolder }));
  return files
    .map((file): [string, string] => [file, readFileSync(join(projectFolder, file), 'utf8')])
    .filter(([, text]) => text.length <= longest);
}

/** Whole blocks of documents; `§` stands for the number of the block, and `no` begins what names no image. */
const markup = [
  '<p><img src="§.png" alt="A &gt; B"></p>\n',
  '<picture><source srcset="§.webp 1x, §-2.webp 2x"><img src=\'§.png\'></picture>\n',
  '<!-- <img src="no§.png"> -->\n',
  '<video\n  poster="§.jpg"></video>\n',
  '<div style="background: url(§.png)"><a href="no§.png">A</a></div>\n',
];
const pageOnly = ['<pre>\n<img src="no§.png">\n</pre>\n', '<code><img src="no§.png"></code>\n'];
const prose = [
  '# A\n\n',
  '![A](§.png)\n\n',
  'Words ![A [b]](<§ b.png> "Title") and `![A](no§.png)`\n\n',
  '![A][§]\n\n[§]: §.png "A"\n\n',
  '- a\n\n  ![A](§.png)\n\n      ![A](no§.png)\n\n',
  '> ![A](§.png)\n> ```\n> ![A](no§.png)\n\n',
  '```md\n![A](no§.png)\n```\n\n',
  '~~~~\n~~~\n![A](no§.png)\n~~~~\n\n',
  '| A | B |\n| - | - |\n| ![A](§.png) | `a` |\n\n',
  'A\n=\n\n',
  '\\![A](no§.png) \\\\![A](§.png)\n\n',
];
const markdownOnly = [
  '    ![A](no§.png)\n\n',
  '<p align="center">\n  ![A](no§.png)\n  <img src="§.png">\n</p>\n\n',
  '<details>\n<summary>A</summary>\n\n![A](§.png)\n\n</details>\n\n',
  '<span>\n![A](no§.png)\n</span>\n\n',
  'Words\n<span>![A](§.png)</span>\n\n',
  '<div>\n```\n\n![A](§.png)\n\n',
  '- <div>\n  ![A](no§.png)\n- ![A](§.png)\n\n',
  '<!--\n\n![A](no§.png)\n\n-->\n\n',
];
const elements = [
  '<p><img src="§.png" alt={"A"} /></p>\n',
  '<Card image="§.png" title="no§.png" />\n',
  '<Card cover={"§.png"} {...rest} />\n',
  '{/* <img src="no§.png" /> */}\n',
];
const rules = [
  '.a { background: url(§.png) no-repeat; }\n',
  '@media print {\n  .a > .b { background-image: url( "§.png" ), url(\'§b.png\') }\n}\n',
  '/* .a { background: url(no§.png) } */\n',
  '.a { background: image-set("§.png" 1x, url("§-2.png") 2x); }\n',
];
const nestedRules = ['.a {\n  // url(no§.png)\n  &:hover { background: url(§.png); }\n}\n'];
const scripts = [
  "import a§ from './§.png';\n",
  "const b§ = new URL('./§.png', import.meta.url);\n",
  'const c§ = `https://placehold.co/§`; // https://placehold.co/1§\n',
  "/* import d§ from './no§.png'; */\n",
];
const component = [
  ...scripts,
  'export const E§ = () => <main>{a.map((b) => <img src="/§.png" alt="" {...b} />)}</main>;\n',
  'const f§ = <Card image={`§.png`} a={b > c} onClick={() => { go(); }} cover="§.jpg" />;\n',
];
const blocks: Readonly<Record<string, readonly string[]>> = {
  markdown: [...prose, ...markdownOnly, ...markup.map((block) => `${block}\n`)],
  mdx: [...prose, ...elements.map((block) => `${block}\n`), "import a from './§.png'\n\n"],
  asciidoc: [
    '== A\n\n',
    'image::§.png[A "b" [c],300]\n\n',
    'See image:§.png[A], `image:§b.png[A]`, `+image:no§.png[A]+`, and \\image:no§.png[A].\n\n',
    '----\nimage::no§.png[]\n----\n\n',
    '[source]\nimage:no§.png[]\n\n',
    ' image:no§.png[]\n\n',
    '// image::no§.png[]\n\n',
    '* image:§.png[]\n+\nimage::§.png[]\n\n',
    '|===\n|A image:§.png[] a|image::§.png[]\n|===\n\n',
    '.Title\n[.left]\nimage::§.png[]\n\n',
  ],
  html: [...markup, ...pageOnly, ...rules.map((rule) => `<style>\n${rule}</style>\n`), '<h2>A</h2>\n'],
  svelte: [
    ...markup,
    ...elements.filter((block) => !block.includes('/*')),
    '{§if a}<img src="§.png" alt="">{/if}\n',
  ],
  astro: [...markup, ...elements, '{a && <img src="§.png" />}\n'],
  javascriptreact: component,
  typescriptreact: [...component, 'const g§: A<b> = c as d<string>;\n'],
  javascript: scripts,
  typescript: scripts,
  css: rules,
  postcss: rules,
  scss: [...rules, ...nestedRules],
  less: [...rules, ...nestedRules],
  vue: markup,
  json: ['  { "image": "https://placehold.co/§", "alt": "A" },\n'],
};
/** What is around the blocks of a document. */
const around: Readonly<Record<string, readonly [before: string, behind: string]>> = {
  vue: [
    '<template>\n<div>\n<Card :image="\'bound.png\'" :alt="a > b" @click="go" />\n',
    '</div>\n</template>\n<script setup lang="ts">\nimport a from \'./a.png\';\n</script>\n<style lang="scss" scoped>.a { // url(no.png)\n background: url(b.png) }</style>\n',
  ],
  svelte: [
    "<script>\n  import a from './a.png';\n</script>\n",
    '<style>.a { background: url(b.png); }</style>\n',
  ],
  astro: ["---\nimport a from './a.png';\n---\n", '<style>.a { background: url(b.png); }</style>\n'],
  json: ['[\n', '0]\n'],
};

function drawnIn(language: string): [name: string, text: string][] {
  const random = new Random(seed);
  const [before, behind] = around[language] ?? ['', ''];
  return Array.from({ length: drawn }, () => {
    const inside = Array.from({ length: 1 + random.below(most) }, (_, number) =>
      random.pick(blocks[language] ?? []).replaceAll('§', String(number)),
    );
    const text = before + inside.join('') + behind;
    return [JSON.stringify(text), text];
  });
}
