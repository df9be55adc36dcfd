import { Random } from '../support/random.ts';

/** With and without summer time, and off the full hour. */
const zones = ['UTC', 'Asia/Kathmandu', 'Europe/Berlin', 'Pacific/Chatham'];

/** With other digits, another calendar, and other words. */
const locales = ['en_US', 'de_DE', 'fa_IR', 'th_TH'];

/** Returns the environment variables of a drawn time zone and locale, unless this process has some. */
export function drawPlace(): { TZ: string; LC_MESSAGES: string; LC_ALL: undefined } {
  const random = new Random(Math.trunc(Math.random() * 2 ** 31));
  const { TZ = random.pick(zones), LC_MESSAGES = `${random.pick(locales)}.UTF-8` } = process.env;
  return {
    TZ,
    // Not LC_ALL, of which shells complain where there is no such locale; it would come first.
    LC_MESSAGES,
    LC_ALL: undefined,
  };
}
