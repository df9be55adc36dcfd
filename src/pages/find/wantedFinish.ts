import type { Reference, Size } from '../scan/reference.ts';

/** Minimum and maximum side of an image, in pixels. */
const [least, most] = [8, 8192];

const inName = /(?<!\d)(\d{2,4})\s?[x×]\s?(\d{2,4})(?!\d)/u;
const density = /@([23])x\.\w+$/u;

/**
 * Returns the size for a reference: the displayed size, or that in its file name, times the `@2x` of the name;
 * undefined unless both sides are known.
 */
export function wantedSize(
  { size: { width, height } }: Pick<Reference, 'size'>,
  path: string,
): Size | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, across, down] = inName.exec(name) ?? [];
  const factor = Number(density.exec(name)?.[1] ?? 1);
  const shown = width !== undefined && height !== undefined ? { width, height } : undefined;
  const named = across === undefined ? undefined : { width: Number(across), height: Number(down) };
  const wanted = shown ?? named;
  const scaled = wanted && { width: wanted.width * factor, height: wanted.height * factor };
  return scaled && [scaled.width, scaled.height].every((side) => side >= least && side <= most)
    ? scaled
    : undefined;
}

/** Sides of icons, in pixels. */
const [leastIcon, mostIcon] = [16, 256];
/** Words for a transparent background, in the languages in which most pages are written. */
const saysTransparent =
  /transparent(?:e[rnms]?)?[\s-]+(?:background|backdrop|bg|png|webp|hintergrund|fond|fondo|fundo|sfondo)|(?:background|hintergrund|fond|fondo|fundo|sfondo)\s+(?:is\s+)?(?:transparente?|trasparente)|(?:^|[,(:;–—-]\s*)transparente?\s*(?:$|[,).;])|(?<!\p{L})(?:no|without(?: an?)?|ohne|sans|sin|sem|senza)\s+(?:background|hintergrund|fond|fondo|fundo|sfondo)|freigestellt|透明(?:な?背景|底)|背景(?:是|は|を)?透[明過过]|(?:無|无|没有)背景|背景(?:なし|無し)|透過|투명(?:한)?\s*배경|배경\s*(?:없|투명)/iu;
const iconFolder =
  /^(?:icons?|ico|favicons?|logos?|stickers?|emojis?|emotes?|badges?|symbols?|glyphs?|pictograms?|sprites?|cursors?)$/iu;
/** Words for what fills its rectangle, however small, and for icons that systems put on a background of their own. */
const isFilled =
  /(?<!\p{L})(?:photo(?:s|graph)?|portraits?|avatars?|thumb(?:s|nails?)?|thumbnails?|previews?|posters?|covers?|screenshots?|backgrounds?|textures?|tiles?|patterns?|banners?|team|profiles?|apple-touch|maskable)(?!\p{L})/iu;

/**
 * Whether an image most likely needs a transparent background: its words say so, or its folder or its size in pixels is that
 * of an icon. Never in a format that has no transparency.
 */
export function wantsTransparency(words: string, path: string, size: Size | undefined): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  if (/\.(?!png$|webp$)\w{1,5}$/iu.test(name)) {
    return false;
  }
  if (saysTransparent.test(words)) {
    return true;
  }
  const isIcon =
    folders.some((folder) => iconFolder.test(folder)) ||
    (size !== undefined && [size.width, size.height].every((side) => side >= leastIcon && side <= mostIcon));
  return isIcon && !isFilled.test(`${words} ${name}`);
}
