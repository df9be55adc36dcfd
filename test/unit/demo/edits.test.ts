import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Codecs, type Pixels } from '../../../src/images/codecs/codecs.ts';
import { pngFile } from '../images/codecs/pngFile.ts';
import { withOldChecksums } from '../images/oldMaskFile.ts';
import { DemoClient, imagesOf, refused } from './demoClient.ts';

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
  const send = (body: string, contentType: string): Promise<Response> =>
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
      await refused(await edit({ image: bytes }, { prefer: 'respond-async' }), 400, 'invalid_image');
    }
    assert.equal((await client.ledger()).length, before);
  });

  it('bills nothing for a synchronous edit of what is no image', async () => {
    const before = await client.ledger();
    await refused(await edit({ image: image.slice(0, 400) }), 400, 'invalid_image');
    assert.deepEqual(await client.ledger(), before);
  });

  it('refuses more pixels than it edits, whatever they are for', async () => {
    const wide = pngFile({ width: 4097, height: 4096, bitDepth: 1, colourType: 0, lines: [0] });
    for (const fields of [{ image: wide }, { image: [image, wide] }, { mask: wide }]) {
      const message = await refused(await edit(fields), 400, 'invalid_image');
      assert.match(message, /at most 16777216 pixels, as many as 4096x4096, not 4097x4096/u);
    }
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

  it('refuses forms that are malformed, and other content types', async () => {
    const cut = '--x\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc';
    for (const body of [cut, 'no form at all', '', '--x', '--x\r\n', '--x\r\nContent-Disposition']) {
      await refused(await send(body, 'multipart/form-data; boundary=x'), 400, 'malformed_multipart');
    }
    await refused(await send(cut, 'multipart/form-data'), 400, 'malformed_multipart');
    await refused(await send('{}', 'application/json'), 415, 'unsupported_media_type');
  });
});

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
