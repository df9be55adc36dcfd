import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { after, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import { Codecs } from '../../../../src/images/finish/codecs.ts';
import { withCredentials } from '../../../support/images/specialFiles.ts';

/** As much of `vscode` as the question needs: it is put down, and answered with the button of `answers` that is next. */
const stub = `data:text/javascript,${encodeURIComponent(`
  export const l10n = {
    t: (text, ...values) => text.replaceAll(/\\{(\\d+)\\}/g, (_, index) => String(values[index])),
  };
  export const asked = [];
  export const answers = [];
  export const window = {
    async showWarningMessage(question, { detail }, ...buttons) {
      asked.push({ question, buttons, detail });
      return buttons[answers.shift()];
    },
  };
`)}`;
const hooks = registerHooks({
  resolve: (name, context, next) =>
    name === 'vscode' ? { url: stub, shortCircuit: true } : next(name, context),
});
const { replacementOf, shapeOf } = await import('../../../../src/vscode/actions/replacement.ts');
hooks.deregister();
const dialogs: unknown = await import(stub);
assert.ok(isDialogs(dialogs));
const { asked, answers } = dialogs;

const codecs = new Codecs();
after(() => codecs.dispose());

const square = await image(64, 64).png().toBuffer();

/** Replaces a file by a picture. @param answer which button is pressed, from 0 on; undefined: none */
async function replace(
  original: Uint8Array,
  answer: number | undefined,
  picture: Uint8Array = square,
): Promise<{ question: unknown; written: Uint8Array | undefined }> {
  answers.push(answer);
  const written = await replacementOf('cover', await shapeOf(original), picture, async () => codecs);
  const [question, ...more] = asked.splice(0);
  answers.splice(0);
  assert.equal(more.length, 0);
  return { question, written };
}

test('an image takes the place of one of its format and size without a question, as it is', async () => {
  const { question, written } = await replace(await image(64, 64).png().toBuffer(), undefined);
  assert.equal(question, undefined);
  assert.equal(written, square);
});

test('an image of another size is scaled to that of the original, or takes its place as it is', async () => {
  const original = await image(16, 16).png().toBuffer();
  const { question, written } = await replace(original, 0);
  assert.deepEqual(question, {
    question: 'cover is 16 × 16, the new image is 64 × 64.',
    buttons: ['Scale to 16 × 16', 'Replace Anyway'],
    detail: undefined,
  });
  assert.deepEqual(await kindOf(written), { format: 'png', width: 16, height: 16 });
  assert.equal((await replace(original, 1)).written, square);
  assert.equal((await replace(original, undefined)).written, undefined);
});

test('an image of another shape is cropped, too, and of another format converted, after one question', async () => {
  const original = await image(40, 30).jpeg().toBuffer();
  const { question, written } = await replace(original, 0);
  assert.deepEqual(question, {
    question: 'cover is a JPEG of 40 × 30, the new image is a PNG of 64 × 64. It will be converted to JPEG.',
    buttons: ['Scale and Crop to 40 × 30', 'Replace Anyway'],
    detail: 'JPEG compression may slightly change every pixel, even outside the mask.',
  });
  assert.deepEqual(await kindOf(written), { format: 'jpeg', width: 40, height: 30 });
  const anyway = await replace(original, 1);
  assert.deepEqual(await kindOf(anyway.written), { format: 'jpeg', width: 64, height: 64 });
});

test('what an image loses on its way is told before, whichever way that is', async () => {
  const clear = { create: { width: 64, height: 64, channels: 4, background: '#ff000080' } } as const;
  const signed = withCredentials(await sharp(clear).png().toBuffer());
  const asJpeg = await replace(await image(64, 64).jpeg().toBuffer(), undefined, signed);
  assert.equal(
    detailOf(asJpeg.question),
    "JPEG compression may slightly change every pixel, even outside the mask. Transparency becomes #ffffff. The copy doesn't include its Content Credentials.",
  );
  const larger = await replace(await image(128, 32).png().toBuffer(), undefined, signed);
  assert.equal(
    detailOf(larger.question),
    "If it is scaled: The copy doesn't include its Content Credentials. Scaling up adds no detail.",
  );
  const deep = await image(64, 64).toColourspace('rgb16').png().toBuffer();
  const smaller = await replace(await image(16, 16).png().toBuffer(), 0, deep);
  assert.equal(
    detailOf(smaller.question),
    'If it is scaled: The copy is reduced from 16 to 8 bits per channel.',
  );
  assert.deepEqual(await kindOf(smaller.written), { format: 'png', width: 16, height: 16 });
});

test('an image of some megabytes is whole afterwards, though its conversion may take its memory', async () => {
  const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
  const drawn = await sharp({ create: { width: 800, height: 800, channels: 3, background: 'red', noise } })
    .png()
    .toBuffer();
  // Memory of its own, as a file is read into.
  const large = Buffer.allocUnsafeSlow(drawn.length);
  drawn.copy(large);
  assert.ok(large.length > 1_000_000);
  const { written } = await replace(await image(16, 16).webp().toBuffer(), 0, large);
  assert.deepEqual(await kindOf(written), { format: 'webp', width: 16, height: 16 });
  assert.ok(large.equals(drawn));
});

function detailOf(question: unknown): unknown {
  return typeof question === 'object' && question !== null && 'detail' in question
    ? question.detail
    : undefined;
}

function image(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: 'red' } });
}

async function kindOf(bytes: Uint8Array | undefined): Promise<object> {
  assert.ok(bytes);
  const { format, width, height } = await sharp(bytes).metadata();
  return { format, width, height };
}

function isDialogs(module: unknown): module is { asked: unknown[]; answers: (number | undefined)[] } {
  return typeof module === 'object' && module !== null && 'asked' in module && 'answers' in module;
}
