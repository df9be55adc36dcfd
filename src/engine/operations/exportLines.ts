import { encodePath } from '../../common/text.ts';
import type { PlannedFile } from './exportSet.ts';

/** The file of a set, with its address in code. */
export type AddressedFile = Omit<PlannedFile, 'bytes'> & { address: string; mediaType: string };

/** A picture's other files: each a list for `srcset`. */
export interface PictureSources {
  /** In the picture's own format. */
  own: string;
  /** In others, by their media types. */
  others: readonly { type: string; srcset: string }[];
}

/** A `<link>` of a page's head, by its attributes. */
export type HeadLink = readonly (readonly [name: string, value: string])[];

/** An entry of a web app manifest's `icons`. */
export interface ManifestIcon {
  src: string;
  sizes: string;
  type: string;
  purpose?: 'maskable';
}

/** Returns the address of a path with slashes. The sign of densities needs no encoding, and is read by people. */
export function fileAddress(path: string): string {
  return encodePath(path).replaceAll('%40', '@');
}

/** Returns what an `<img>` needs to show the files; undefined if none of them is for it. */
export function pictureSources(files: readonly AddressedFile[]): PictureSources | undefined {
  const listOf = (some: readonly AddressedFile[]): string =>
    some
      .map(({ address, density }) => (density === undefined ? address : `${address} ${density}x`))
      .join(', ');
  const own = files.filter(({ set }) => set === 'densities');
  // Every browser shows PNG: only a smaller format comes before the picture's own.
  const others = files.filter(({ set }) => set === 'webp');
  const [other] = others;
  return own.length === 0 && !other
    ? undefined
    : { own: listOf(own), others: other ? [{ type: other.mediaType, srcset: listOf(others) }] : [] };
}

/** Returns the links of a page's head to the icons of its site. */
export function headLinks(files: readonly AddressedFile[]): HeadLink[] {
  return files.flatMap((file): HeadLink[] => {
    const { set, address, width, background } = file;
    const sizes = (file.sides ?? [width]).map((side) => `${side}x${side}`).join(' ');
    if (set === 'favicon') {
      return [
        [
          ['rel', 'icon'],
          ['href', address],
          ['sizes', sizes],
        ],
      ];
    }
    if (set === 'apple-touch') {
      return [
        [
          ['rel', 'apple-touch-icon'],
          ['href', address],
        ],
      ];
    }
    // The others are named by the manifest.
    return set === 'pwa' && background === undefined && width === 192
      ? [
          [
            ['rel', 'icon'],
            ['type', file.mediaType],
            ['sizes', sizes],
            ['href', address],
          ],
        ]
      : [];
  });
}

/** Returns the entries of a web app manifest's `icons`. */
export function manifestIcons(files: readonly AddressedFile[]): ManifestIcon[] {
  return files.filter(({ set }) => set === 'pwa').map(manifestIcon);
}

function manifestIcon({ address, width, mediaType, background }: AddressedFile): ManifestIcon {
  const icon = { src: address, sizes: `${width}x${width}`, type: mediaType };
  return background === 'maskable' ? { ...icon, purpose: 'maskable' } : icon;
}

/** Returns the lines for a page: an `<img>`, or a `<picture>` around it. @param alt in plain words */
export function pictureLines(files: readonly AddressedFile[], original: string, alt = ''): string[] {
  const sources = pictureSources(files);
  if (!sources) {
    return [];
  }
  const image = elementText('img', [
    ['src', original],
    ...(sources.own === '' ? [] : [['srcset', sources.own] as const]),
    ['alt', alt],
  ]);
  return sources.others.length === 0
    ? [image]
    : [
        '<picture>',
        ...sources.others.map(
          ({ type, srcset }) =>
            `  ${elementText('source', [
              ['type', type],
              ['srcset', srcset],
            ])}`,
        ),
        `  ${image}`,
        '</picture>',
      ];
}

/** Returns the lines for a page's head. */
export function headLines(files: readonly AddressedFile[]): string[] {
  return headLinks(files).map((link) => elementText('link', link));
}

function elementText(name: string, attributes: HeadLink): string {
  const text = attributes.map(([key, value]) => ` ${key}="${escaped(value)}"`).join('');
  return `<${name}${text}>`;
}

function escaped(value: string): string {
  return value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
