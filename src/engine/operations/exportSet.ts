import { extname } from 'node:path';
import * as english from '../../common/english.ts';
import { LimnerError } from '../../common/limnerError.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { Finished } from '../../images/finish/finish.ts';
import type { Pixels } from '../../images/codecs/pixels.ts';
import { upright } from '../../images/formats/animation.ts';
import { type Dimensions, dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import type { Encoding, Finish, ReasonToLeaveAlone } from '../../images/formats/finish.ts';
import { withQuality } from '../../images/formats/finishWishes.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { icoFile } from './icoFile.ts';

/** The sets that can be made from one picture, as users name them. */
export const setNames = ['densities', 'webp', 'png', 'icons', 'favicon', 'apple-touch', 'pwa'] as const;

export type SetName = (typeof setNames)[number];

/** Sides of the icons for programs, in pixels. */
const iconSides = [16, 24, 32, 48, 64, 96, 128, 256, 512] as const;
const favoriteSides = [16, 32, 48] as const;
const appleSide = 180;
const installedSides = [192, 512] as const;
const maskableSide = 512;
/** The part of a maskable icon that every mask shows: a circle of this diameter, in shares of its side. */
const safeZone = 0.8;
/** The side of the square from which icons are made. */
const largestIcon = 512;
/** As of the commands that convert a file. */
const usualQuality = 90;
const white = '#ffffff';
/** Maximum difference of a channel within one color. */
const sameColor = 12;

export interface SetWishes {
  sets: readonly SetName[];
  /** Of the picture at 1×, in pixels. */
  width?: number | undefined;
  /** Behind icons that must be opaque: `#rrggbb`; by default, the picture's border, or white. */
  fill?: string | undefined;
}

/** The picture from which a set is made. */
export interface SetSource extends Dimensions {
  /** Of its file. */
  name: string;
  format: Encoding['format'];
}

export interface PlannedFile extends Dimensions {
  set: SetName;
  name: string;
  format: Encoding['format'] | 'ico';
  /** Of a picture for screens of this density. */
  density?: number;
  /** The sides of the icons in a file that holds several. */
  sides?: readonly number[];
  /** Its background is opaque; a maskable icon keeps its subject within the safe zone, too. */
  background?: 'opaque' | 'maskable';
}

export interface SetPlan {
  files: PlannedFile[];
  /** Files that would be enlarged. */
  leftOut: PlannedFile[];
}

export interface MadeFile extends PlannedFile {
  /** Undefined if it is the picture itself. */
  bytes?: Uint8Array;
  mediaType: string;
}

/** Facts about a set that users should know, as about a finished image. */
export type SetFacts = Pick<Finished, 'damage' | 'lostColours' | 'lostCredentials'>;

const extensions = { png: 'png', jpeg: 'jpg', webp: 'webp', ico: 'ico' } as const;
const mediaTypes = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  // As IANA has it; servers also send image/x-icon.
  ico: 'image/vnd.microsoft.icon',
} as const;

/** Reads the names of sets, separated by commas. @throws LimnerError `invalid_request` for another name */
export function setsOf(text: string): SetName[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase());
  const sets = setNames.filter((name) => names.includes(name));
  const other = names.find((name) => !sets.some((one) => one === name));
  if (other !== undefined) {
    throw new LimnerError(
      'invalid_request',
      english.t('There is no set "{0}". The sets are {1}.', other, setNames.join(', ')),
    );
  }
  return sets;
}

/** Returns why a set can't be made as wished, in an English sentence; undefined if it can. */
export function setProblem({ sets, width, fill }: SetWishes): string | undefined {
  if (sets.length === 0) {
    return english.t('Choose at least one set: {0}.', setNames.join(', '));
  }
  if (width !== undefined && !(Number.isInteger(width) && width >= 1)) {
    return english.t('The width at 1× must be a whole number of pixels.');
  }
  return fill === undefined || /^#[0-9a-f]{6}$/iu.test(fill)
    ? undefined
    : english.t('The background must be a color like "#ff8800".');
}

