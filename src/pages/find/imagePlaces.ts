import { inTurns } from '../../common/clock.ts';
import type { Reference, Size } from '../scan/reference.ts';
import { proposedPrompt, saysNothing } from './proposedPrompt.ts';
import type { WantedImage } from './wantedImages.ts';
import { wantedSize, wantsTransparency } from './wantedFinish.ts';

/** Images this small are there to fill space. In pixels. */
const spacer = 8;

/** Looks up references, and returns the images that are wanted, in order. */
export async function wantedAmong<Image>(
  references: readonly Reference[],
  at: (reference: Reference) => Promise<Image | undefined>,
): Promise<Image[]> {
  const found: Promise<Image | undefined>[] = [];
  for await (const reference of inTurns(references)) {
    found.push(at(reference));
  }
  return (await Promise.all(found)).filter((image) => image !== undefined);
}

/** Groups wanted images by their words: places with the same words show the same image. */
export async function byWords<Image extends WantedImage>(
  images: readonly Image[],
): Promise<Map<string, Image[]>> {
  const found = new Map<string, Image[]>();
  for await (const image of inTurns(images)) {
    const said = wordsFor(image);
    const alike = found.get(said) ?? [];
    alike.push(image);
    found.set(said, alike);
  }
  return found;
}

/** Proposes a prompt from the words around an image. Places with the same words show the same image. */
export function wordsFor(image: WantedImage): string {
  const { words } = image.reference;
  if (image.kind !== 'placeholder') {
    return proposedPrompt(words, image.file.path);
  }
  const { address } = image.reference;
  const name = /^(?:https?:)?\/\//iu.test(address) ? '' : address;
  // A service's subject says less than a name.
  const subject = [image.asked.words, words.below].filter((one) => !saysNothing(one)).join(': ');
  const title = words.title ?? (subject === '' ? undefined : subject);
  return proposedPrompt({ ...words, ...(title !== undefined && { title }) }, name);
}

/** Returns the size of an image, if its document says so. */
export function sizeFor(image: WantedImage): Size | undefined {
  const { reference } = image;
  return image.kind === 'placeholder'
    ? (image.asked.size ?? wantedSize(reference, reference.address))
    : wantedSize(reference, image.file.path);
}

/** Whether its words, its address, or its size suggest that an image needs a transparent background. */
export function isCutout(image: WantedImage): boolean {
  const { words, address } = image.reference;
  const said = [words.alt, words.title, words.caption, wordsFor(image)].join(' · ');
  // The address of a placeholder is its service's, and so is its format.
  const path = image.kind === 'placeholder' ? '' : address.replace(/[?#].*$/u, '');
  return wantsTransparency(said, path, sizeFor(image));
}

/** Whether the shown or the requested size, or the name, is that of an image that fills space. */
export function isSpacer(image: WantedImage): boolean {
  const { size, address } = image.reference;
  const asked = image.kind === 'placeholder' ? image.asked.size : undefined;
  return (
    [size.width, size.height, asked?.width, asked?.height].some(
      (side) => side !== undefined && side <= spacer,
    ) || /(?:^|[/_-])(?:spacer|blank|pixel|transparent|divider|separator)\.\w+$/iu.test(address)
  );
}

/** Returns the query and the fragment of an address, which another address in its place keeps. */
export function endOf({ address, notation }: Reference): string {
  const isText = notation === 'url' || notation === 'path';
  return isText ? (/[?#].*$/u.exec(address)?.[0] ?? '') : '';
}
