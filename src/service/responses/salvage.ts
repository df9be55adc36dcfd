import type { AnsweredImage } from '../messages.ts';
import type { SpareBlob } from './blobJson.ts';
import type { InlineImages, ReadBody } from './inlineImages.ts';
import { inlinePictures } from './inlinePictures.ts';
import { type Named, namedIn } from './namedPictures.ts';
import { addressedImages, inlineImage } from './responseSchemas.ts';

/** What is in a body that has no image in a shape of the document. */
export interface Salvage {
  images: AnsweredImage[];
  /** Addresses that it names, in whatever sense. */
  addresses: string[];
}

/**
 * Looks in a body for what can only be an image: base64 wherever it stands, addresses under the names that services have
 * for them, and last of all drafts (docs/service.md, "Other shapes").
 *
 * @param origin of the service, for addresses that are parts of one
 */
export async function salvage(body: ReadBody, inline: InlineImages, origin: string): Promise<Salvage> {
  const { raw, spares, broken } = body;
  const bytes = raw.bytes;
  const isCut = broken !== undefined && broken.code !== 'protocol';
  const decoded = await inlinePictures(bytes, isCut, inline);
  const { pictures, others } = await named(body, bytes, inline);
  if (decoded.length > 0) {
    return { images: decoded.map(inlineImage), addresses: others };
  }
  const addressed = addressedImages(pictures, origin);
  const images = addressed.length > 0 ? addressed : await closed(spares.splice(0));
  return { images, addresses: others };
}

/** Discards the drafts of a body that has an image. */
export async function discardSpares({ spares }: ReadBody): Promise<void> {
  await Promise.all(spares.splice(0).map(async ({ sink }) => sink.discard()));
}

async function named({ values }: ReadBody, bytes: Buffer, inline: InlineImages): Promise<Named> {
  if (bytes.length === 0) {
    return namedIn(values);
  }
  const reread = await inline.reread(bytes);
  return namedIn(reread.length > 0 ? reread : inline.clean(bytes.toString('utf8', 0, maxTextLength)));
}

/** The part of a text that isn't JSON that is read. */
const maxTextLength = 16 * 1024;

async function closed(spares: readonly SpareBlob[]): Promise<AnsweredImage[]> {
  const images: AnsweredImage[] = [];
  for (const { blob, sink } of spares) {
    await sink.close();
    images.push(inlineImage(blob));
  }
  return images;
}