/** Reads what a plan must know of a picture; undefined for bytes that aren't one. */
export async function readSource(name: string, bytes: Uint8Array): Promise<SetSource | undefined> {
  const stored = dimensionsFromPrefix(bytes);
  const format = sniffImage(bytes)?.extension;
  return stored.kind === 'known' && format
    ? { name, format: format === 'jpg' ? 'jpeg' : format, ...(await upright(stored, bytes)) }
    : undefined;
}

/**
 * Returns the name under which a file is there already, so that a set that is made again stays the same.
 *
 * @param read returns the bytes under a name; undefined if it is free
 */
export async function sameFile(
  { name, bytes }: { name: string; bytes: Uint8Array },
  read: (name: string) => Promise<Uint8Array | undefined>,
): Promise<string | undefined> {
  const extension = extname(name);
  for (let number = 1; ; number++) {
    const numbered =
      number === 1 ? name : `${name.slice(0, name.length - extension.length)}-${number}${extension}`;
    const there = await read(numbered);
    if (!there) {
      return undefined;
    }
    if (Buffer.compare(there, bytes) === 0) {
      return numbered;
    }
  }
}

/** Returns the name of a picture without its extension and density, and that density: `hero`, 2 for `hero@2x.png`. */
export function stemOfPicture(name: string): { stem: string; density: number | undefined } {
  const [, stem = name, density] = /^(.+?)(?:@([1-4])x)?(?:\.[^.]+)?$/u.exec(name) ?? [];
  return { stem, density: density === undefined ? undefined : Number(density) };
}

/** Returns the width at 1× if nobody named one: the picture is then the file for the densest screens. */
export function usualWidth({ name, width }: Pick<SetSource, 'name' | 'width'>): number {
  return Math.max(1, Math.round(width / (stemOfPicture(name).density ?? 3)));
}

/** Returns the files of sets. Nothing is read. */
export function planSet(source: SetSource, { sets, width: asked }: SetWishes): SetPlan {
  const { stem } = stemOfPicture(source.name);
  const largest = Math.max(source.width, source.height);
  const has = (set: SetName): boolean => sets.includes(set);
  const files: PlannedFile[] = [];
  const leftOut: PlannedFile[] = [];
  const add = (file: PlannedFile, isEnlarged: boolean): void => {
    (isEnlarged ? leftOut : files).push(file);
  };
  const formats = [
    ...(has('densities') ? [{ set: 'densities', format: source.format } as const] : []),
    ...(['webp', 'png'] as const)
      .filter((format) => has(format) && format !== source.format)
      .map((format) => ({ set: format, format })),
  ];
  for (const { set, format } of formats) {
    if (!has('densities')) {
      const { width, height } = source;
      add({ set, name: `${stem}.${extensions[format]}`, format, width, height }, false);
      continue;
    }
    for (const density of [1, 2, 3]) {
      const width = wideAt(density, asked, source);
      const height = Math.max(1, Math.round((width * source.height) / source.width));
      const name = `${stem}@${density}x.${extensions[format]}`;
      add({ set, name, format, width, height, density }, width > source.width);
    }
  }
  if (has('icons')) {
    for (const side of iconSides) {
      add(
        { set: 'icons', name: `${stem}-${side}x${side}.png`, format: 'png', ...square(side) },
        side > largest,
      );
    }
  }
  if (has('favicon')) {
    const fitting = favoriteSides.filter((side) => side <= largest);
    const sides = fitting.length > 0 ? fitting : favoriteSides.slice(0, 1);
    const side = sides.at(-1) ?? largest;
    add({ set: 'favicon', name: 'favicon.ico', format: 'ico', ...square(side), sides }, fitting.length === 0);
  }
  if (has('apple-touch')) {
    add(
      {
        set: 'apple-touch',
        name: 'apple-touch-icon.png',
        format: 'png',
        ...square(appleSide),
        background: 'opaque',
      },
      appleSide > largest,
    );
  }
  if (has('pwa')) {
    for (const side of installedSides) {
      add({ set: 'pwa', name: `icon-${side}.png`, format: 'png', ...square(side) }, side > largest);
    }
    add(
      {
        set: 'pwa',
        name: `icon-maskable-${maskableSide}.png`,
        format: 'png',
        ...square(maskableSide),
        background: 'maskable',
      },
      Math.floor(maskableSide * safeZone) > largest,
    );
  }
  return { files, leftOut };
}

