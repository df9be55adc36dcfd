import * as l10n from '@vscode/l10n';
import { told } from '../../engine/messages/told.ts';

type Wording = [pattern: RegExp, say: (...parts: string[]) => string];

/** What commander says of arguments, always in English. */
const wordings: readonly Wording[] = [
  [/^error: unknown option '(.*)'$/su, (flag) => l10n.t("error: unknown option '{0}'", flag)],
  [/^error: unknown command '(.*)'$/su, (name) => l10n.t("error: unknown command '{0}'", name)],
  [
    /^error: missing required argument '(.*)'$/su,
    (name) => l10n.t("error: missing required argument '{0}'", name),
  ],
  [
    /^error: option '(.*)' argument missing$/su,
    (flags) => l10n.t("error: option '{0}' argument missing", flags),
  ],
  [
    /^error: required option '(.*)' not specified$/su,
    (flags) => l10n.t("error: required option '{0}' not specified", flags),
  ],
  [
    /^error: option '(.*)' cannot be used with option '(.*)'$/su,
    (one, other) => l10n.t("error: option '{0}' cannot be used with option '{1}'", one, other),
  ],
  [
    /^error: option '(.*?)' argument '(.*)' is invalid\. (.*)$/su,
    (flags, value, why) =>
      l10n.t("error: option '{0}' argument '{1}' is invalid. {2}", flags, value, inUsersWords(why)),
  ],
  [
    /^error: too many arguments for '(.*?)'\. Expected 0 arguments but got (\d+): (.*)\.$/su,
    (name, count, found) =>
      l10n.t(
        "error: too many arguments for '{0}'. Expected 0 arguments but got {1}: {2}.",
        name,
        count,
        found,
      ),
  ],
  [
    /^error: too many arguments for '(.*?)'\. Expected 1 argument but got (\d+): (.*)\.$/su,
    (name, count, found) =>
      l10n.t(
        "error: too many arguments for '{0}'. Expected 1 argument but got {1}: {2}.",
        name,
        count,
        found,
      ),
  ],
  [/^Allowed choices are (.*)\.$/su, (names) => l10n.t('Allowed choices are {0}.', names)],
  [/^\(Did you mean (?!one of )(.*)\?\)$/su, (name) => l10n.t('(Did you mean {0}?)', name)],
  [/^\(Did you mean one of (.*)\?\)$/su, (names) => l10n.t('(Did you mean one of {0}?)', names)],
];

/** Returns an error of the arguments, as commander writes it, in the user's language: a line, and perhaps a suggestion. */
export function usageErrorText(written: string): string {
  const [, error = '', suggestion] = /^(.*?)(?:\n(\(Did you mean [^\n]*\)))?\n$/su.exec(written) ?? [];
  return [error, ...(suggestion === undefined ? [] : [suggestion])]
    .map((text) => `${inUsersWords(text)}\n`)
    .join('');
}

function inUsersWords(text: string): string {
  for (const [pattern, say] of wordings) {
    const parts = pattern.exec(text);
    if (parts) {
      return say(...parts.slice(1));
    }
  }
  return told(text);
}
