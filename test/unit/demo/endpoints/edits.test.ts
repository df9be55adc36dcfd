import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import sharp from 'sharp';
import { Codecs, type Pixels } from '../../../../src/images/codecs/codecs.ts';
import { checkEditFiles } from '../../../../src/demo/endpoints/editFiles.ts';
import {
  jpegCodes,
  jpegComponent,
  jpegFrame,
  jpegPixels,
  jpegQuantisation,
  jpegScan,
} from '../../../support/images/jpegFile.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { withOldChecksums } from '../../../support/images/oldMaskFile.ts';
import { emptyLines, patched, piecesOf, pngOf } from '../../../support/images/damagedFiles.ts';
import { DemoClient, imagesOf, refused } from '../../../support/demo/demoClient.ts';

const WIDTH = 90;
const HEIGHT = 70;

describe('image edits', () => {
  const codecs = new Codecs();
  let client: DemoClient;
  let image: Uint8Array;
  let pixels: Pixels;
  before(async () => {
    client = await DemoClient.start();
    pixels = picture(WIDTH, HEIGHT);
    image = await codecs.encode(pixels, { format: 'png' });
  });
  after(async () => {
    await client.stop();
    await codecs.dispose();
  });

  const edit = (
    fields: Parameters<DemoClient['edit']>[0] = {},
    headers?: Record<string, string>,
  ): Promise<Response> =>
    client.edit({ model: 'demo-painter', prompt: 'a red balloon', image, ...fields }, headers);
  const send = (body: string | Uint8Array<ArrayBuffer>, contentType: string): Promise<Response> =>
    client.send('/v1/images/edits', { method: 'POST', headers: { 'content-type': contentType }, body });
  const edited = async (response: Response): Promise<Pixels> => {
    const [first] = await imagesOf(response);
    assert.ok(first);
    return codecs.decode(first);
  };

  it('changes all of the picture without a mask, and keeps its size', async () => {
    const result = await edited(await edit());
    assert.deepEqual([result.width, result.height], [WIDTH, HEIGHT]);
    const changed = countChanged(pixels, result, () => true);
    assert.ok(changed > 0.95 * WIDTH * HEIGHT, `${changed} pixels changed`);
  });

  for (const format of ['png', 'webp', 'jpeg']) {
    it(`changes the picture inside the mask and no byte outside it, when asked for ${format}`, async () => {
      const mask = maskWithHole();
      const fields = { mask: await codecs.encode(mask, { format: 'png' }), output_format: format };
      const result = await edited(await edit(fields));
      const inHole = (index: number): boolean => mask.rgba[index * 4 + 3] === 0;
      assert.equal(
        countChanged(pixels, result, (index) => mask.rgba[index * 4 + 3] === 255),
        0,
      );
      const hole = Array.from({ length: WIDTH * HEIGHT }, (_, index) => index).filter((index) =>
        inHole(index),
      );
      assert.ok(countChanged(pixels, result, inHole) > 0.95 * hole.length);
    });
  }

  it('goes beyond the mask when the prompt says so', async () => {
    const mask = maskWithHole();
    const fields = { mask: await codecs.encode(mask, { format: 'png' }), prompt: 'a sea demo:loose' };
    const result = await edited(await edit(fields));
    assert.deepEqual([result.width, result.height], [WIDTH, HEIGHT]);
    assert.ok(countChanged(pixels, result, (index) => mask.rgba[index * 4 + 3] === 255) > 0);
  });

  it('edits asynchronously, and the task is found where generations are', async () => {
    const response = await edit({}, { prefer: 'respond-async' });
    assert.equal(response.status, 202);
    const location = response.headers.get('location') ?? '';
    assert.match(location, /^\/v1\/images\/generations\/task_/u);
    await client.service.advance(1000);
    const task = await client.query(location.split('/').at(-1) ?? '');
    assert.equal(task.status, 'completed');
    const result = await fetch(task.data?.[0]?.url ?? '');
    const decoded = await codecs.decode(new Uint8Array(await result.arrayBuffer()));
    assert.deepEqual([decoded.width, decoded.height], [WIDTH, HEIGHT]);
  });

  it('follows the size for the first family, and not for the second', async () => {
    const first = await edited(await edit({ size: '45x35' }));
    assert.deepEqual([first.width, first.height], [45, 35]);
    const second = await edited(await edit({ size: '45x35', model: 'demo-sketch-a' }));
    assert.deepEqual([second.width, second.height], [WIDTH, HEIGHT]);
  });

  it('reads JPEG and WebP as well', async () => {
    for (const format of ['jpeg', 'webp'] as const) {
      const result = await edited(await edit({ image: await codecs.encode(pixels, { format }) }));
      assert.deepEqual([result.width, result.height], [WIDTH, HEIGHT]);
    }
  });

  it('takes several images where the model does, under either name, and shows them', async () => {
    const other = await codecs.encode(picture(20, 20), { format: 'png' });
    const one = await edited(await edit());
    const two = await edited(await edit({ image: [image, other] }));
    assert.ok(countChanged(one, two, () => true) > 100);
    const named = await client.edit({ model: 'demo-painter', prompt: 'x', 'image[]': [image, other] });
    assert.equal(named.status, 200);
    await refused(await edit({ image: [image, image], model: 'demo-sketch-a' }), 400, 'invalid_request');
    await refused(await edit({ image: [image, image, image, image, image] }), 400, 'invalid_request');
  });

  it('answers n different results', async () => {
    const images = await imagesOf(await edit({ n: '2' }));
    assert.equal(new Set(images.map((each) => each.toString('base64'))).size, 2);
  });

  it('refuses masks of another size, without transparency, or that are no images', async () => {
    const small = await codecs.encode(picture(WIDTH, HEIGHT - 1), { format: 'png' });
    const opaque = await codecs.encode(pixels, { format: 'jpeg' });
    await refused(await edit({ mask: small }), 400, 'invalid_mask');
    await refused(await edit({ mask: opaque }), 400, 'invalid_mask');
    await refused(await edit({ mask: Buffer.from('mask') }), 400, 'invalid_image');
    await refused(await edit({ mask: [image, image] }), 400, 'invalid_request');
  });

  it('refuses a PNG with wrong checksums, as decoders of real services do', async () => {
    const mask = await codecs.encode(maskWithHole(), { format: 'png' });
    await edited(await edit({ mask }));
    await refused(await edit({ mask: withOldChecksums(mask) }), 400, 'invalid_image');
    await refused(await edit({ image: withOldChecksums(image) }), 400, 'invalid_image');
  });

  it('refuses what is no image before there is a task', async () => {
    const before = (await client.ledger()).length;
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      image.slice(0, 400),
    ]) {
      const message = await refused(
        await edit({ image: bytes }, { prefer: 'respond-async' }),
        400,
        'invalid_image',
      );
      assert.match(message, /^image: [^.].*[^.]\.$/u);
    }
    assert.equal((await client.ledger()).length, before);
  });

  it('bills nothing for a synchronous edit of what is no image', async () => {
    const before = await client.ledger();
    await refused(await edit({ image: image.slice(0, 400) }), 400, 'invalid_image');
    assert.deepEqual(await client.ledger(), before);
  });

  it('refuses more pixels than it edits, whatever they are for', async () => {
    const lines = emptyLines(4097, 4096, 1);
    const wide = pngFile({ width: 4097, height: 4096, bitDepth: 1, colourType: 0, lines });
    for (const fields of [{ image: wide }, { image: [image, wide] }, { mask: wide }]) {
      const message = await refused(await edit(fields), 400, 'invalid_image');
      assert.match(message, /at most 16777216 pixels, as many as 4096x4096, not 4097x4096/u);
    }
  });

  it('names what is damaged in an image or a mask and where, synchronous or not, and bills nothing', async () => {
    const before = await client.ledger();
    const at = Buffer.from(image).indexOf('IDAT') - 4;
    const damaged = patched(image, at + 9, (image[at + 9] ?? 0) ^ 1);
    const where = `the checksum of chunk IDAT at byte ${at} is wrong`;
    for (const headers of [{}, { prefer: 'respond-async' }]) {
      for (const [fields, message] of [
        [{ image: damaged }, `image: ${where}.`],
        [{ mask: damaged }, `mask: ${where}.`],
        [{ image: [image, damaged] }, `image (2 of 2): ${where}.`],
      ] satisfies [Parameters<typeof edit>[0], string][]) {
        assert.equal(await refused(await edit(fields, headers), 400, 'invalid_image'), message);
      }
      const listed = await client.edit(
        { model: 'demo-painter', prompt: 'x', 'image[]': [damaged, image] },
        headers,
      );
      assert.equal(await refused(listed, 400, 'invalid_image'), `image[] (1 of 2): ${where}.`);
    }
    assert.deepEqual(await client.ledger(), before);
  });

  it('refuses a JPEG or WebP that is cut off', async () => {
    for (const [format, chunk] of [
      ['jpeg', 'SOS'],
      ['webp', 'VP8 '],
    ] as const) {
      const whole = await codecs.encode(pixels, { format });
      const cut = await refused(await edit({ image: whole.slice(0, -40) }), 400, 'invalid_image');
      assert.match(
        cut,
        new RegExp(`^image: it's truncated in or right after ${chunk} at byte \\d+\\.$`, 'u'),
      );
    }
  });

  it('refuses kinds of images that it does not edit, by name', async () => {
    const [header, ...rest] = piecesOf(Buffer.from(image));
    assert.ok(header);
    const moving = pngOf([header, { type: 'acTL', data: Buffer.from([0, 0, 0, 1, 0, 0, 0, 0]) }, ...rest]);
    const frame = sharp(image);
    const movingWebp = await sharp(
      [await frame.clone().png().toBuffer(), await frame.clone().negate({ alpha: false }).png().toBuffer()],
      { join: { animated: true } },
    )
      .webp()
      .toBuffer();
    const cmyk = await frame.clone().toColourspace('cmyk').jpeg().toBuffer();
    for (const [bytes, kind] of [
      [moving, /animated PNG/u],
      [movingWebp, /animated WebP/u],
      [cmyk, /CMYK JPEG/u],
    ] as const) {
      assert.match(await refused(await edit({ image: bytes }), 400, 'invalid_image'), kind);
    }
  });

  it('takes baseline, extended and progressive JPEG images of 8 bits in grey or colour, and no others', async () => {
    const photo = sharp({ create: { width: 40, height: 24, channels: 3, background: '#4080c0' } });
    const baseline = await photo.clone().jpeg().toBuffer();
    const at = baseline.indexOf(Buffer.of(0xff, 0xc0));
    const withFrame = (marker: number, bits = 8): Buffer =>
      patched(baseline, at + 1, marker, baseline[at + 2] ?? 0, baseline[at + 3] ?? 0, bits);
    const progressive = await photo.clone().jpeg({ progressive: true }).toBuffer();
    const grey = await photo.clone().greyscale().jpeg().toBuffer();
    assert.ok(at > 0 && progressive.includes(Buffer.of(0xff, 0xc2)));
    for (const taken of [baseline, withFrame(0xc1), progressive, grey]) {
      await checkEditFiles(jpegEdit(taken));
    }
    const pair = Buffer.concat([
      Buffer.of(0xff, 0xd8),
      jpegQuantisation(0),
      jpegFrame(0xc0, 16, 8, [jpegComponent, { ...jpegComponent, id: 2 }]),
      jpegCodes(0),
      jpegCodes(0x10),
      jpegScan([
        [1, 0],
        [2, 0],
      ]),
      jpegPixels(2, 2),
      Buffer.of(0xff, 0xd9),
    ]);
    for (const [other, kind] of [
      [withFrame(0xc3), /SOF3, 8 bits, 3 components/u],
      [withFrame(0xc1, 12), /SOF1, 12 bits, 3 components/u],
      [pair, /SOF0, 8 bits, 2 components/u],
    ] as const) {
      await assert.rejects(checkEditFiles(jpegEdit(other)), { code: 'invalid_image', message: kind });
    }
  });

  it('takes as many pixels as it says, to the last', async () => {
    const bytes = pngFile({
      width: 4096,
      height: 4096,
      bitDepth: 1,
      colourType: 0,
      lines: emptyLines(4096, 4096, 1),
    });
    await checkEditFiles({ images: [{ bytes, mediaType: undefined, label: 'image' }] });
  });

  it('compares a mask with the first of several images, and takes no text for its transparency', async () => {
    const mask = pngMask(6);
    const other = await codecs.encode(picture(20, 30), { format: 'png' });
    assert.equal((await edit({ image: [image, other], mask })).status, 200);
    const message = await refused(await edit({ image: [other, image], mask }), 400, 'invalid_mask');
    assert.equal(message, `mask must be as large as the image: 20x30, not ${WIDTH}x${HEIGHT}.`);
    const [header, ...rest] = piecesOf(pngMask(2));
    assert.ok(header);
    for (const level of [4, 6]) {
      const data = Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(20, level)]);
      const opaque = pngOf([header, { type: 'tEXt', data }, ...rest]);
      assert.match(await refused(await edit({ mask: opaque }), 400, 'invalid_mask'), /no alpha channel/u);
    }
  });

  it('says of what is no image that it is none, whatever its part claims', async () => {
    const text = new Blob(['no image'], { type: 'image/jpeg' });
    assert.doesNotMatch(await refused(await edit({ image: text }), 400, 'invalid_image'), /Content-Type/u);
  });

  it('takes masks with any kind of transparency, and refuses those without a channel for it', async () => {
    for (const taken of [
      pngMask(4),
      pngMask(6),
      pngMask(0, [0, 0]),
      pngMask(2, [0, 0, 0, 0, 0, 0]),
      pngMask(3, [0]),
    ]) {
      assert.equal((await edit({ mask: taken })).status, 200);
    }
    for (const opaque of [pngMask(0), pngMask(2), pngMask(3)]) {
      const message = await refused(await edit({ mask: opaque }), 400, 'invalid_mask');
      assert.match(message, /^mask must be transparent where the image is to be edited: .*no alpha channel/u);
    }
    const webp = await codecs.encode(maskWithHole(), { format: 'webp', lossless: true });
    assert.match(
      await refused(await edit({ mask: webp }), 400, 'invalid_mask'),
      /must be a PNG, not image\/webp/u,
    );
  });

  it('refuses a file whose part claims another type than it has, and takes one that claims none', async () => {
    const typed = (type: string): Promise<Response> =>
      edit({ image: new Blob([Uint8Array.from(image)], { type }) });
    for (const type of ['image/png', 'image/png; charset=binary', 'IMAGE/PNG', 'application/octet-stream']) {
      assert.equal((await typed(type)).status, 200, type);
    }
    for (const type of ['image/jpeg', 'image/webp', 'image/vnd.x.y', 'text/plain', 'application/json']) {
      assert.equal(
        await refused(await typed(type), 400, 'invalid_image'),
        `image: its Content-Type "${type}" is not that of its bytes, which are image/png; send image/png, image/jpeg or image/webp.`,
      );
    }
    const asMask = { mask: new Blob([Uint8Array.from(image)], { type: 'image/jpeg' }) };
    assert.match(
      await refused(await edit(asMask), 400, 'invalid_image'),
      /^mask: its Content-Type "image\/jpeg"/u,
    );
    const body = Buffer.concat([
      Buffer.from(`${partHead('model', '')}demo-painter\r\n${partHead('"prompt"', '')}a caf\u00e9\r\n`),
      Buffer.from(partHead('"image"', '; filename="a \\"b\\".png"')),
      image,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    const response = await client.send('/v1/images/edits', {
      method: 'POST',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body,
    });
    assert.equal(response.status, 200, await response.clone().text());
  });

  const wrong: [what: string, change: (form: FormData) => void][] = [
    ['no model', (form) => form.delete('model')],
    ['no prompt', (form) => form.delete('prompt')],
    ['an empty prompt', (form) => form.set('prompt', '')],
    ['no image', (form) => form.delete('image')],
    ['an image that is text', (form) => form.set('image', 'picture')],
    ['a mask that is text', (form) => form.set('mask', 'picture')],
    ['a prompt that is a file', (form) => form.set('prompt', new Blob(['a cat']), 'prompt.txt')],
    ['a prompt given twice', (form) => form.append('prompt', 'another')],
    ['n that is no number', (form) => form.set('n', 'two')],
  ];
  for (const [what, change] of wrong) {
    it(`refuses ${what}`, async () => {
      const form = new FormData();
      form.set('model', 'demo-painter');
      form.set('prompt', 'a red balloon');
      form.set('image', new Blob([Uint8Array.from(image)]), 'image.png');
      change(form);
      const response = await client.send('/v1/images/edits', { method: 'POST', body: form });
      await refused(response, 400, 'invalid_request');
    });
  }

  it('does not stream, and turns it off in its own queue', async () => {
    await refused(await edit({ stream: 'true' }), 400, 'unsupported_stream');
    assert.equal((await edit({ stream: 'false' })).status, 200);
    assert.equal((await edit({ stream: 'true' }, { prefer: 'respond-async' })).status, 202);
  });

  it('refuses a size that is no size, and a model that it does not have', async () => {
    await refused(await edit({ size: 'large' }), 400, 'invalid_size');
    await refused(await edit({ model: 'nothing' }), 404, 'model_not_found');
  });

  it('bills nothing for what is refused only when its pixels are looked at', async () => {
    const before = await client.ledger();
    const opaque = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
    const mask = await codecs.encode({ width: WIDTH, height: HEIGHT, rgba: opaque }, { format: 'png' });
    await refused(await edit({ mask }), 400, 'invalid_mask');
    await refused(await edit({ mask }, { prefer: 'respond-async' }), 400, 'invalid_mask');
    assert.deepEqual(await client.ledger(), before);
  });

  /** A form with a model, a prompt and an image, and a part with this head. */
  const formWith = (head: string): Uint8Array<ArrayBuffer> =>
    new Uint8Array(
      Buffer.concat([
        ...['model"\r\n\r\ndemo-painter', 'prompt"\r\n\r\na hat'].map((field) =>
          Buffer.from(`--x\r\nContent-Disposition: form-data; name="${field}\r\n`),
        ),
        Buffer.from('--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\n'),
        image,
        Buffer.from(`\r\n--x\r\n${head}\r\n\r\nno image at all\r\n--x--\r\n`),
      ]),
    );

  it('refuses a form with a part that does not say which field it is, instead of going on without it', async () => {
    const type = 'multipart/form-data; boundary=x';
    const before = await client.ledger();
    for (const head of [
      'Content-Disposition: form-data; filename="m.png"',
      'Content-Disposition: form-data; name=""; filename="m.png"',
      'Content-Disposition: attachment; name="mask"',
      'Content-Type: image/png',
      'no header',
    ]) {
      await refused(await send(formWith(head), type), 400, 'malformed_multipart');
    }
    await refused(
      await send(
        formWith('Content-Disposition: form-data; filename="m; name=zzz"; name="mask"'),
        `multipart/form-data; a="; boundary=Z"; boundary=x`,
      ),
      400,
      'invalid_image',
    );
    await refused(
      await send(formWith(`Content-Disposition: form-data; name=mask; filename*=UTF-8''m.png`), type),
      400,
      'invalid_image',
    );
    assert.deepEqual(await client.ledger(), before);
  });

  it('refuses a boundary that is longer than any may be', async () => {
    await refused(
      await send('', `multipart/form-data; boundary=${'x'.repeat(71)}`),
      400,
      'malformed_multipart',
    );
  });

  it('refuses forms that are malformed, and other content types', async () => {
    const cut = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc';
    for (const body of [
      cut,
      'no form at all',
      '',
      '--x',
      '--x\r\n',
      '--x\r\nContent-Disposition',
      `\n${cut}`,
    ]) {
      await refused(await send(body, 'multipart/form-data; boundary=x'), 400, 'malformed_multipart');
    }
    await refused(await send(cut, 'multipart/form-data'), 400, 'malformed_multipart');
    await refused(await send('{}', 'application/json'), 415, 'unsupported_media_type');
  });
});

