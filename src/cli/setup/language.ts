import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { english, type Language } from '../../engine/messages/language.ts';

/**
 * Returns the language that the usual variables ask for, as translations are named: `de`, `pt-br`, `zh-tw`; undefined for
 * English. As everywhere on POSIX, the first that is set counts. Windows sets none of them, and what it tells instead is
 * the format of dates, not the language of its user.
 */
export function languageAsked(env: NodeJS.ProcessEnv): string | undefined {
  const locale = env['LC_ALL'] || env['LC_MESSAGES'] || env['LANG'] || '';
  const [, language = '', rest = ''] =
    /^([a-z]{2,3})((?:[_-][a-z0-9]+)*)(?:\.[^@]*)?(?:@.*)?$/iu.exec(locale) ?? [];
  switch (language.toLowerCase()) {
    case '':
    case 'en':
      return undefined;
    case 'pt':
      return 'pt-br';
    case 'zh':
      return /^[_-](?:tw|hk|mo|hant)/iu.test(rest) ? 'zh-tw' : 'zh-cn';
    default:
      return language.toLowerCase();
  }
}

/** Returns the language that the usual variables ask for; English where it has no translation that can be read. */
export function languageIn(env: NodeJS.ProcessEnv): Language {
  const tag = languageAsked(env);
  if (tag === undefined) {
    return english;
  }
  try {
    const texts: unknown = JSON.parse(readFileSync(translationOf(tag), 'utf8'));
    return isTranslation(texts) ? { tag, texts } : english;
  } catch {
    return english;
  }
}

/** Returns the path of a translation, which ships beside the bundles. */
function translationOf(tag: string): string {
  const shipped = new URL('../l10n/', import.meta.url);
  const folder = existsSync(shipped) ? shipped : new URL('../../../l10n/', import.meta.url);
  return fileURLToPath(new URL(`bundle.l10n.${tag}.json`, folder));
}

function isTranslation(value: unknown): value is Language['texts'] {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((text) => typeof text === 'string')
  );
}
