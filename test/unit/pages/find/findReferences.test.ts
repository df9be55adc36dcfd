import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findReferences, isTestFile } from '../../../../src/pages/find/findReferences.ts';

/** A document, and what is found in it: addresses, each with what is said of it. */
interface Case {
  what: string;
  language: string;
  text: string;
  finds: Record<string, object>;
}

const cases: readonly Case[] = [
  {
    what: 'images of Markdown with all that is said of them',
    language: 'markdown',
    text: [
      '---',
      'title: The coast',
      'image: ./cover.png',
      'imageAlt: Cliffs in fog',
      '---',
      '# Lighthouses',
      '',
      '![A *red* lighthouse](images/red%20one.png "At dusk"){width=300 height=200}',
      '*Painted by the sea*',
      '',
      'Keepers',
      '-------',
      '',
      '![Keeper][keeper] and ![][Second one] and ![no label]',
      '',
      '[keeper]: <their faces/keeper.jpg> "The last one"',
      '[second  ONE]: /second.webp',
      '',
      '<img src="tag.png" alt="A tag" width="64">',
    ].join('\n'),
    finds: {
      './cover.png': { alt: 'Cliffs in fog', heading: 'The coast' },
      'images/red%20one.png': {
        alt: 'A red lighthouse',
        title: 'At dusk',
        caption: 'Painted by the sea',
        heading: 'Lighthouses',
        width: 300,
        height: 200,
      },
      'their faces/keeper.jpg': { alt: 'Keeper', title: 'The last one', heading: 'Keepers' },
      '/second.webp': { heading: 'Keepers' },
      'tag.png': { alt: 'A tag', width: 64 },
    },
  },
  {
    what: 'no words of front matter above an image',
    language: 'markdown',
    text: [
      '---',
      'title: My trip',
      'cover: "https://placehold.co/600x400" # soon',
      'cover-image:  ./sea.png',
      '---',
      '![](images/beach.png) ![](https://placehold.co/300)',
    ].join('\r\n'),
    finds: {
      'https://placehold.co/600x400': { heading: 'My trip' },
      './sea.png': { heading: 'My trip' },
      'images/beach.png': {},
      'https://placehold.co/300': {},
    },
  },
  {
    what: 'images of front matter, however YAML has them',
    language: 'mdx',
    text: [
      '---',
      'title: A trip',
      'image: hero.png # ours',
      'images:',
      '  - ./b.png',
      "  - 'sea side.png'",
      '  -  src: c.png',
      '     alt: A cat',
      'ogImage: {src: ./d.png, alt: A fox}',
      'list: [ ./e.png , "f/f.png",data.png,https://placehold.co/30, words ]',
      'json: {"src":"g.png", "other": { image: h.png }}',
      'cover:',
      '  alt: A door',
      '  image: i.png',
      'no: [drawing.svg, {{ a }}.png]',
      'tree:',
      '  - l: splash.png',
      'team:',
      '  - name: Ada',
      '    avatar: ada.png',
      'imageAlt: A coast',
      '---',
    ].join('\n'),
    finds: {
      'hero.png': { alt: 'A coast', heading: 'A trip' },
      './b.png': { alt: 'A coast', heading: 'A trip' },
      'sea side.png': { alt: 'A coast', heading: 'A trip' },
      'c.png': { alt: 'A cat', heading: 'A trip' },
      './d.png': { alt: 'A fox', heading: 'A trip' },
      './e.png': { alt: 'A coast', heading: 'A trip' },
      'f/f.png': { alt: 'A coast', heading: 'A trip' },
      'https://placehold.co/30': { alt: 'A coast', heading: 'A trip' },
      'g.png': { alt: 'A coast', heading: 'A trip' },
      'h.png': { alt: 'A coast', heading: 'A trip' },
      'i.png': { alt: 'A door', heading: 'A trip' },
    },
  },
  {
    what: 'images of front matter in TOML',
    language: 'markdown',
    text: [
      '+++',
      '# The front matter of a page',
      'title = "A trip"',
      'image = "hero.png" # ours',
      'images = [\'./b.png\', "c\\u0020d.png"]',
      '[cover]',
      'image = "i.png"',
      'alt = "A door"',
      'text = """\nj.png"""',
      '+++',
      '![](k.png)',
    ].join('\n'),
    finds: {
      'hero.png': { heading: 'A trip' },
      './b.png': { heading: 'A trip' },
      'i.png': { alt: 'A door', heading: 'A trip' },
      'k.png': {},
    },
  },
  {
    what: 'images of front matter in JSON',
    language: 'markdown',
    text: '{\n\t"title": "A } trip",\n\t"cover": { "image": "i.png", "alt": "A door" }\n}\n\n# A\n![](k.png)',
    finds: { 'i.png': { alt: 'A door', heading: 'A } trip' }, 'k.png': { heading: 'A' } },
  },
  {
    what: 'nothing in code, comments, links, and formats that Limner does not write',
    language: 'markdown',
    text: [
      '```md',
      '![a](code.png)',
      '```',
      '- ~~~',
      '  ![a](listed.png)',
      '  ~~~',
      '`![a](span.png)` and ``![a](`two.png)``',
      '<!-- ![a](comment.png) -->',
      '[a link](link.png) ![a](drawing.svg) ![a](https://example.com/far.png) ![a](data:image/png;base64,AA.png)',
      '![a]({{ base }}/computed.png)',
      '![a](found.png)',
    ].join('\n'),
    finds: { 'found.png': { alt: 'a' } },
  },
  {
    what: 'placeholders in the data of a script, with what their objects say',
    language: 'typescript',
    text: [
      "import logo from './todo.png';",
      'export const people = [',
      "  { name: 'Ada', role: { title: 'No' }, photo: 'https://picsum.photos/200/300' },",
      '  { "alt": "A \\"loud\\" parrot", photo: `//placehold.co/64` },',
      '  // { photo: "https://placehold.co/1x1" }',
      '];',
      'const far = "https://example.com/a.png", computed = `https://placehold.co/${size}`;',
      "load('https://dummyimage.com/20');",
      'const card = `<img src="https://loremflickr.com/9/8/dog" alt="A dog">`;',
    ].join('\n'),
    finds: {
      'https://picsum.photos/200/300': { title: 'Ada' },
      '//placehold.co/64': { alt: 'A "loud" parrot' },
      'https://dummyimage.com/20': {},
      'https://loremflickr.com/9/8/dog': { alt: 'A dog' },
    },
  },
  {
    what: 'no placeholder whose address a program puts together',
    language: 'typescriptreact',
    text: [
      'const a = ({ title: "Fox", image: "https://picsum.photos/300/200?random=" + i, far: base + "//placehold.co/20" });',
      "const b = 'https://picsum.photos/200'.replace('200', size), c = `https://picsum.photos/21`",
      "  .concat('?a'), d = `<img src=\"https://picsum.photos/seed/${x}/200\">`, e = '<img src=\"https://picsum.photos/' + i + '/22\">';",
      'const f = <img src={"https://picsum.photos/200?random=" + id} alt="A fox" />;',
      "const g = ['https://picsum.photos/23', 'https://picsum.photos/24'].map(load), h = 'https://picsum.photos/25';",
    ].join('\n'),
    finds: {
      'https://picsum.photos/23': {},
      'https://picsum.photos/24': {},
      'https://picsum.photos/25': {},
    },
  },
  {
    what: 'no placeholder in a template that is computed',
    language: 'svelte',
    text: `{#each foxes as fox}<img src="https://picsum.photos/id/{fox.id}/200/300" alt="A fox">{/each}
<img src="https://placehold.co/600x400?text=<%= title %>"><img :src="'https://picsum.photos/200?x=' + id">
<img src="https://placehold.co/30?text={{ title }}"><img src="https://placehold.co/31" alt="A cat">`,
    finds: { 'https://placehold.co/31': { alt: 'A cat' } },
  },
  {
    what: 'no words of images that are computed, even in part',
    language: 'svelte',
    text: `<h2>{title}</h2><img src="/a.png" alt="Hi {name}" title="A fox"><img src="/b.png" alt="{{ post.title }}">
<img src="/c.png" alt="<%= title %>"><img src="/d.png" alt="Photo of <?= name ?>" title="\${title}">
<script>const one = { alt: 'A ' + name, title: 'A cat', image: 'https://placehold.co/31' };</script>`,
    finds: {
      '/a.png': { title: 'A fox' },
      '/b.png': {},
      '/c.png': {},
      '/d.png': {},
      'https://placehold.co/31': { title: 'A cat' },
    },
  },
  {
    what: 'the words of a heading that has a name',
    language: 'markdown',
    text: '# The coast {#coast .wide}\n![{{ page.title }}](a.png)\n\n{{ name }}\n===\n![](b.png)',
    finds: { 'a.png': { heading: 'The coast' }, 'b.png': {} },
  },
  {
    what: 'what is said of a picture for each of its sources',
    language: 'html',
    text: `<picture><source srcset="fox.webp 1x, fox-2.webp 2x"><img class="a" src="fox.png" alt="A fox"></picture>
<picture><source srcset="hen.webp"></picture><img src="hare.png" alt="A hare">`,
    finds: {
      'fox.webp': { alt: 'A fox' },
      'fox-2.webp': { alt: 'A fox' },
      'fox.png': { alt: 'A fox' },
      'hen.webp': {},
      'hare.png': { alt: 'A hare' },
    },
  },
  {
    what: 'no placeholders that are only loaded, or expected',
    language: 'typescript',
    text: [
      "const one = await fetch('https://picsum.photos/200', { method: 'GET' });",
      'expect(image.src).toBe("https://placehold.co/600x400");',
      "expect(image).toHaveAttribute('src', 'https://placehold.co/21');",
      "assert.equal(image.getAttribute('src'), 'https://placehold.co/22');",
      "expect(await get({ a: [1] })).toEqual([{ images: [{ src: 'https://placehold.co/28' }] }]);",
      "expect(get()).toEqual(expect.objectContaining({ src: 'https://placehold.co/29' }));",
      "it('shows', () => { expect(1).toBe(1); const shown = { src: 'https://picsum.photos/30' }; });",
      "axios.get(`https://picsum.photos/23`); await page.route('https://picsum.photos/24', () => {});",
      "show('https://picsum.photos/25'); fetch(url).then(() => show('https://picsum.photos/26'));",
      "const pattern = 'https://picsum.photos/200/**', all = prefetch(['https://picsum.photos/27']);",
    ].join('\n'),
    finds: {
      'https://picsum.photos/25': {},
      'https://picsum.photos/26': {},
      'https://picsum.photos/27': {},
      'https://picsum.photos/30': {},
    },
  },
  {
    what: 'no image of Markdown whose sign is escaped',
    language: 'markdown',
    text: String.raw`\![a](no.png) \![no] \\![b](yes.png) !\[a](no.png) \\\![a](no.png)
![c][yes]

[no]: no.png
[yes]: too.png`,
    finds: { 'yes.png': { alt: 'b' }, 'too.png': { alt: 'c' } },
  },
  {
    what: 'placeholders of JSON',
    language: 'json',
    text: '{"items": [{"image": "https://placehold.co/600x400", "caption": "A bay"}, {"url": "//example.com/a.png"}]}',
    finds: { 'https://placehold.co/600x400': { caption: 'A bay' } },
  },
  {
    what: 'what markup says of a placeholder rather than what is around it',
    language: 'typescriptreact',
    text: 'const a = () => { const b = { title: "No" }; return <img src="https://placehold.co/9" alt="A cat" />; };',
    finds: { 'https://placehold.co/9': { alt: 'A cat' } },
  },
  {
    what: 'imports and elements of MDX',
    language: 'mdx',
    text: [
      "import hero from '../assets/hero.png';",
      '',
      '# Start',
      '<Hero image="/start.jpg" alt="A door" />',
      "```js\nimport no from './no.png';\n```",
    ].join('\n'),
    finds: { '../assets/hero.png': {}, '/start.jpg': { alt: 'A door' } },
  },
  {
    what: 'all elements of HTML that show an image',
    language: 'html',
    text: `<!doctype html>
<meta property="og:image" content="card.png"><meta name="description" content="not.png">
<link rel="icon" href='icon.png'><link rel=apple-touch-icon href=touch.png>
<!-- <img src="comment.png"> -->
<h2>Our <em>boats</em></h2>
<figure><img loading=lazy alt="A boat &amp; a quay" src="boat.jpg?v=2" width=640 height="480px"
  srcset="boat-2x.jpg 2x, boat-wide.jpg 1200w"><figcaption>The <b>harbor</b></figcaption></figure>
<video poster="film.webp"></video><picture><source srcset="small.png"></picture>
<div style="background: url('tile.png')"></div>
<a href="link.png">no image</a><img src="{{ url }}/no.png"><img src="//cdn.example/no.png">
<img src="unfinished.png`,
    finds: {
      'card.png': {},
      'icon.png': {},
      'touch.png': {},
      'boat.jpg?v=2': {
        alt: 'A boat & a quay',
        caption: 'The harbor',
        heading: 'Our boats',
        width: 640,
        height: 480,
      },
      'boat-2x.jpg': {
        alt: 'A boat & a quay',
        caption: 'The harbor',
        heading: 'Our boats',
        width: 640,
        height: 480,
      },
      'boat-wide.jpg': {
        alt: 'A boat & a quay',
        caption: 'The harbor',
        heading: 'Our boats',
        width: 1200,
        height: 900,
      },
      'film.webp': { heading: 'Our boats' },
      'small.png': { heading: 'Our boats' },
      'tile.png': {},
    },
  },
  {
    what: 'literal values in JSX, and imports, but nothing that is computed',
    language: 'typescriptreact',
    text: `import logo from "./logo.png";
import type { Props } from './props.ts';
// import old from './old.png';
/* <img src="/gone.png" /> */
const photo = require('../photo.jpeg');
const worker = new URL("./shape.webp", import.meta.url);
export const Page = <T,>({ items }: Props<T>) => (
  <main accept="image/*">
    <Image src={"/hero.png"} width={1200} height={630} alt="A hero" priority {...rest} />
    <img src={logo} alt={\`x\`} /><img src={\`/static.png\`} /><img src={\`/\${name}.png\`} />
    {items.map((item) => <Card key={item.id} onClick={() => { go(item); }} cover='/card.jpg' title="no.png" />)}
    <div style={{ backgroundImage: "url(/paper.png)" }} className="bg-[url('/wind.png')]" />
  </main>
);`,
    finds: {
      './logo.png': {},
      '../photo.jpeg': {},
      './shape.webp': {},
      '/hero.png': { alt: 'A hero', width: 1200, height: 630 },
      '/static.png': {},
      '/card.jpg': { title: 'no.png' },
      '/paper.png': {},
      '/wind.png': {},
    },
  },
  {
    what: 'templates, scripts and styles of Vue',
    language: 'vue',
    text: `<template><img src="@/assets/a.png" :src="dynamic" alt="A" /><Avatar picture="./b.png" /></template>
<script setup>import c from '@/assets/c.png'</script>
<style scoped>.side-bar .top { width: 300px; background-image: url("@/assets/d.png"); height: 80px }</style>`,
    finds: {
      '@/assets/a.png': { alt: 'A' },
      './b.png': {},
      '@/assets/c.png': {},
      '@/assets/d.png': { heading: 'side bar top', width: 300, height: 80 },
    },
  },
  {
    what: 'attributes of components by names that tell of images, but no bare names, which may be keys',
    language: 'mdx',
    text: [
      '<File name="logo.png" /> <Button download="chart.png" href="a.png" /> <TabItem value="index.png" />',
      '<Input placeholder="photo.png" title="no.png" /> <Cover heroImage="./a.png" logo-dark="/b.png" alt="B" /> <Card icon="key.png" />',
      '<Person avatarUrl={"./c.png"} icons="./d.png" data-src="./e.png" /> <x-card thumbnail="./f.png" image-alt="g.png" />',
    ].join('\n'),
    finds: {
      './a.png': { alt: 'B' },
      '/b.png': { alt: 'B' },
      './c.png': {},
      './d.png': {},
      './e.png': {},
      './f.png': {},
    },
  },
  {
    what: 'bindings only where they are nothing but a string',
    language: 'vue',
    text: `<BigImage v-model="form.png" :image="icons.png" @click="download.png" #cover="x.png" v-cover="y.png"
  :src="'a.png'" v-bind:logo='\`b.png\`' [icon]="'c.png'" :alt="'Words'" :width="30" /><img :src="'d.png'" :alt="d.png">`,
    finds: {
      'a.png': { alt: 'Words', width: 30 },
      'b.png': { alt: 'Words', width: 30 },
      'c.png': { alt: 'Words', width: 30 },
      'd.png': {},
    },
  },
  {
    what: 'lists of images however they are written',
    language: 'html',
    text: `<img srcset="a.png, b.png  2x,c.png 300w 200h, d,e.png,
  f.png 1.5x,, g.png,">`,
    finds: { 'a.png': {}, 'b.png': {}, 'c.png': { width: 300 }, 'd,e.png': {}, 'f.png': {}, 'g.png': {} },
  },
  {
    what: 'other widths of a picture in its shape',
    language: 'html',
    text: '<img src="a.png" srcset="b.png 600w" width="300" height="100">',
    finds: { 'a.png': { width: 300, height: 100 }, 'b.png': { width: 600, height: 200 } },
  },
  {
    what: 'style sheets with nested rules',
    language: 'scss',
    text: `$a: 1; // url(line.png)
.hero-banner {
  /* url(block.png) */
  background: url( "hero.png" ) no-repeat; background-size: 1200px 400px;
  &:hover { background-image: image-set("hover.png" 1x, url('hover-2x.png') 2x); }
}
@font-face { src: url(font.woff2); }
.icon { background: url(#{$folder}/no.png), url(//cdn.example/no.png), url(plain.png?x#y) }`,
    finds: {
      'hero.png': { heading: 'hero banner', width: 1200, height: 400 },
      'hover.png': {},
      'hover-2x.png': {},
      'plain.png?x#y': { heading: 'icon' },
    },
  },
  {
    what: 'images of AsciiDoc',
    language: 'asciidoc',
    text: `= Manual
:imagesdir: pictures

== Mills

.An old mill
[.left]
image::mill.png[A mill,300,200]
See image:small one.jpg[alt="Small, old",width=20].

// image::comment.png[]
----
image::listing.png[]
----
image::https://example.com/far.png[]`,
    finds: {
      'mill.png': { alt: 'A mill', caption: 'An old mill', heading: 'Mills', width: 300, height: 200 },
      'small one.jpg': { alt: 'Small, old', heading: 'Mills', width: 20 },
    },
  },
  {
    what: 'images of AsciiDoc with the line ends of Windows, but not those in code',
    language: 'asciidoc',
    text: [
      '== A _day_',
      '.The way',
      '[.left]',
      '// soon',
      'image::my%20fox.png[,40,"30"]',
      '',
      'Write `image::no.png[]`, `+image:no.png[]+` or image:yes.png[].',
      '```asciidoc',
      'image::no.png[]',
      '```',
      '----  ',
      'image::no.png[]',
      '-----',
      'image::no.png[]',
      '----',
      '|===',
      'a|image::cell.png[A "cell", with, link=a.png]',
      '|===',
      '....',
      'image::no.png[]',
    ].join('\r\n'),
    finds: {
      'my%20fox.png': { caption: 'The way', heading: 'A day', width: 40, height: 30 },
      'yes.png': { heading: 'A day' },
      'cell.png': { alt: 'A cell', heading: 'A day' },
    },
  },
  {
    what: 'the names below the images of cards, and never those of the next one',
    language: 'html',
    text: `<h2>Shop</h2>
<div class="card"><div class="top"><img src="https://placehold.co/1"></div>
  <h5>Blue <em>enamel</em> kettle</h5><button>Buy now</button></div>
<div class="card"><img src="https://placehold.co/2"></div>
<div class="card"><h5>A cup</h5></div>
<ul><li><img src="https://placehold.co/3" alt="Team Member 1"><h3>Ada Berg</h3><p>Head gardener</p></li>
  <li><img src="https://placehold.co/4"></li><li><h3>Ben</h3></li></ul>
<h2>About</h2><div><img src="https://placehold.co/5"></div><h2>Contact</h2><p><img src="https://placehold.co/6"></p><p>Then go on.</p>`,
    finds: {
      'https://placehold.co/1': { heading: 'Shop', below: 'Blue enamel kettle' },
      'https://placehold.co/2': { heading: 'Shop' },
      'https://placehold.co/3': { alt: 'Team Member 1', heading: 'A cup', below: 'Ada Berg, Head gardener' },
      'https://placehold.co/4': { heading: 'A cup' },
      'https://placehold.co/5': { heading: 'About' },
      'https://placehold.co/6': { heading: 'Contact' },
    },
  },
  {
    what: 'the names below images in components, unless a program computes them',
    language: 'typescriptreact',
    text: `const a = (<><Card><CardMedia image="https://placehold.co/1" onClick={() => go()} />
  <Card.Body><Card.Title>Blue kettle</Card.Title><Card.Text>Holds a liter.</Card.Text></Card.Body></Card>
<li><img src="https://placehold.co/2" /><h3>{user.name}</h3><p>Gardener</p></li></>);`,
    finds: {
      'https://placehold.co/1': { below: 'Blue kettle, Holds a liter.' },
      'https://placehold.co/2': {},
    },
  },
  {
    what: 'the names below images in Markdown, and no section or sentence',
    language: 'markdown',
    text: [
      '# Garden\n\n![](https://placehold.co/1)\n\n## Team\n',
      '![](https://placehold.co/2)\n### Ada Berg\nHead gardener\n',
      '![](https://placehold.co/3)\n\n### Ben\n\n- ![](https://placehold.co/4)\n  **Cara**',
      '- Dora\n\n![](https://placehold.co/5)\n\nThen go on.',
    ].join('\n'),
    finds: {
      'https://placehold.co/1': { heading: 'Garden' },
      'https://placehold.co/2': { heading: 'Team', below: 'Ada Berg, Head gardener' },
      'https://placehold.co/3': { heading: 'Ada Berg', below: 'Ben' },
      'https://placehold.co/4': { heading: 'Ben', below: 'Cara' },
      'https://placehold.co/5': { heading: 'Ben' },
    },
  },
  {
    what: 'placeholders in the scripts of a page, but not in its text',
    language: 'html',
    text: `<p>"https://placehold.co/1"</p><script>
const all = [{ name: 'Kettle', image: 'https://placehold.co/600x400?text=Hello\\nworld' }]; // 'https://placehold.co/2'
const base = 'https://placehold.co/600x400?text=';</script><p>'https://placehold.co/3'</p>
<script type="application/ld+json">{ "image": "https://placehold.co/4" }</script><script>'https://placehold.co/5'`,
    finds: {
      'https://placehold.co/600x400?text=Hello\\nworld': { title: 'Kettle' },
      'https://placehold.co/4': {},
    },
  },
  {
    what: 'nothing at the addresses of placeholder services that are no images',
    language: 'typescriptreact',
    text: [
      'const list = await fetch("https://picsum.photos/v2/list?page=2");',
      'const BASE = "https://via.placeholder.com/", pattern = new URL("https://placehold.co/**");',
      'const a = <a href="https://placehold.co">placehold.co</a>;',
      'const b = <link rel="preconnect" href="https://picsum.photos" />;',
    ].join('\n'),
    finds: {},
  },
];