/** An edit of one JPEG image. */
function jpegEdit(bytes: Buffer): Parameters<typeof checkEditFiles>[0] {
  return { images: [{ bytes, mediaType: 'image/jpeg', label: 'image' }] };
}

/** Opaque pixels that all differ from their neighbours. */
function picture(width: number, height: number): Pixels {
  const rgba = Uint8Array.from({ length: width * height * 4 }, (_, index) =>
    index % 4 === 3 ? 255 : (index * 29 + (index >> 6) * 7) & 255,
  );
  return { width, height, rgba };
}

/** Opaque but for a rectangle, and for a half-transparent column beside it. */
function maskWithHole(): Pixels {
  const rgba = new Uint8Array(WIDTH * HEIGHT * 4).fill(255);
  for (let row = 10; row < 50; row++) {
    for (let column = 20; column < 71; column++) {
      rgba[(row * WIDTH + column) * 4 + 3] = column === 70 ? 128 : 0;
    }
  }
  return { width: WIDTH, height: HEIGHT, rgba };
}

function countChanged(before: Pixels, after: Pixels, where: (index: number) => boolean): number {
  let changed = 0;
  for (let index = 0; index < before.width * before.height; index++) {
    const same = [0, 1, 2, 3].every(
      (channel) => before.rgba[index * 4 + channel] === after.rgba[index * 4 + channel],
    );
    changed += where(index) && !same ? 1 : 0;
  }
  return changed;
}

/** A mask that is edited all over, where its colour type or these data make it transparent. */
function pngMask(colourType: 0 | 2 | 3 | 4 | 6, transparency?: number[]): Buffer {
  const channels = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }[colourType];
  return pngFile({
    width: WIDTH,
    height: HEIGHT,
    bitDepth: 8,
    colourType,
    lines: emptyLines(WIDTH, HEIGHT, 8 * channels),
    ...(colourType === 3 && { palette: [0, 0, 0] }),
    ...(transparency && { transparency }),
  });
}

/** The head of a part that claims no type. */
function partHead(name: string, more: string): string {
  return `--x\r\nContent-Disposition: form-data; name=${name}${more}\r\n\r\n`;
}
