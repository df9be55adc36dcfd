/** The price of one image. The currency is as the user wrote it, or empty if there is none. */
export interface Price {
  amount: number;
  currency: string;
}

/**
 * The user's prices for a model's images: a number, or an object with a currency and other amounts for a size
 * (`1536x1024`), a quality (`high`), or both (`1536x1024 high`).
 */
export type PriceList =
  number | { amount: number; currency?: string | undefined; variants?: Record<string, number> | undefined };

/** The unit of costs if a model has no price; otherwise the unit is a currency. */
export const imagesUnit = 'images';

/** An amount of money in a currency, or a number of images. */
export interface Amount {
  amount: number;
  /** A currency, or `imagesUnit`. */
  unit: string;
}

const symbols = new Map([
  ['€', 'EUR'],
  ['$', 'USD'],
  ['£', 'GBP'],
]);

/** Returns the one name of a currency that users write in several ways: "€", "eur", "EUR". */
export function currencyOf(written: string): string {
  const name = written.trim();
  return symbols.get(name) ?? (/^[a-z]{3}$/iu.test(name) ? name.toUpperCase() : name);
}

/** Returns the currency of a price; empty if it names none. */
export function unitOf(price: PriceList): string {
  return currencyOf(typeof price === 'number' ? '' : (price.currency ?? ''));
}

/** Whether a word means images, and so no currency. */
export function meansImages(word: string): boolean {
  return /^images?$/iu.test(word.trim());
}

/**
 * Reads "20 USD", "20 €", "$20", or "20 images". Returns undefined for anything else: a number alone could mean money
 * or images.
 */
export function readAmount(text: string): Amount | undefined {
  const [, before = '', number, after = ''] =
    /^(\p{Sc}|[a-z]{3})?\s*(\d+(?:\.\d+)?)\s*([^\d\s.,+-]\D*)?$/iu.exec(text.trim()) ?? [];
  const amount = Number(number);
  if (number === undefined || (before === '') === (after === '')) {
    return undefined;
  }
  if (meansImages(after)) {
    return Number.isInteger(amount) ? { amount, unit: imagesUnit } : undefined;
  }
  return { amount, unit: currencyOf(before + after) };
}

/** A cost that is or would be billed, and its maximum, in a currency or in `imagesUnit`. */
export interface Cost {
  about: number;
  atMost: number;
  unit: string;
}

/** Common names of qualities. If a price list omits one of these, the base amount applies. */
const usualQualities = new Set(['auto', 'low', 'medium', 'high', 'standard', 'hd']);

/**
 * Returns the price of one image of a request. The amount for size and quality together has priority; otherwise the
 * higher one of the amounts for size and for quality applies. Names ignore case. An unknown quality costs as much as
 * the most expensive variant if the list has qualities.
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

/** Whether a quality is neither in a list that has qualities nor a common one. */
function isUnknown(quality: string, listed: readonly string[]): boolean {
  const named = listed.flatMap((name) => name.replace(/^\d+x\d+(?: |$)/u, '') || []);
  return quality !== '' && named.length > 0 && !named.includes(quality) && !usualQualities.has(quality);
}

/** Whether a sum of prices exceeds a limit by more than a floating-point error. */
export function isMore(sum: number, limit: number): boolean {
  return sum - limit > 1e-9 * Math.max(1, Math.abs(limit));
}

/** Formats an amount of money, such as "0.16 USD", with up to six decimals, and at least two if it has any. */
export function moneyText(amount: number, currency: string, language: string): string {
  const rounded = Number(amount.toFixed(6));
  const minimumFractionDigits = Number.isInteger(rounded) ? 0 : 2;
  const number = rounded.toLocaleString(language, { minimumFractionDigits, maximumFractionDigits: 6 });
  return currency === '' ? number : `${number} ${currency}`;
}