describe('references to images', () => {
  for (const { what, language, text, finds } of cases) {
    it(`are found: ${what}`, () => {
      const found = findReferences(text, language);
      assert.deepEqual(
        Object.fromEntries(found.map(({ address, words, size }) => [address, { ...words, ...size }])),
        finds,
      );
      for (const { address, start, end } of found) {
        assert.equal(text.slice(start, end), address);
      }
    });
  }
});

const candidates = (text: string, language: string): unknown[] =>
  findReferences(text, language).flatMap(({ address, isCandidate }) => (isCandidate ? [address] : []));

describe('the same image for other screens', () => {
  it('is in a list of HTML, beside the one that every browser shows', () => {
    const text =
      '<picture><source srcset="a.webp, b.webp 2x"><img src="a.png" srcset="c.png 800w"></picture>';
    assert.deepEqual(candidates(text, 'html'), ['a.webp', 'b.webp', 'c.png']);
  });

  it('is in a set of a style sheet, but for the first one', () => {
    const text = `.a { background: url(z.png);
  background: -webkit-image-set(url(a.png) 1x, url("b (2).png") 2x);
  background: image-set("c.webp" type("image/webp"), 'd.png' type("image/png")), url(e.png) }
.b { background: image-set("f.png" 1x) } .c { background: url(g.png) }`;
    assert.deepEqual(candidates(text, 'css'), ['b (2).png', 'd.png']);
    assert.equal(findReferences(text, 'css').length, 8);
  });
});

