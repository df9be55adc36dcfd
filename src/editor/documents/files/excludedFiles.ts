import { posix } from 'node:path';

/** The setting `files.exclude` as a person has it: patterns of paths, each with `true`, or with the file that is beside. */
export type ExcludedFiles = Readonly<Record<string, unknown>>;

/** Tells whether something is left out. @param path from the workspace folder @param beside whether a name is in its folder */
export type IsExcluded = (path: string, beside: (name: string) => boolean) => boolean;

/** Reads the setting `files.exclude`. A pattern that is none leaves nothing out. */
export function excludedBy(setting: ExcludedFiles): IsExcluded {
  const rules = Object.entries(setting).flatMap(([glob, rule]) => {
    const when = typeof rule === 'object' && rule !== null && 'when' in rule ? String(rule.when) : undefined;
    const pattern = rule === true || when !== undefined ? patternOf(glob) : undefined;
    return pattern ? [{ pattern, when }] : [];
  });
  return (path, beside) =>
    rules.some(
      ({ pattern, when }) =>
        pattern.test(path) &&
        (when === undefined || beside(when.replace('$(basename)', posix.parse(path).name))),
    );
}

const special = /\*\*\/?|[*?{},]|\[!?|[$()+.^|\\]/gu;
const meanings: Readonly<Record<string, string>> = {
  '**/': '(?:.*/)?',
  '**': '.*',
  '*': '[^/]*',
  '?': '[^/]',
  '{': '(?:',
  '}': ')',
  ',': '|',
  '[': '[',
  '[!': '[^',
};

/** Returns what a pattern of paths means; undefined where it is none. */
function patternOf(glob: string): RegExp | undefined {
  try {
    return new RegExp(`^(?:${glob.replaceAll(special, (sign) => meanings[sign] ?? `\\${sign}`)})$`, 'u');
  } catch {
    return undefined;
  }
}