function square(side: number): Dimensions {
  return { width: side, height: side };
}

/** Returns the width for a density. If nobody named a width, the densest file is exactly as wide as the picture. */
function wideAt(density: number, asked: number | undefined, { name, width }: SetSource): number {
  const own = stemOfPicture(name).density ?? 3;
  return asked === undefined ? Math.max(1, Math.round((width * density) / own)) : asked * density;
}

type SetCodecs = Pick<Codecs, 'finish' | 'decode'>;

/**
 * Makes the files of a plan.
 *
 * @param bytes of the picture; stay readable
 * @param refuse throws an error for a picture that Limner leaves alone
 * @throws CodecError as `finish`
 */
export async function makeSet(
  codecs: SetCodecs,
  bytes: Uint8Array,
  source: SetSource,
  files: readonly PlannedFile[],
  { fill }: SetWishes,
  refuse: (why: ReasonToLeaveAlone) => never,
): Promise<{ files: MadeFile[]; facts: SetFacts }> {
  const facts: SetFacts = {};
  const finish = async (from: Uint8Array, how: Finish): Promise<Finished> => {
    // The codecs may take the bytes with them.
    const finished = await codecs.finish(from.slice(), how);
    const { untouched, damage, lostColours, lostCredentials } = finished;
    if (untouched !== undefined && untouched !== 'nothingToDo') {
      refuse(untouched);
    }
    Object.assign(
      facts,
      damage !== undefined && { damage },
      lostColours && { lostColours },
      lostCredentials && { lostCredentials },
    );
    return finished;
  };
  const isPicture = ({ set }: PlannedFile): boolean => set === 'densities' || set === 'webp' || set === 'png';
  const icons = files.every(isPicture) ? undefined : new IconMaker(codecs, finish, bytes, source, fill);
  const made: MadeFile[] = [];
  for (const file of files) {
    const mediaType = mediaTypes[file.format];
    if (!isPicture(file)) {
      made.push({ ...file, mediaType, ...(icons && { bytes: await icons.make(file) }) });
      continue;
    }
    const { width, height, format } = file;
    const isOther = format !== source.format && format !== 'ico';
    const finished = await finish(bytes, {
      size: { width, height },
      fit: { by: 'crop' },
      ...(isOther && { encoding: withQuality(format, usualQuality) }),
    });
    made.push({ ...file, mediaType, ...(finished.untouched === undefined && { bytes: finished.bytes }) });
  }
  return { files: made, facts };
}

/** Makes icons from a square of the picture, which is decoded only once however large it is. */
class IconMaker {
  readonly #codecs: SetCodecs;
  readonly #finish: (from: Uint8Array, how: Finish) => Promise<Finished>;
  readonly #bytes: Uint8Array;
  readonly #source: SetSource;
  readonly #fill: string | undefined;
  #square: Promise<Uint8Array> | undefined;
  #look: Promise<Look> | undefined;

  constructor(
    codecs: SetCodecs,
    finish: (from: Uint8Array, how: Finish) => Promise<Finished>,
    bytes: Uint8Array,
    source: SetSource,
    fill: string | undefined,
  ) {
    this.#codecs = codecs;
    this.#finish = finish;
    this.#bytes = bytes;
    this.#source = source;
    this.#fill = fill;
  }

