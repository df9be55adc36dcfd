import type { AnsweredImage } from '../messages.ts';
import type { SpareBlob } from './blobJson.ts';
import type { InlineImages, ReadBody } from './inlineImages.ts';
import { inlinePictures } from './inlinePictures.ts';
import { namedIn, picturesIn } from './namedPictures.ts';
import { addressedImage, inlineImage } from './responseSchemas.ts';

/** What is in a body that has no image in a shape of the document. */
export interface Salvage {
  images: AnsweredImage[];
  /** Addresses that it names, in whatever sense. */
  addresses: string[];
}

/** How far a body is to be believed that has an image: one that is about a failure names other ones. */
export type Belief = 'all' | 'sure' | 'nothing';

/**
 * Looks in a body for what can only be an image of the answer: base64 and addresses under the names that services have for
 * them, then those in texts, and last of all drafts (docs/service.md, "Other shapes"). Whatever came with the request, and
 * what stands beside an image, isn't one.
 *
 * @param origin of the service, for addresses that are parts of one
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

/** Discards the drafts of a body that has an image. */
export async function discardSpares({ spares }: ReadBody): Promise<void> {
  await Promise.all(spares.splice(0).map(async ({ sink }) => sink.discard()));
}

/** Most images of a body in another shape: their addresses are kept in the task's row. */
const maxFound = 32;
/** The part of a text that isn't JSON that is read. */
const maxTextLength = 16 * 1024;

/** Keeps blobs that are whole; once that is so, they are nobody's spares. */
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