void describe('documents of any kind', () => {
  void it('are read, whatever they are made of', () => {
    const text =
      '<constructor src="a.png"><img src="https://__proto__/1.png"><img src="https://constructor/1">';
    assert.deepEqual(
      findReferences(`${text}<img src="b.png">`, 'html').map(({ address }) => address),
      ['b.png'],
    );
  });

  void it('are tests by their names', () => {
    const paths = [
      'src/Card.test.tsx',
      'e2e/page.spec.ts',
      'src/testimonials.tsx',
      'test.html',
      'a.test/b.md',
    ];
    assert.deepEqual(paths.filter(isTestFile), paths.slice(0, 2));
  });

  void it('are read in time, however long their lines are', () => {
    for (const language of ['markdown', 'asciidoc']) {
      const heading = `# a${' '.repeat(200_000)}b\n= a${' '.repeat(200_000)}b\n`;
      assert.deepEqual(findReferences(heading.repeat(3), language), []);
    }
  });
});

describe('the whole of an image', () => {
  for (const [language, text, ...wholes] of [
    ['markdown', 'A ![big [red] fox](a.png "Fox"){width=3} B', '![big [red] fox](a.png "Fox"){width=3}'],
    ['markdown', '![A][b]\n\n# C\n\n![b]\n\n[b]: a.png "B"\n', '[b]: a.png "B"', '![A][b]', '![b]'],
    ['markdown', '---\nimage: "a.png" # B\n---\n', 'image: "a.png"'],
    ['markdown', '# B\n\n<p><img\n alt="A" src="a.png" /></p>', '<img\n alt="A" src="a.png" />'],
    ['html', '<h1>B</h1><a><video poster="a.png" controls></video></a>', '<video poster="a.png" controls>'],
    ['typescriptreact', '<Card {...rest} image={"./a.png"}>A</Card>', '<Card {...rest} image={"./a.png"}>'],
    ['typescriptreact', 'import a from "./a.png";', 'from "./a.png"'],
    ['scss', '.a { background: red url( "a.png" ); }', 'url( "a.png" )'],
    ['asciidoc', 'B\n\nSee image:a.png[A fox,30] here.', 'image:a.png[A fox,30]'],
  ] as const) {
    it(`is known: ${JSON.stringify(wholes[0])} in ${language}`, () => {
      const [found] = findReferences(text, language);
      assert.deepEqual(
        found?.wholes.map((whole) => text.slice(...whole)),
        wholes,
      );
    });
  }
});
