import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { type Parameters, readParameters } from '../../../../src/images/formats/parameters.ts';
import { credentialsBy } from '../../../../src/images/formats/provenance.ts';
import { jpegSegment } from '../../../support/images/jpegFile.ts';
import { withText } from '../../../support/images/pngText.ts';
import { riffChunk } from '../../../support/images/webpFile.ts';

const picture = sharp({ create: { width: 12, height: 9, channels: 3, background: '#ff8800' } });
const png = await picture.clone().png().toBuffer();
const jpeg = await picture.clone().jpeg().toBuffer();
const webp = await picture.clone().webp().toBuffer();

const inPng = async (keyword: string, text: string): Promise<Parameters | undefined> =>
  readParameters(withText(png, `${keyword}\0${text}`));

const entry = (
  into: Buffer,
  at: number,
  ...[id, type, count, value]: readonly [number, number, number, number]
): void => {
  into.writeUInt16BE(id, at);
  into.writeUInt16BE(type, at + 2);
  into.writeUInt32BE(count, at + 4);
  into.writeUInt32BE(value, at + 8);
};

/** EXIF data with one entry, in the first directory or in the one for the camera's. */
function exifWith(tag: number, data: Buffer): Buffer {
  const isCamera = tag === 0x9286;
  const head = Buffer.from(`4d4d002a000000080001${'00'.repeat(12)}00000000`, 'hex');
  if (!isCamera) {
    entry(head, 10, tag, 2, data.length, head.length);
    return Buffer.concat([head, data]);
  }
  entry(head, 10, 0x8769, 4, 1, head.length);
  const camera = Buffer.from(`0001${'00'.repeat(12)}00000000`, 'hex');
  entry(camera, 2, tag, 7, data.length, head.length + camera.length);
  return Buffer.concat([head, camera, data]);
}

function inWebp(exif: Buffer): Buffer {
  const file = Buffer.concat([webp, riffChunk('EXIF', exif)]);
  file.writeUInt32LE(file.length - 8, 4);
  return file;
}

const inJpeg = (...segments: readonly Buffer[]): Buffer =>
  Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);

const unicode = (text: string, order: 'be' | 'le'): Buffer => {
  const body = Buffer.from(text, 'utf16le');
  return Buffer.concat([Buffer.from('UNICODE\0'), order === 'le' ? body : body.swap16()]);
};

const settings = '\nNegative prompt: blurry\nSteps: 20, Sampler: Euler a, Model: base_v1, Version: v1.9';

/** A graph with two samplers: the second refines what the first makes. */
const graph = {
  1: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name: 'base.safetensors' } },
  2: { class_type: 'LoraLoader', inputs: { lora_name: 'x', model: ['1', 0], clip: ['1', 1] } },
  3: { class_type: 'PrimitiveStringMultiline', inputs: { value: 'a linked jug' } },
  4: {
    class_type: 'CLIPTextEncode',
    inputs: { text: 'a draft', clip: ['1', 1] },
    is_changed: ['NaN', 'kept'],
  },
  5: { class_type: 'CLIPTextEncode', inputs: { text: ['3', 0], clip: ['2', 1] } },
  6: { class_type: 'CLIPTextEncode', inputs: { text: 'ugly', clip: ['2', 1] } },
  7: { class_type: 'KSampler', inputs: { positive: ['4', 0], negative: ['6', 0], model: ['1', 0] } },
  8: {
    class_type: 'KSampler',
    inputs: { positive: ['5', 0], negative: ['6', 0], model: ['2', 0], latent_image: ['7', 0] },
  },
  9: { class_type: 'SaveImage', inputs: { images: ['8', 0] } },
};
const ofGraph = { program: 'ComfyUI', prompt: 'a linked jug', model: 'base.safetensors' };
const withNaN = JSON.stringify(graph).replace('["NaN","kept"]', '[NaN]');

