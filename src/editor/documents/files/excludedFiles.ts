import { posix } from 'node:path';

/** The setting `files.exclude`: patterns of paths, some of them only where another file is beside. */
export type ExcludedFiles = Readonly<Record<string, boolean | { when?: string }>>;

/** Tells whether something is left out. @param path from the workspace folder @param beside whether a name is in its folder */
export type IsExcluded = (path: string, beside: (name: string) => boolean) => boolean;

/** Reads the setting `files.exclude`. A pattern that is none leaves nothing out. */
export function excludedBy(setting: ExcludedFiles): IsExcluded {
  const rules = Object.entries(setting).flatMap(([glob, rule]) => {
    const pattern = rule === false ? undefined : patternOf(glob);
    return pattern ? [{ pattern, when: typeof rule === 'object' ? rule.when : undefined }] : [];
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
