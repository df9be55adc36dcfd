import { english, spokenLanguage } from '../../engine/messages/language.ts';

/** Formatters are slow to make, and progress needs them every second. */
let made: { tag: string; number: Intl.NumberFormat; percent: Intl.NumberFormat } | undefined;

function numbers(): NonNullable<typeof made> {
  const { tag } = spokenLanguage();
  if (made?.tag !== tag) {
    const percent = new Intl.NumberFormat(tag, { style: 'percent', maximumFractionDigits: 2 });
    made = { tag, number: new Intl.NumberFormat(tag), percent };
  }
  return made;
}

export function numberText(number: number): string {
  return numbers().number.format(number);
}

/** @param percents such as 43 */
export function percentText(percents: number): string {
  return numbers().percent.format(percents / 100);
}

/** Returns names to choose from: `auto, async, or sync`. */
export function choiceText(names: readonly string[]): string {
  return new Intl.ListFormat(spokenLanguage().tag, { type: 'disjunction' }).format(names);
}

/** Returns a local time: `2026-01-31 14:05` in English, whose countries disagree about the order, or as usual elsewhere. */
export function localTime(milliseconds: number): string {
  const language = spokenLanguage();
  const date = new Date(milliseconds);
  // A row that was edited by hand may hold any number.
  return Number.isNaN(date.getTime())
    ? String(date)
    : new Intl.DateTimeFormat(language === english ? 'sv' : language.tag, {
        year: 'numeric',
        month: '2-digit',
        day: '2-digit',
        hour: '2-digit',
        minute: '2-digit',
        hourCycle: 'h23',
      }).format(date);
}
