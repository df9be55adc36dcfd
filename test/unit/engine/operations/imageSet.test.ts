import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { largestSet, readSet, setFileName } from '../../../../src/engine/operations/imageSet.ts';

const set = [
  { name: 'home', prompt: 'a house, front view' },
  { name: 'cart.png', prompt: 'a shopping "cart"' },
];

describe('a set', () => {
  for (const [form, text] of Object.entries({
    'a Markdown table in a page': [
      '# Icons',
      '',
      '| Name | Size | Prompt |',
      '| :--- | ---: | --- |',
      '| `home` | 64 | a house, front view |',
      '| cart.png | 64 | a shopping "cart" |',
    ].join('\n'),
    'a table whose header is in another language':
      '|Bild|Text|\n|-|-|\n|home|a house, front view|\n|cart.png|a shopping "cart"|',
    'CSV with a header': 'name,prompt\r\nhome,"a house, front view"\r\ncart.png,"a shopping ""cart"""\r\n',
    'CSV whose prompts have commas and no quotes':
      'name,prompt\nhome,a house, front view\ncart.png,a shopping "cart"\n',
    'columns in another order, with semicolons':
      'prompt;name\na house, front view;home\n"a shopping ""cart""";cart.png',
    'columns of a spreadsheet': '\uFEFFhome\ta house, front view\ncart.png\ta shopping "cart"\n',
    'lines with colons of another script': 'home：a house, front view\ncart.png： a shopping "cart"\n',
    'columns of a spreadsheet with a line break in a cell':
      'name\tprompt\r\nhome\t"a house,\nfront view"\r\ncart.png\t"a shopping ""cart"""\r\n',
    'CSV of a spreadsheet that says what separates it':
      'sep=;\r\nDatei;Beschreibung\r\nhome;a house, front view\r\ncart.png;a shopping "cart"\r\n',
    'what a language model says':
      'Here they are:\n\n```csv\nname,prompt\nhome,"a house, front view"\ncart.png,a shopping "cart"\n```\n\nHave fun!\n',
    'several tables of a page':
      '|Key|Value|\n|-|-|\n|a|b|\n\n|Name|Prompt|\n|-|-|\n|[home](home.md)|a house, front view|\n\nMore:\n\n|Prompt|Name|\n|-|-|\n|a shopping "cart"|cart.png|\n',
    JSON: JSON.stringify({
      icons: set.map(({ name, prompt }) => ({ id: name, size: 64, description: prompt })),
    }),
    'JSON of prompts by name': JSON.stringify(
      Object.fromEntries(set.map(({ name, prompt }) => [name, prompt])),
    ),
    'JSON, one a line': set.map((row) => JSON.stringify(row)).join('\n'),
    YAML: '- name: home\n  prompt: a house, front view\n- name: cart.png\n  prompt: a shopping "cart"\n',
    'a list of what is to do': '- [x] home: a house, front view\n- [ ] cart.png: a shopping "cart"\n',
    'a list': '- home: a house, front view\n\n* **cart.png**: a shopping "cart"\n',
  })) {
    it(`is read from ${form}`, () => {
      assert.deepEqual(readSet(text), { rows: set, problems: [] });
    });
  }

  it('of prompts alone is named by them, each differently', () => {
    const { rows, problems } = readSet('a red fox, in snow\n2. a red fox in snow!\nSunset, over the sea\n');
    assert.deepEqual(problems, []);
    assert.deepEqual(rows, [
      { name: 'a-red-fox-in-snow', prompt: 'a red fox, in snow' },
      { name: 'a-red-fox-in-snow-2', prompt: 'a red fox in snow!' },
      { name: 'sunset-over-the-sea', prompt: 'Sunset, over the sea' },
    ]);
  });

  it('says in which lines it can not be made', () => {
    const text =
      'name,prompt\nhome,\nCart,a cart\ncart.webp,"two\ncarts"\nicons/x,a cross\nlogo.svg,a logo\ncon,a device\n';
    assert.deepEqual(readSet(text).problems, [
      { of: 'prompt', line: 2, name: 'home' },
      { of: 'duplicate', line: 4, name: 'cart.webp', first: 3 },
      { of: 'name', line: 6, name: 'icons/x' },
      { of: 'name', line: 7, name: 'logo.svg' },
      { of: 'name', line: 8, name: 'con' },
    ]);
    for (const broken of [
      '[{"name": "home", "prompt": "a house"},]',
      '[\n{"name": "a"},\n{"name": "home"}\n',
    ]) {
      assert.deepEqual(readSet(broken).problems, [{ of: 'empty' }]);
    }
    assert.deepEqual(readSet('# Icons\n\n').problems, [{ of: 'empty' }]);
    const many = Array.from({ length: largestSet + 1 }, (_, index) => `icon-${index}: an icon`).join('\n');
    assert.deepEqual(readSet(many).problems, [{ of: 'many', line: 101, most: 100 }]);
    assert.equal(readSet(many).rows.length, 100);
  });
});

describe('the file of an image of a set', () => {
  it('has the name of the image, and its own format before that of all', () => {
    assert.equal(setFileName('{prompt}', 'home'), 'home');
    assert.equal(setFileName('{name}.webp', 'home'), 'home.webp');
    assert.equal(setFileName('icon-{name}.webp', 'cart.png'), 'icon-cart.png');
    assert.equal(setFileName('icon.webp', 'home'), 'icon-home.webp');
    assert.equal(setFileName('.webp', 'home'), 'home.webp');
  });
});
