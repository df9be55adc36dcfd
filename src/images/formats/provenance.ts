import { readXmp } from './xmp.ts';

const sources = ['trainedAlgorithmicMedia', 'compositeWithTrainedAlgorithmicMedia'] as const;

/** How a picture was made. */
export interface Provenance {
  prompt: string;
  model?: string;
  /** In Unix milliseconds. */
  at?: number;
  /** A term of the IPTC's digital source types. */
  source?: (typeof sources)[number];
}

/**
 * Reads from a PNG, JPEG or WebP file how its picture was made, in the words of the IPTC Photo Metadata Standard 2025.1,
 * whichever program wrote them.
 *
 * @returns undefined for a file that tells no prompt
 */
export async function readProvenance(bytes: Uint8Array): Promise<Provenance | undefined> {
  const xmp = await readXmp(bytes);
  const told = (name: string): string | undefined => (xmp === undefined ? undefined : valueOf(xmp, name));
  const prompt = told('Iptc4xmpExt:AIPromptInformation');
  if (prompt === undefined) {
    return undefined;
  }
  const model = told('Iptc4xmpExt:AISystemUsed');
  const at = Date.parse(told('xmp:CreateDate') ?? '');
  const type = told('Iptc4xmpExt:DigitalSourceType');
  const source = sources.find((term) => type?.endsWith(`/${term}`));
  return {
    prompt,
    ...(model !== undefined && { model }),
    ...(!Number.isNaN(at) && { at }),
    ...(source && { source }),
  };
}

/** Characters that are nothing to read: controls, and those that show a text in another order than it is in. */
const unseen = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/gu;

/** Returns a plain property of XMP, which may be an element or an attribute; undefined where it is empty. */
function valueOf(xmp: string, name: string): string | undefined {
  const [, element, double, single] =
    new RegExp(
      `<${name}(?:\\s[^<>]*)?>([^<]*)</${name}\\s*>|\\s${name}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')`,
      'u',
    ).exec(xmp) ?? [];
  const value = unescaped(element ?? double ?? single ?? '')
    .toWellFormed()
    .replaceAll(unseen, '')
    .trim();
  return value === '' ? undefined : value;
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Reads a text of XML. */
function unescaped(text: string): string {
  return text.replaceAll(
    /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/giu,
    (whole, name?: string, decimal?: string, hex?: string) => {
      if (name !== undefined) {
        return entities[name] ?? whole;
      }
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