  async make({ width: side, sides, background }: PlannedFile): Promise<Uint8Array> {
    if (sides) {
      const pngs: { side: number; png: Uint8Array }[] = [];
      for (const one of sides) {
        pngs.push({ side: one, png: await this.#icon(one, { by: 'pad', fill: 'transparent' }) });
      }
      return icoFile(pngs);
    }
    if (background === undefined) {
      return this.#icon(side, { by: 'pad', fill: 'transparent' });
    }
    const { color, reach } = await this.#looks();
    const fill = this.#fill ?? color;
    const room = background === 'maskable' ? safeZone / Math.max(1, reach) : 1;
    return this.#icon(side, { by: 'pad', fill, room });
  }

  async #icon(side: number, fit: Finish['fit'] & object): Promise<Uint8Array> {
    const { bytes } = await this.#finish(await this.#squared(), {
      encoding: { format: 'png' },
      size: { width: side, height: side },
      fit,
    });
    return bytes;
  }

  async #squared(): Promise<Uint8Array> {
    const side = Math.min(largestIcon, Math.max(this.#source.width, this.#source.height));
    this.#square ??= this.#finish(this.#bytes, {
      encoding: { format: 'png' },
      size: { width: side, height: side },
      fit: { by: 'pad', fill: 'transparent' },
    }).then(({ bytes }) => bytes);
    return this.#square;
  }

  async #looks(): Promise<Look> {
    this.#look ??= this.#squared().then(async (square) =>
      lookOf(await this.#codecs.decode(square.slice()), this.#source),
    );
    return this.#look;
  }
}

interface Look {
  /** A color to put behind the picture. */
  color: string;
  /** How far its subject reaches from the middle, in halves of the side: 1 touches the sides, √2 the corners. */
  reach: number;
}

/**
 * Looks for the subject of a picture in the middle of a square: what isn't transparent or, in an opaque picture on one
 * color, what has another one. An opaque picture that fills its frame has no subject that a mask could cut.
 */
function lookOf({ width: side, rgba }: Pixels, { width, height }: Dimensions): Look {
  const scale = side / Math.max(width, height);
  const [wide, high] = [Math.max(1, Math.round(width * scale)), Math.max(1, Math.round(height * scale))];
  const [left, top] = [Math.floor((side - wide) / 2), Math.floor((side - high) / 2)];
  const at = (x: number, y: number): number => ((top + y) * side + left + x) * 4;
  const alphaAt = (offset: number): number => rgba[offset + 3] ?? 0;
  const border: number[] = [];
  let isOpaque = true;
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      isOpaque &&= alphaAt(at(x, y)) === 255;
      if (y === 0 || y === high - 1 || x === 0 || x === wide - 1) {
        border.push(at(x, y));
      }
    }
  }
  const sums = [0, 0, 0];
  for (const offset of border) {
    sums.forEach((sum, channel) => {
      sums[channel] = sum + (rgba[offset + channel] ?? 0);
    });
  }
  const mean = sums.map((sum) => Math.round(sum / border.length));
  const isMean = (offset: number): boolean =>
    mean.every((level, channel) => Math.abs((rgba[offset + channel] ?? 0) - level) <= sameColor);
  const color = isOpaque ? `#${mean.map((level) => level.toString(16).padStart(2, '0')).join('')}` : white;
  if (isOpaque && !border.every(isMean)) {
    return { color, reach: 1 };
  }
  let farthest = 0;
  const middle = side / 2;
  for (let y = 0; y < high; y++) {
    for (let x = 0; x < wide; x++) {
      const offset = at(x, y);
      if (isOpaque ? !isMean(offset) : alphaAt(offset) > 0) {
        // The corner of the pixel that is farthest from the middle.
        const away = Math.hypot(
          Math.abs(left + x + 0.5 - middle) + 0.5,
          Math.abs(top + y + 0.5 - middle) + 0.5,
        );
        farthest = Math.max(farthest, away);
      }
    }
  }
  return { color, reach: farthest / middle };
}
