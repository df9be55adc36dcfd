import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Codecs, type Pixels } from '../../../../src/images/finish/codecs.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { emptyLines, patched } from '../../../support/images/damagedFiles.ts';
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

  it('refuses masks of another size, without transparency, or that are no images', async () => {
    const small = await codecs.encode(picture(WIDTH, HEIGHT - 1), { format: 'png' });
    const opaque = await codecs.encode(pixels, { format: 'jpeg' });
    await refused(await edit({ mask: small }), 400, 'invalid_mask');
    await refused(await edit({ mask: opaque }), 400, 'invalid_mask');
    await refused(await edit({ mask: Buffer.from('mask') }), 400, 'invalid_image');
    await refused(await edit({ mask: [image, image] }), 400, 'invalid_request');
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

/** Opaque pixels that all differ from their neighbors. */
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

/** A mask that is edited all over, where its color type or these data make it transparent. */
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
