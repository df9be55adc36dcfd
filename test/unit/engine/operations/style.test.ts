import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileUri } from '../../../../src/common/fileUris.ts';
import {
  inFormat,
  promptAsSent,
  readStyle,
  sentStyle,
  type Style,
  styled,
  styleImages,
} from '../../../../src/engine/operations/style.ts';
import { chooseKey } from '../../../../src/images/finish/keyColor.ts';
import { noLinkRights } from '../../../support/links.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

function styleOf(file: object, name = 'icons'): Style {
  return readStyle(JSON.stringify(file), name, `.limner/styles/${name}.json`);
}

function sentWith(file: object, prompt: string): string {
  return promptAsSent({ prompt, style: sentStyle(styleOf(file), [], { model, inputs: 0 }).style });
}

const image = (name: string) => ({
  uri: `file:///${name}`,
  name,
  size: 1,
  mediaType: 'image/png',
  sha256: name,
  path: `/${name}`,
});

const model = { id: 'painter', family: 'image' } as const;

describe('a style', () => {
  it('puts its words around the prompt, and what to avoid and its colors after that', () => {
    assert.equal(
      sentWith({ before: 'Flat icon of', after: ', thick outlines' }, 'a cat'),
      'Flat icon of a cat, thick outlines',
    );
    assert.equal(
      sentWith({ after: 'Thick outlines.', avoid: 'text', palette: ['#22c55e', '#123', 'navy'] }, 'a cat'),
      'a cat\nThick outlines.\nColors: only #22c55e (green), #123 (blue), navy.\nAvoid: text',
    );
    assert.equal(sentWith({ size: '64x64' }, 'a cat'), 'a cat');
  });

  it('keeps the background from having one of its colors', () => {
    assert.notEqual(chooseKey(sentWith({ palette: ['#22c55e'] }, 'a cat')).name, 'green');
  });

  for (const [text, told] of [
    [
      '{"after": "flat",\n "colour": "red"}',
      'has the unknown key "colour". Known keys are before, after, avoid,',
    ],
    [
      '{"after": "flat",\n  "size" "64x64"}',
      "isn't valid JSON at line 2, column 10: Expected ':' after property name",
    ],
    ['{"after": "flat",\n', "isn't valid JSON at line 2, column 1: "],
    ['{"size": "64"}', 'has an invalid value of "size": Use WIDTHxHEIGHT in pixels'],
    ['{"palette": ["navy", "#12"]}', 'has an invalid value of "palette.1": Use CSS colors'],
    ['{"images": ["C:\\\\a.png"]}', 'has an invalid value of "images.0": Use paths with slashes'],
    ['["flat"]', 'must be an object in braces'],
  ] as const) {
    it(`says where ${JSON.stringify(text)} is wrong`, () => {
      assert.throws(
        () => readStyle(text, 'icons', '.limner/styles/icons.json'),
        ({ message, code }) => {
          assert.equal(code, 'invalid_request');
          assert.ok(String(message).startsWith('The style .limner/styles/icons.json '), String(message));
          assert.ok(String(message).includes(told), String(message));
          return true;
        },
      );
    });
  }

  it('decides what is left open, and nothing else', () => {
    const style = styleOf({ model: 'm', size: '64x64', quality: 'high', transparent: true, format: 'webp' });
    const all = { model: 'm', size: '64x64', fit: 'crop', quality: 'high', background: 'transparent' };
    assert.deepEqual(styled({}, style), all);
    const given = { model: 'own', size: '', quality: '', fileName: 'hero.jpg' };
    assert.deepEqual(styled(given, style), given);
    assert.deepEqual(styled({}, style, { size: true, background: true }), { model: 'm', quality: 'high' });
    assert.deepEqual(
      [['{prompt}'], ['a.png'], ['{prompt}.png', true]].map(([name, isUsual]) =>
        inFormat(String(name), style.format, isUsual === true),
      ),
      ['{prompt}.webp', 'a.png', '{prompt}.webp'],
    );
  });

  it('sends as many of its images as the model takes, and tells of the others', () => {
    const style = styleOf({ images: ['a.png', 'b.png'] });
    const given = [image('a.png'), image('b.png')];
    const { style: sent, note } = sentStyle(style, given, { model, inputs: 0 });
    assert.deepEqual(sent.images, given.slice(0, 1));
    assert.equal(
      note,
      'painter takes at most 1 input images: of the 2 images of the style icons, 1 are sent.',
    );
    const entry = { ...model, inputs: { max: 3, field: 'image[]' as const } };
    assert.deepEqual(sentStyle(style, given, { model: entry, inputs: 1 }), {
      style: { name: 'icons', images: given },
    });
  });

  const { path: folder, remove } = temporaryFolder('style');
  after(remove);

  it(
    'sends no image from outside of the project, also where a link leads there',
    { skip: noLinkRights },
    async () => {
      const [root, outside] = [join(folder, 'site'), join(folder, 'home')];
      await mkdir(join(root, '.limner/styles'), { recursive: true });
      await mkdir(outside);
      await symlink(outside, join(root, 'link'));
      const file = fileUri(join(root, '.limner/styles/icons.json'));
      const found = async (image: string): Promise<string[]> =>
        styleImages(styleOf({ images: [image] }), file, fileUri(root));
      assert.deepEqual(await found('../../img/a b.png'), [fileUri(join(root, 'img/a b.png'))]);
      for (const image of ['../../../home/a.png', '../../link/a.png', '../../../../../../../../etc/a.png']) {
        await assert.rejects(found(image), /names an image outside of the project/u);
      }
    },
  );
});
