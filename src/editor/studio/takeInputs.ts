import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import type { StudioInput } from '../../studio/protocol/state.ts';
import { dimensionsOf, type InputImage, isVeryLarge, readImage, sizeText } from '../paint/inputImages.ts';
import { refuse } from '../failures/refusal.ts';
import type { KeptInput } from '../studioPanel/draftFile.ts';
import { studioInput } from '../studioPanel/studioInput.ts';
import type { StudioPanel } from '../studioPanel/studioPanel.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { slug } from '../../tasks/files/fileNames.ts';
import { readOrientation } from '../../images/formats/orientation.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { describeInput } from '../../tasks/files/taskInput.ts';

/**
 * Takes files as input images of the draft, each upright.
 *
 * @throws LimnerError for the first that is no image, with the reason; none is taken then
 */
export async function takeFiles(studio: StudioPanel, uris: readonly vscode.Uri[]): Promise<StudioInput[]> {
  const inputs = await Promise.all(uris.map(async (uri) => keptInput(studio, await readFor(studio, uri))));
  await studio.draft.addInputs(inputs);
  return Promise.all(inputs.map(async (input) => studioInput(studio, input)));
}

/** Takes one file; as `takeFiles`. */
export async function takeFile(studio: StudioPanel, uri: vscode.Uri): Promise<StudioInput> {
  const input = await keptInput(studio, await readFor(studio, uri));
  await studio.draft.addInputs([input]);
  return studioInput(studio, input);
}

/** Takes an image that was pasted, or dropped from where its path is not told; the bytes are kept for the draft. */
export async function takeBytes(studio: StudioPanel, name: string, bytes: Uint8Array): Promise<StudioInput> {
  const stem = slug(basename(name, extname(name))) || 'image';
  const format = sniffImage(bytes);
  if (!format) {
    throw noImage(name);
  }
  const path = await studio.draft.keepFile('inputs', `${stem}.${format.extension}`, bytes);
  const image = await readFor(studio, vscode.Uri.file(path));
  const input = await keptInput(studio, { ...image, name });
  await studio.draft.addInputs([input]);
  return studioInput(studio, input);
}

/** As `readImage`, without its buttons: the way to mend what is wrong with an input is in the studio itself. */
export async function readQuietly(...given: Parameters<typeof readImage>): Promise<InputImage> {
  try {
    return await readImage(...given);
  } catch (error) {
    throw isLimnerError(error) ? refuse(error.code, error.message) : error;
  }
}

async function readFor({ limner, draft }: StudioPanel, uri: vscode.Uri): Promise<InputImage> {
  return readQuietly(limner, uri, {
    newCopy: async (name) => vscode.Uri.file(await draft.newFile('inputs', name)),
  });
}

/** What the draft keeps of an image; of one that is stored turned, an upright copy. */
export async function keptInput(studio: StudioPanel, image: InputImage): Promise<KeptInput> {
  const bytes = await readFile(image.input.path);
  const isTurned = (await readOrientation(bytes)) !== 1;
  const { input, dimensions } = isTurned ? await uprightCopy(studio, image, bytes) : image;
  if (!dimensions) {
    throw noImage(image.name);
  }
  const { uri, path, size, mediaType, sha256 } = input;
  return {
    // The same file, unchanged, is the same input.
    id: createHash('sha256').update(`${uri} ${sha256}`).digest('hex').slice(0, 20),
    uri,
    name: image.name,
    path,
    ...dimensions,
    size,
    mediaType,
    sha256,
    notes: [
      ...(isVeryLarge({ input, dimensions })
        ? [vscode.l10n.t('Very large: {0}. The service may refuse it.', sizeText({ input, dimensions }))]
        : []),
      ...(isTurned ? [vscode.l10n.t('Turned upright, as its camera says.')] : []),
    ],
  };
}

async function uprightCopy(
  { limner, draft }: StudioPanel,
  { input: { uri, path } }: InputImage,
  bytes: Uint8Array,
): Promise<Pick<InputImage, 'input' | 'dimensions'>> {
  const codecs = await (await limner.engine.get()).codecs();
  const name = `${basename(path, extname(path))}.png`;
  const upright = await draft.keepFile('inputs', name, await codecs.upright(bytes));
  return { input: await describeInput(upright, uri), dimensions: await dimensionsOf(upright) };
}

function noImage(name: string): Error {
  return refuse(
    'unsupported_image',
    vscode.l10n.t('{0} is not a PNG, JPEG or WebP image, whatever its name says.', name),
  );
}
