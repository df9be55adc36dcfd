import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as v from 'valibot';
import { sniffImage } from '../../../../src/images/formats/sniff.ts';
import { DemoClient } from '../../../support/demo/demoClient.ts';

const ImagePart = v.strictObject({ inlineData: v.strictObject({ mimeType: v.string(), data: v.string() }) });
const Answer = v.object({
  candidates: v.array(
    v.object({
      content: v.strictObject({
        role: v.literal('model'),
        parts: v.array(v.union([v.strictObject({ text: v.string() }), ImagePart])),
      }),
      finishReason: v.optional(v.string()),
    }),
  ),
  usageMetadata: v.optional(
    v.strictObject({
      promptTokenCount: v.pipe(v.number(), v.integer()),
      candidatesTokenCount: v.pipe(v.number(), v.integer()),
      totalTokenCount: v.pipe(v.number(), v.integer()),
    }),
  ),
});
type Answer = v.InferOutput<typeof Answer>;

const contents = [{ role: 'user', parts: [{ text: 'a small boat' }] }];
const generationConfig = { responseModalities: ['TEXT', 'IMAGE'] };

describe('native content generation', () => {
  let client: DemoClient;
  before(async () => {
    client = await DemoClient.start();
  });
  after(() => client.stop());

  const call = (body: unknown, path = 'demo-sketch-a:generateContent'): Promise<Response> =>
    client.post(`/v1beta/models/${path}`, body);

  it('answers text and one inline image that is what it says', async () => {
    const response = await call({ contents, generationConfig });
    assert.equal(response.status, 200);
    const answer = v.parse(Answer, await response.json());
    const [text, image] = partsOf(answer);
    assert.ok(text && 'text' in text && text.text.includes('a small boat'));
    assert.ok(image && 'inlineData' in image);
    const bytes = Buffer.from(image.inlineData.data, 'base64');
    assert.equal(sniffImage(bytes)?.mediaType, image.inlineData.mimeType);
    const usage = answer.usageMetadata;
    assert.ok(usage && usage.promptTokenCount > 0);
    assert.equal(usage.totalTokenCount, usage.promptTokenCount + usage.candidatesTokenCount);
  });

  it('answers text alone unless both modalities are asked for', async () => {
    for (const config of [
      undefined,
      {},
      { responseModalities: ['TEXT'] },
      { responseModalities: ['IMAGE'] },
    ]) {
      const answer = v.parse(Answer, await (await call({ contents, generationConfig: config })).json());
      assert.deepEqual(
        partsOf(answer).map((part) => 'text' in part),
        [true],
      );
    }
  });

  it('streams the text first and the image when it is painted', async () => {
    const response = await call(
      { contents, generationConfig },
      'demo-sketch-b:streamGenerateContent?alt=sse',
    );
    assert.equal(response.headers.get('content-type'), 'text/event-stream');
    const answers = (await response.text())
      .split('\r\n\r\n')
      .filter((event) => event !== '')
      .map((event) => v.parse(Answer, JSON.parse(event.replace(/^data: /u, ''))));
    assert.deepEqual(
      answers.map((answer) => partsOf(answer).flatMap((part) => Object.keys(part))),
      [['text'], ['inlineData']],
    );
    assert.equal(answers.at(-1)?.candidates[0]?.finishReason, 'STOP');
    assert.ok(answers.at(-1)?.usageMetadata);
  });

  it('ends a stream whose work failed with an error event', async () => {
    const failing = [{ role: 'user', parts: [{ text: 'a wreck demo:fail' }] }];
    const body = { contents: failing, generationConfig };
    const text = await (await call(body, 'demo-sketch-b:streamGenerateContent?alt=sse')).text();
    assert.match(text, /data: \{"error":\{"code":500.*"status":"INTERNAL"\}\}\r\n\r\n$/u);
  });

  it('paints what the user said last, whatever the model said before', async () => {
    const pixel = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
    const talk = [
      ...contents,
      { role: 'model', parts: [pixel] },
      { role: 'user', parts: [{ text: 'now a cat' }] },
    ];
    const answer = v.parse(Answer, await (await call({ contents: talk, generationConfig })).json());
    const [text] = partsOf(answer);
    assert.ok(text && 'text' in text && text.text.includes('now a cat'));
  });

  const wrong: [what: string, body: unknown][] = [
    ['no contents', {}],
    ['contents that are no list', { contents: 'a boat' }],
    ['empty contents', { contents: [] }],
    ['contents without a role', { contents: [{ parts: [{ text: 'a boat' }] }] }],
    ['an unknown role', { contents: [{ role: 'system', parts: [{ text: 'a boat' }] }] }],
    ['contents without parts', { contents: [{ role: 'user' }] }],
    ['empty parts', { contents: [{ role: 'user', parts: [] }] }],
    ['text that is no string', { contents: [{ role: 'user', parts: [{ text: 5 }] }] }],
    ['an image from the user', { contents: [{ role: 'user', parts: [{ inlineData: {} }] }] }],
    ['nothing said by the user', { contents: [{ role: 'model', parts: [{ text: 'a boat' }] }] }],
    ['an empty text', { contents: [{ role: 'user', parts: [{ text: '' }] }] }],
    ['an unknown modality', { contents, generationConfig: { responseModalities: ['SOUND'] } }],
    ['modalities that are no list', { contents, generationConfig: { responseModalities: 'IMAGE' } }],
  ];
  for (const [what, body] of wrong) {
    it(`refuses ${what}`, async () => {
      await refusedNatively(await call(body), 400, 'INVALID_ARGUMENT');
    });
  }

  it('refuses unknown models, those of the first family, streams that are not SSE, and other actions', async () => {
    const body = { contents, generationConfig };
    await refusedNatively(await call(body, 'nothing:generateContent'), 404, 'NOT_FOUND');
    await refusedNatively(await call(body, 'demo-painter:generateContent'), 400, 'INVALID_ARGUMENT');
    await refusedNatively(await call(body, 'demo-sketch-a:streamGenerateContent'), 400, 'INVALID_ARGUMENT');
    await refusedNatively(await call(body, 'demo-sketch-a:countTokens'), 404, 'NOT_FOUND');
    for (const path of ['demo-sketch-a:generateContent', 'demo-sketch-a:streamGenerateContent?alt=sse']) {
      const response = await client.send(`/v1beta/models/${path}`);
      assert.equal(response.headers.get('allow'), 'POST');
      await refusedNatively(response, 405, 'INVALID_ARGUMENT');
    }
  });

  it('refuses what is against the policy before it streams, and bills nothing for a text alone', async () => {
    const before = await client.ledger();
    const against = { contents: [{ role: 'user', parts: [{ text: 'a demo:reject' }] }], generationConfig };
    for (const path of ['demo-sketch-a:generateContent', 'demo-sketch-a:streamGenerateContent?alt=sse']) {
      await refusedNatively(await call(against, path), 400, 'INVALID_ARGUMENT');
      assert.equal((await call({ contents }, path)).status, 200);
    }
    assert.deepEqual(await client.ledger(), before);
  });

  it('refuses a key in any other place than the Authorization header', async () => {
    const headers = { 'x-goog-api-key': 'demo-key-ada', authorization: '' };
    const response = await client.post('/v1beta/models/demo-sketch-a:generateContent', { contents }, headers);
    await refusedNatively(response, 401, 'UNAUTHENTICATED');
  });
});

function partsOf(answer: Answer): Answer['candidates'][number]['content']['parts'] {
  return answer.candidates.flatMap(({ content }) => content.parts);
}

async function refusedNatively(response: Response, code: number, status: string): Promise<void> {
  const body: unknown = await response.json();
  assert.equal(response.status, code, JSON.stringify(body));
  const shape = v.strictObject({
    error: v.strictObject({ code: v.number(), message: v.string(), status: v.string() }),
  });
  const { error } = v.parse(shape, body);
  assert.deepEqual([error.code, error.status], [code, status]);
}
