import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError } from '../../../../src/demo/http/apiError.ts';
import type { Form } from '../../../../src/demo/http/formReader.ts';
import {
  parseEdit,
  parseGeneration,
  parseNative,
  parseSize,
} from '../../../../src/demo/endpoints/validation.ts';

/** Returns why something is refused; undefined if it is not. */
function refusal(parse: () => unknown): string | undefined {
  try {
    parse();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ApiError && error.status === 400, String(error));
    assert.equal(
      error.code,
      /^size(?::| must have)/u.test(error.message) ? 'invalid_size' : 'invalid_request',
    );
    return error.message;
  }
}

const said = (...texts: string[]) => ({ role: 'user', parts: texts.map((text) => ({ text })) });
const file = { bytes: Buffer.of(1), mediaType: undefined };
const formOf = (texts: object, files: Record<string, number> = { image: 1 }): Form => ({
  texts: new Map(
    Object.entries({ model: 'painter', prompt: 'a fox', ...texts }).map(([name, text]) => [
      name,
      [text].flat(),
    ]),
  ),
  files: new Map(
    Object.entries(files).map(([name, count]) => [name, Array.from({ length: count }, () => file)]),
  ),
});

describe('a size that is asked of the demo service', () => {
  it('has sides of 16 to 4096 pixels', () => {
    assert.deepEqual(parseSize('16x4096'), { width: 16, height: 4096 });
    assert.deepEqual(parseSize('4096x16'), { width: 4096, height: 16 });
    for (const size of ['15x16', '16x15', '4097x16', '16x4097', '99999x99999']) {
      assert.match(refusal(() => parseSize(size)) ?? '', /16 to 4096 pixels/u, size);
    }
    for (const size of [
      '',
      'auto',
      '016x16',
      '16x016',
      '16X16',
      ' 16x16',
      '16x16 ',
      '16x16x16',
      '16',
      '100000x16',
      '16x100000',
    ]) {
      assert.match(refusal(() => parseSize(size)) ?? '', /<width>x<height>/u, size);
    }
  });
});

describe('the fields of a generation', () => {
  const body = { model: 'painter', prompt: 'a fox' };

  it('are taken within their bounds', () => {
    assert.deepEqual(parseGeneration({ ...body, unknown: 1 }), { ...body, n: 1 });
    for (const [changes, why] of [
      [{ prompt: 'x'.repeat(32_000), n: 10 }, undefined],
      [{ prompt: 'x'.repeat(32_001) }, 'prompt may have at most 32000 characters.'],
      [{ prompt: ' \n' }, 'prompt must not be empty.'],
      [{ prompt: 1 }, 'prompt must be a string.'],
      [{ prompt: undefined }, 'prompt must be a string.'],
      [{ model: ' ' }, 'model must not be empty.'],
      [{ n: 0 }, 'n must be at least 1.'],
      [{ n: 11 }, 'n must be at most 10.'],
      [{ n: 1.5 }, 'n must be an integer.'],
      [{ n: '1' }, 'n must be an integer.'],
      [{ stream: false, response_format: 'url', output_format: 'webp' }, undefined],
      [{ stream: true, response_format: 'b64_json', output_format: 'png' }, undefined],
      [{ output_format: 'jpeg' }, undefined],
      [{ response_format: 'png' }, 'response_format must be b64_json or url.'],
      [{ output_format: 'gif' }, 'output_format must be png, jpeg or webp.'],
      [{ stream: 'true' }, 'stream must be a boolean.'],
      [{ size: 1 }, 'size must be a string.'],
      [{ quality: 1 }, 'quality must be a string.'],
    ] as const) {
      assert.equal(
        refusal(() => parseGeneration({ ...body, ...changes })),
        why,
        JSON.stringify(why),
      );
    }
    assert.equal(
      refusal(() => parseGeneration({ ...body, model: 1 })),
      'model must be a string.',
    );
    assert.equal(
      refusal(() => parseGeneration({ model: 'painter' })),
      'prompt is missing.',
    );
    assert.equal(
      refusal(() => parseGeneration([])),
      'model is missing.',
    );
    assert.equal(
      refusal(() => parseGeneration('a fox')),
      'The body must be a JSON object.',
    );
  });
});

