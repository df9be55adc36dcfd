import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { dimensionsFromPrefix } from '../../../../src/images/formats/dimensions.ts';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { eventually } from '../../../support/eventually.ts';
import { readBySharp } from '../../../readers/images.ts';
import { DemoClient, imagesOf, refused } from '../../../support/demo/demoClient.ts';

describe('synchronous generation', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  it('answers with base64 images of the asked size, the same each time', async () => {
    const [first] = await imagesOf(await client.generate({ size: '120x80' }));
    const [second] = await imagesOf(await client.generate({ size: '120x80' }));
    assert.ok(first && second);
    assert.deepEqual(dimensionsFromPrefix(first), { kind: 'known', width: 120, height: 80 });
    assert.ok(first.equals(second));
  });

  it('answers n different images', async () => {
    const images = await imagesOf(await client.generate({ n: 3 }));
    assert.equal(new Set(images.map((image) => image.toString('base64'))).size, 3);
  });

  it('gives size and quality no effect for the second family', async () => {
    const sizes = { model: 'demo-sketch-a', size: 'enormous', quality: 'whatever' };
    const [image] = await imagesOf(await client.generate(sizes));
    assert.deepEqual(image && dimensionsFromPrefix(image), { kind: 'known', width: 1024, height: 1024 });
  });

  it('answers in the size of the model where none is asked for', async () => {
    const [image] = await imagesOf(await client.generate({ model: 'demo-sketch-b', size: undefined }));
    assert.deepEqual(image && dimensionsFromPrefix(image), { kind: 'known', width: 1344, height: 768 });
  });

  it('answers each of the three formats', async () => {
    for (const [format, mediaType] of [
      ['png', 'image/png'],
      ['jpeg', 'image/jpeg'],
      ['webp', 'image/webp'],
    ]) {
      const [image] = await imagesOf(await client.generate({ output_format: format }));
      assert.equal(image && sniffImage(image)?.mediaType, mediaType);
    }
  });

  it('does not stream, and says so', async () => {
    const message = await refused(await client.generate({ stream: true }), 400, 'unsupported_stream');
    assert.match(message, /^stream is not offered/u);
  });

  it('takes as long as it was told, by its own clock', async () => {
    const slow = await DemoClient.start({ syncDuration: 60_000 });
    let answered = false;
    const response = slow.generate().then((reply) => {
      answered = true;
      return reply;
    });
    await eventually(
      'the service takes the request',
      async () => slow.ledger(),
      (entries) => entries.length > 0,
    );
    await slow.service.advance(59_999);
    assert.equal(answered, false);
    await slow.service.advance(1);
    assert.equal((await response).status, 200);
    await slow.stop();
  });

  const wrong: [what: string, fields: Record<string, unknown>, code?: string][] = [
    ['no model', { model: undefined }],
    ['a model that is no string', { model: 7 }],
    ['no prompt', { prompt: undefined }],
    ['an empty prompt', { prompt: ' ' }],
    ['a prompt that is no string', { prompt: ['sea'] }],
    ['a prompt that is null', { prompt: null }],
    ['n that is a string', { n: '2' }],
    ['n of no images', { n: 0 }],
    ['n of half an image', { n: 1.5 }],
    ['n of far too many', { n: 1000 }],
    ['a size that is no string', { size: 512 }],
    ['a size that is no size', { size: 'large' }, 'invalid_size'],
    ['a size with a sign', { size: '-64x64' }, 'invalid_size'],
    ['a size with something behind', { size: '64x64px' }, 'invalid_size'],
    ['a size of nothing', { size: '0x64' }, 'invalid_size'],
    ['a size beyond all bounds', { size: '99999x99999' }, 'invalid_size'],
    ['a quality that is no string', { quality: 1 }],
    ['stream that is no boolean', { stream: 'yes' }],
    ['an unknown response format', { response_format: 'xml' }],
    ['a prompt against the policy', { prompt: 'a demo:reject' }, 'content_policy_violation'],
  ];
  for (const [what, fields, code = 'invalid_request'] of wrong) {
    it(`refuses ${what}`, async () => {
      await refused(await client.generate(fields), 400, code);
    });
  }

  it('shows all of an image through where a transparent one is asked for in a format that can', async () => {
    const fields = { background: 'transparent', prompt: 'a fox' };
    for (const [changes, expected] of [
      [{ output_format: 'png' }, true],
      [{ output_format: 'webp' }, true],
      [{ output_format: 'jpeg' }, false],
      [{ background: 'opaque' }, false],
    ] as const) {
      const [image] = await imagesOf(await client.generate({ ...fields, ...changes }));
      assert.ok(image);
      const { rgba } = await readBySharp(image);
      assert.equal(rgba[3] === 0, expected, JSON.stringify(changes));
    }
  });

  it('refuses a model that it does not have', async () => {
    await refused(await client.generate({ model: 'nothing' }), 404, 'model_not_found');
  });

  it('refuses a body that is not a JSON object', async () => {
    for (const body of ['', '{', 'null', '[]', '"text"', '{"model":"demo-painter",}']) {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      await refused(await client.send('/v1/images/generations', init), 400, 'invalid_request');
    }
  });

  it('refuses text that is not UTF-8', async () => {
    const body = Buffer.from('{"model":"demo-painter","prompt":"caf\u00e9"}', 'latin1');
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    await refused(await client.send('/v1/images/generations', init), 400, 'invalid_request');
  });

  it('refuses another content type', async () => {
    for (const headers of [
      { 'content-type': 'text/plain' },
      { 'content-type': 'multipart/form-data; boundary=x' },
    ]) {
      const response = await client.post(
        '/v1/images/generations',
        { model: 'demo-painter', prompt: 'x' },
        headers,
      );
      await refused(response, 415, 'unsupported_media_type');
    }
  });
});

