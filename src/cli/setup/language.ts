import { english, type Language } from '../../engine/messages/language.ts';
import { translation } from '../../engine/messages/translation.ts';

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
  return (tag === undefined ? undefined : translation(tag)) ?? english;
}