describe('the form of an edit', () => {
  it('has one text of each field, and files under either name, called by their place', () => {
    const edit = parseEdit(formOf({ n: '10', stream: 'false' }, { image: 1, mask: 1 }));
    assert.deepEqual(
      [edit.n, edit.images.map(({ label }) => label), edit.mask?.label],
      [10, ['image'], 'mask'],
    );
    assert.equal(parseEdit(formOf({ stream: 'true' })).stream, 'true');
    const two = parseEdit(formOf({}, { image: 2 }));
    assert.deepEqual(
      two.images.map(({ label }) => label),
      ['image (1 of 2)', 'image (2 of 2)'],
    );
    const several = parseEdit(formOf({}, { 'image[]': 2, image: 1 }));
    assert.deepEqual(
      several.images.map(({ label }) => label),
      ['image (1 of 3)', 'image[] (2 of 3)', 'image[] (3 of 3)'],
    );
    assert.deepEqual([several.n, 'mask' in several], [1, false]);
    for (const [form, why] of [
      [formOf({ model: ' ' }), 'model must not be empty.'],
      [formOf({ image: 'a' }), 'image must be a file.'],
      [formOf({ 'image[]': 'a' }), 'image[] must be a file.'],
      [formOf({ mask: 'a' }), 'mask must be a file.'],
      [formOf({}, { image: 1, prompt: 1 }), 'prompt must be text, not a file.'],
      [formOf({ size: ['16x16', '16x16'] }), 'size is given more than once.'],
      [formOf({}, {}), 'image is missing.'],
      [formOf({}, { image: 1, mask: 2 }), 'mask is given more than once.'],
      [formOf({ n: '' }), 'n must be an integer.'],
      [formOf({ n: '1.0' }), 'n must be an integer.'],
      [formOf({ n: 'x1' }), 'n must be an integer.'],
      [formOf({ n: '00001' }), 'n must be an integer.'],
      [formOf({ n: '0' }), 'n must be at least 1.'],
      [formOf({ n: '11' }), 'n must be at most 10.'],
      [formOf({ stream: 'yes' }), 'stream must be true or false.'],
      [formOf({ unknown: ['a', 'b'] }), undefined],
    ] as const) {
      assert.equal(
        refusal(() => parseEdit(form)),
        why,
      );
    }
  });
});

describe('a native call', () => {
  it('asks by what was said last, and for an image by both modalities', () => {
    const painted = { role: 'model', parts: [{ inlineData: {} }] };
    const contents = [said('a fox'), painted, said('with', 'a hat'), painted];
    for (const [modalities, wantsImage] of [
      [['TEXT', 'IMAGE'], true],
      [['IMAGE'], false],
      [['TEXT'], false],
      [[], false],
    ] as const) {
      const generationConfig = { responseModalities: modalities };
      assert.deepEqual(parseNative({ contents, generationConfig }), { prompt: 'with\na hat', wantsImage });
    }
    assert.equal(parseNative({ contents }).wantsImage, false);
    assert.equal(parseNative({ contents, generationConfig: {} }).wantsImage, false);
  });

  it('is refused where that is not there', () => {
    for (const [body, why] of [
      [{}, 'contents is missing.'],
      [{ contents: {} }, 'contents must be an array.'],
      [{ contents: [] }, 'contents must not be empty.'],
      [
        { contents: [{ role: 'system', parts: [] }] },
        'Each of contents must have a role, user or model, and parts.',
      ],
      [{ contents: [{ role: 'user', parts: [] }] }, 'parts must not be empty.'],
      [
        { contents: [{ role: 'user', parts: [{}] }] },
        'Only parts with text are taken here: text is missing.',
      ],
      [{ contents: [{ role: 'user', parts: [{ text: 1 }] }] }, 'text must be a string.'],
      [{ contents: [said(' ')] }, 'text must not be empty.'],
      [{ contents: [{ role: 'model', parts: [{}] }] }, 'text must not be empty.'],
      [{ contents: [said('a')], generationConfig: 1 }, 'generationConfig must be an object.'],
      [
        { contents: [said('a')], generationConfig: { responseModalities: ['SOUND'] } },
        'responseModalities may hold TEXT and IMAGE.',
      ],
    ] as const) {
      assert.equal(
        refusal(() => parseNative(body)),
        why,
      );
    }
  });
});
