import type { AnsweredImage } from '../terms/messages.ts';
import type { SpareBlob } from './blobJson.ts';
import type { InlineImages, ReadBody } from './inlineImages.ts';
import { inlinePictures } from './inlinePictures.ts';
import { namedIn, picturesIn } from './namedPictures.ts';
import { addressedImage, inlineImage } from './responseSchemas.ts';

/** The possible images in a body without a documented one. */
export interface Salvage {
  images: AnsweredImage[];
  /** All addresses in the body. */
  addresses: string[];
}

/** How far to trust a body with an image: a body about a failure may contain other images. */
export type Belief = 'all' | 'sure' | 'nothing';

/**
 * Looks for unmistakable images of the answer in a body: base64 and addresses under services' usual names, then those
 * in texts, and drafts last (docs/service.md, "Other shapes"). Data from the request, and data beside an image,
 * doesn't count.
 *
 * @param origin of the service, to resolve relative addresses
 */
export async function salvage(
  body: ReadBody,
  { inline, origin }: { inline: InlineImages; origin: string },
  belief: Belief = 'all',
): Promise<Salvage> {
  const { raw, spares, broken, values } = body;
  const bytes = raw.bytes;
  const read = bytes.length === 0 ? { values, spares: [] } : await inline.reread(bytes);
  const isText = read.values.length === 0;
  const named = namedIn(isText ? inline.clean(bytes.toString('utf8', 0, maxTextLength)) : read.values);
  const chosen = { all: picturesIn(named), sure: named.sure, nothing: [] }[belief];
  const found: AnsweredImage[] = [];
  for (const candidate of chosen.slice(0, maxFound)) {
    if ('url' in candidate) {
      found.push(...addressedImage(candidate.url, origin));
    } else {
      const at = read.spares.findIndex(({ blob }) => blob === candidate.blob);
      found.push(...(await closed(at === -1 ? [] : read.spares.splice(at, 1))));
    }
  }
  await Promise.all(read.spares.map(async ({ sink }) => sink.discard()));
  if (found.length > 0) {
    return { images: found, addresses: named.others };
  }
  const isCut = broken !== undefined && broken.code !== 'protocol';
  const inTexts =
    belief === 'all' && (named.inline > 0 || isText) ? await inlinePictures(bytes, isCut, inline) : [];
  return {
    images: inTexts.length > 0 ? inTexts.map(inlineImage) : await closed(spares.splice(0)),
    addresses: named.others,
  };
}

export async function discardSpares({ spares }: ReadBody): Promise<void> {
  await Promise.all(spares.splice(0).map(async ({ sink }) => sink.discard()));
}

/** Maximum number of images from an undocumented body: their addresses are stored in the task's row. */
const maxFound = 32;
/** Maximum number of characters to read of a text that isn't JSON. */
const maxTextLength = 16 * 1024;

async function closed(blobs: SpareBlob[]): Promise<AnsweredImage[]> {
  const images: AnsweredImage[] = [];
  for (const spare of blobs) {
    if (spare.blob.damage === undefined) {
      await spare.sink.close();
      images.push(inlineImage(spare.blob));
    } else {
      await spare.sink.discard();
    }
  }
  return images;
}
