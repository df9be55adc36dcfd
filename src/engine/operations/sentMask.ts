import { open, readFile, writeFile } from 'node:fs/promises';
import { parse } from 'node:path';
import type { Codecs } from '../../images/finish/codecs.ts';
import { readMaskFile } from '../files/repairMaskFile.ts';
import { type Dimensions, readDimensions } from '../../images/formats/dimensions.ts';
import { type ReasonToLeaveAlone, whyLeftAlone } from '../../images/formats/finish.ts';
import { isQuarterTurn, type Orientation, readOrientation } from '../../images/formats/animation.ts';
import type { ModelEntry } from '../../service/terms/modelOptions.ts';
import { describeInput } from '../files/taskInput.ts';
import type { TaskInput } from '../task/task.ts';

/** The files of an edit with a mask. The mask belongs to the first image. */
export interface MaskedInputs {
  image: TaskInput;
  mask: TaskInput;
}

export interface MaskServices {
  codecs: () => Promise<Pick<Codecs, 'maskFacts' | 'convertMask' | 'turnUpright'>>;
  /** Returns a new path for a file that is kept as long as its task. Without it, the inputs are only checked. */
  newPath?: (name: string) => Promise<string>;
}

/** The size of an image as people see it, and its size in the file where an EXIF orientation swaps width and height. */
export interface SeenSize {
  seen: Dimensions;
  stored?: Dimensions;
}

/** Why an edit with a mask is refused before anything is sent. */
export type MaskProblem =
  | { is: 'otherSize'; image: SeenSize; mask: SeenSize }
  /** The mask is damaged or too large to read. */
  | { is: 'unreadable' }
  /**
   * The mask marks nothing, or is the image itself. `isConverted`: white marks an area as well as transparency does.
   * `isWhiteOnBlack`: it would mark something if it did.
   */
  | { is: 'unmarked'; isConverted: boolean; isImage: boolean; isWhiteOnBlack: boolean }
  /** The image has an EXIF orientation and can't be turned upright. */
  | { is: 'unturnable'; why: Exclude<ReasonToLeaveAlone, '16bit'> | 'unreadable' };

/** Returns the code of the error with which an edit is refused. */
export function maskProblemCode({ is }: MaskProblem): 'unsupported_image' | 'invalid_request' {
  return is === 'unreadable' || is === 'unturnable' ? 'unsupported_image' : 'invalid_request';
}

/** An edit with a mask as it is sent, and what a user should know about it. */
export interface SentMask extends MaskedInputs {
  /** The image is an upright copy. */
  isTurned: boolean;
  /** The mask is this everywhere: the whole image is edited. */
  isAll?: 'transparent' | 'white';
}

/**
 * Returns the first image and the mask of an edit as they are sent, or why they are not. The mask is in the convention
 * of the model's entry, or as it is where the entry names none: then only its transparency marks what is edited. Both
 * are upright, since services differ in whether they apply an EXIF orientation.
 *
 * @throws Error of the operating system
 */
export async function sentMask(
  { image, mask }: MaskedInputs,
  { mask: convention }: Pick<ModelEntry, 'mask'>,
  { codecs, newPath }: MaskServices,
): Promise<SentMask | { problem: MaskProblem }> {
  const [imageLook, maskLook] = await Promise.all([lookAt(image), lookAt(mask)]);
  const isOtherSize = otherSize(imageLook, maskLook);
  if (isOtherSize) {
    return { problem: isOtherSize };
  }
  const { maskFacts, convertMask, turnUpright } = await codecs();
  const bytes = await readMaskFile(mask.path);
  const facts = await maskFacts(bytes).catch(() => undefined);
  if (!facts) {
    return { problem: { is: 'unreadable' } };
  }
  const converted = convention === 'alpha' || convention === 'white' ? convention : undefined;
  const isOpaque = facts.byTransparency === 'nothing';
  const marked = isOpaque && converted ? facts.byLightness : facts.byTransparency;
  const isImage = isOpaque && mask.sha256 === image.sha256;
  if (marked === 'nothing' || isImage) {
    const isWhiteOnBlack = facts.isGray && facts.byLightness !== 'nothing';
    return { problem: { is: 'unmarked', isConverted: converted !== undefined, isImage, isWhiteOnBlack } };
  }
  const turned = imageLook.orientation === 1 ? undefined : await readFile(image.path);
  const reason = turned && (await whyLeftAlone(turned));
  // Services take eight bits per channel.
  if (reason !== undefined && reason !== '16bit') {
    return { problem: { is: 'unturnable', why: reason } };
  }
  const notes: Omit<SentMask, keyof MaskedInputs> = {
    isTurned: turned !== undefined,
    ...(marked === 'everything' && { isAll: isOpaque ? 'white' : 'transparent' }),
  };
  if (!newPath) {
    return { image, mask, ...notes };
  }
  const kept = async (input: TaskInput, name: string, file: Uint8Array): Promise<TaskInput> => {
    const path = await newPath(name);
    await writeFile(path, file);
    return describeInput(path, input.uri);
  };
  const upright = turned && (await turnUpright(turned).catch(() => undefined));
  if (turned && !upright) {
    return { problem: { is: 'unturnable', why: 'unreadable' } };
  }
  const sent = converted
    ? await convertMask(bytes, converted)
    : maskLook.orientation !== 1 && (await turnUpright(bytes));
  return {
    image: upright ? await kept(image, image.name, upright) : image,
    mask: sent ? await kept(mask, converted ? `${parse(mask.name).name}.png` : mask.name, sent) : mask,
    ...notes,
  };
}

/**
 * Returns why a mask does not fit its image, as far as their headers tell. Sizes are those that people see.
 *
 * @throws Error of the operating system
 */
export async function maskMisfit({ image, mask }: MaskedInputs): Promise<MaskProblem | undefined> {
  const [imageLook, maskLook] = await Promise.all([lookAt(image), lookAt(mask)]);
  return otherSize(imageLook, maskLook);
}

interface Look extends SeenSize {
  orientation: Orientation;
}

function otherSize(image: Look, mask: Look): MaskProblem | undefined {
  const isSame = image.seen.width === mask.seen.width && image.seen.height === mask.seen.height;
  return isSame ? undefined : { is: 'otherSize', image, mask };
}

async function lookAt({ path }: TaskInput): Promise<Look> {
  const file = await open(path, 'r');
  try {
    // A file without a size was refused as damaged when it was described.
    const stored = (await readDimensions(file)) ?? { width: 0, height: 0 };
    const orientation = await readOrientation(file);
    return isQuarterTurn(orientation)
      ? { seen: { width: stored.height, height: stored.width }, stored, orientation }
      : { seen: stored, orientation };
  } finally {
    await file.close();
  }
}
