/** What one image costs, in a currency as the person writes it; an empty one where the price names none. */
export interface Price {
  amount: number;
  currency: string;
}

/**
 * What the images of a model cost, as the person gave it: a number, or one with its currency and with other amounts for
 * a size (`1536x1024`), a quality (`high`), or both (`1536x1024 high`).
 */
export type PriceList =
  number | { amount: number; currency?: string | undefined; variants?: Record<string, number> | undefined };

/** What is counted where a model has no price; a currency stands in its place where it has one. */
export const imagesUnit = 'images';

/** A cost: what is billed, or would be, and at most, in a currency or in `imagesUnit`. */
export interface Cost {
  about: number;
  atMost: number;
  unit: string;
}

/** What services call their qualities. One of these that a list leaves out costs what its amount says. */
const usualQualities = new Set(['auto', 'low', 'medium', 'high', 'standard', 'hd']);

/**
 * Returns what one image of a request costs. The amount for its size and quality together counts first; then the higher
 * one of those for its size and for its quality. Names are compared without case. A quality that nobody knows costs as
 * much as the most expensive variant, if the list has qualities at all.
 */
export function imagePrice(
  list: PriceList,
  { size, quality }: { size?: string | undefined; quality?: string | undefined },
): Price {
  if (typeof list === 'number') {
    return { amount: list, currency: '' };
  }
  const { amount, currency = '', variants = {} } = list;
  const listed = new Map(Object.entries(variants).map(([name, one]) => [nameOf(name), one]));
  const known = [size, quality].map((name) => nameOf(name ?? '')).filter((name) => name !== '');
  const single = known.flatMap((name) => listed.get(name) ?? []);
  const both = known.length === 2 ? listed.get(known.join(' ')) : undefined;
  if (both === undefined && isUnknown(nameOf(quality ?? ''), [...listed.keys()])) {
    return { amount: Math.max(amount, ...listed.values()), currency };
  }
  return { amount: both ?? (single.length > 0 ? Math.max(...single) : amount), currency };
}

function nameOf(name: string): string {
  return name.trim().toLowerCase();
}

/** Whether a quality is none of those that a list names, though it names some, nor one that services have. */
function isUnknown(quality: string, listed: readonly string[]): boolean {
  const named = listed.flatMap((name) => name.replace(/^\d+x\d+(?: |$)/u, '') || []);
  return quality !== '' && named.length > 0 && !named.includes(quality) && !usualQualities.has(quality);
}

/** Whether a sum of prices is more than a limit: not by what floating point adds to it. */
export function isMore(sum: number, limit: number): boolean {
  return sum - limit > 1e-9 * Math.max(1, Math.abs(limit));
}

/** Formats an amount of money, "0.16 USD"; up to six decimals, two at least where it has any. */
export function moneyText(amount: number, currency: string, language: string): string {
  const rounded = Number(amount.toFixed(6));
  const minimumFractionDigits = Number.isInteger(rounded) ? 0 : 2;
  const number = rounded.toLocaleString(language, { minimumFractionDigits, maximumFractionDigits: 6 });
  return currency === '' ? number : `${number} ${currency}`;
}