describe('keys and paths', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  it('refuses a missing, a malformed and a wrong key on every endpoint', async () => {
    for (const [method, path] of [
      ['POST', '/v1/images/generations'],
      ['POST', '/v1/images/edits'],
      ['GET', '/v1/images/generations/task_1'],
    ]) {
      for (const authorization of ['', 'demo-key-ada', 'Basic demo-key-ada', 'Bearer', 'Bearer nonsense']) {
        const response = await client.send(path ?? '', { method: method ?? '', headers: { authorization } });
        assert.equal(response.headers.get('www-authenticate'), 'Bearer');
        const why = /^Bearer ./u.test(authorization) ? 'not valid' : 'missing';
        assert.match(await refused(response, 401, 'invalid_api_key'), new RegExp(why, 'u'));
      }
    }
  });

  it('answers other methods with 405 and the one that is allowed', async () => {
    for (const [method, path, allow] of [
      ['GET', '/v1/images/generations', 'POST'],
      ['PUT', '/v1/images/edits', 'POST'],
      ['DELETE', '/v1/images/generations/task_1', 'GET'],
    ]) {
      const response = await client.send(path ?? '', { method: method ?? '' });
      assert.equal(response.headers.get('allow'), allow);
      await refused(response, 405, 'method_not_allowed');
    }
  });

  it('answers 404 where there is nothing', async () => {
    for (const path of ['/', '/v1', '/v1/models', '/v1/images/generations/', '/v2/images/generations']) {
      await refused(await client.send(path), 404, 'not_found');
    }
    const native = '/v1beta/models/demo-sketch-a';
    for (const [method, path] of [
      ['POST', '/v1/images/generations'],
      ['POST', '/v1/images/edits'],
      ['GET', '/v1/images/generations/task_1'],
      ['POST', `${native}:generateContent`],
      ['POST', `${native}:streamGenerateContent`],
    ] as const) {
      for (const other of [`/x${path}`, `${path}/x/y`, ...(method === 'POST' ? [`${path}x`] : [])]) {
        const response = await client.send(other, { method });
        assert.equal(response.status, 404);
        assert.match(await response.text(), /There is nothing at /u);
      }
    }
    assert.equal((await fetch(`${client.service.resultHost}/api/async-images/none.png`)).status, 404);
    assert.equal((await fetch(client.service.resultHost, { method: 'POST' })).status, 405);
  });
});