describe('readParameters', () => {
  it('reads the text of Automatic1111 in each format, in any script and byte order', async () => {
    const prompt = '一只杯子, a cup';
    const expected = { program: 'Automatic1111', prompt, model: 'base_v1' };
    for (const order of ['be', 'le'] as const) {
      const exif = exifWith(0x9286, unicode(prompt + settings, order));
      assert.deepEqual(await readParameters(inWebp(exif)), expected);
      const segment = jpegSegment(0xe1, Buffer.concat([Buffer.from('Exif\0\0'), exif]));
      assert.deepEqual(await readParameters(inJpeg(segment)), expected);
    }
    const international = Buffer.from(`parameters\0\0\0\0\0${prompt}${settings}`);
    assert.deepEqual(await readParameters(withText(png, international, 'iTXt')), expected);
    assert.equal(await inPng('parameters', settings.slice(1)), undefined);
  });

  it('follows a graph of ComfyUI from what was saved, though it is not quite JSON', async () => {
    assert.deepEqual(await inPng('prompt', withNaN), ofGraph);
    const compressed = Buffer.concat([
      Buffer.from('prompt\0\0'),
      deflateSync(withNaN + ' '.repeat(3_000_000)),
    ]);
    assert.deepEqual(await readParameters(withText(png, compressed, 'zTXt')), ofGraph);
    for (const [tag, text] of [
      [0x0110, `prompt:${withNaN}\0`],
      [0x010f, `Prompt:${withNaN}\0`],
      [0x9286, JSON.stringify({ prompt: graph, workflow: {} })],
    ] as const) {
      const behind = Buffer.from(text.replace(/\}(?=\}\0?$)/u, `},"90":{"image":"${'A'.repeat(200_000)}"}`));
      assert.deepEqual(await readParameters(inWebp(exifWith(tag, behind))), ofGraph, String(tag));
    }
  });

  it('reads combined conditions, guiders, and what is broken or in a circle', async () => {
    const flux = {
      1: { class_type: 'UNETLoader', inputs: { unet_name: 'flux.sft' } },
      2: { class_type: 'CLIPTextEncode', inputs: { text: 'a hill' } },
      3: { class_type: 'CLIPTextEncode', inputs: { text: 'a lake' } },
      4: {
        class_type: 'ConditioningCombine',
        inputs: { conditioning_1: ['2', 0], conditioning_2: ['3', 0] },
      },
      5: { class_type: 'BasicGuider', inputs: { model: ['1', 0], conditioning: ['4', 0] } },
      6: { class_type: 'SamplerCustomAdvanced', inputs: { guider: ['5', 0] } },
    };
    const expected = { program: 'ComfyUI', prompt: 'a hill\na lake', model: 'flux.sft' };
    assert.deepEqual(await inPng('prompt', JSON.stringify(flux)), expected);
    const circle = {
      1: { class_type: 'KSampler', inputs: { positive: ['2', 0], model: ['1', 0] } },
      2: { class_type: 'Switch', inputs: { conditioning: ['2', 0], text: ['1', 0] } },
    };
    assert.equal(await inPng('prompt', JSON.stringify(circle)), undefined);
    for (const text of ['', '{', 'null', '[]', '{"1":null}', withNaN.slice(0, -9)]) {
      assert.equal(await inPng('prompt', text), undefined, text);
    }
  });

  it('reads InvokeAI, NovelAI, Fooocus, and SwarmUI', async () => {
    const invoke = { positive_prompt: 'a kiln', model: { name: 'kiln-xl', base: 'sdxl' } };
    const older = { model_weights: 'old', image: { prompt: [{ prompt: 'a kiln', weight: 1 }] } };
    const fooocus = { prompt: 'a kiln', base_model: 'juggernaut', full_prompt: ['a kiln', 'style'] };
    const swarm = { sui_image_params: { prompt: 'a kiln', model: 'm' } };
    for (const [keyword, text, program, model] of [
      ['invokeai_metadata', JSON.stringify(invoke), 'InvokeAI', 'kiln-xl'],
      ['sd-metadata', JSON.stringify(older), 'InvokeAI', 'old'],
      ['Dream', '"a kiln" -s 20 -S 1 -W 512', 'InvokeAI', undefined],
      ['parameters', JSON.stringify(fooocus), 'Fooocus', 'juggernaut'],
      ['parameters', JSON.stringify(swarm), 'SwarmUI', 'm'],
    ] as const) {
      const expected = { program, prompt: 'a kiln', ...(model !== undefined && { model }) };
      assert.deepEqual(await inPng(keyword, text), expected, keyword);
    }
    const novel = withText(withText(png, 'Description\0a kiln'), 'Software\0NovelAI');
    assert.deepEqual(await readParameters(novel), { program: 'NovelAI', prompt: 'a kiln' });
    assert.equal(await inPng('Description', 'a kiln'), undefined);
  });
});

describe('credentialsBy', () => {
  it('reads a store that goes through several segments of a JPEG file', async () => {
    const name = Buffer.concat([
      Buffer.from('claim_generator_info'),
      Buffer.from([0xa1, 0x64]),
      Buffer.from('name'),
      Buffer.from([0x68]),
      Buffer.from('A Camera'),
    ]);
    const head = Buffer.from('4a50000100000001000100006a756d62', 'hex');
    const first = Buffer.concat([head, Buffer.from('c2pa'), Buffer.alloc(60_000), name.subarray(0, 25)]);
    const second = Buffer.concat([head, name.subarray(25)]);
    assert.equal(
      await credentialsBy(inJpeg(jpegSegment(0xeb, first), jpegSegment(0xeb, second))),
      'A Camera',
    );
  });
});
