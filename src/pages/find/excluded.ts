import { posix } from 'node:path';

/** The setting `files.exclude`: path patterns, each with `true` or with a condition on a sibling file. */
export type ExcludedFiles = Readonly<Record<string, unknown>>;

/** Whether a path is excluded. @param path from the workspace folder @param beside whether a name is in its folder */
export type IsExcluded = (path: string, beside: (name: string) => boolean) => boolean;

/** Maximum length of a pattern, in UTF-16 units. */
const longestPattern = 2000;

/** Reads the setting `files.exclude`. Invalid or overlong patterns exclude nothing. */
export function excludedBy(setting: ExcludedFiles): IsExcluded {
  const rules = Object.entries(setting).flatMap(([glob, rule]) => {
    const when = typeof rule === 'object' && rule !== null && 'when' in rule ? String(rule.when) : undefined;
    const isMeant = (rule === true || when !== undefined) && glob.length <= longestPattern;
    const pattern = isMeant ? patternOf(glob) : undefined;
    return pattern ? [{ pattern, when }] : [];
  });
  return (path, beside) =>
    rules.some(
      ({ pattern, when }) =>
        pattern.test(path) &&
        (when === undefined || beside(when.replace('$(basename)', posix.parse(path).name))),
    );
}

/**
 * Step of a pattern: it takes a matching character, or leads to other steps. All paths through the steps are followed
 * at once, so each character of a path costs at most the length of the pattern.
 */
type Step = { takes: (sign: string) => boolean } | { to: number[] };

interface Pattern {
  test(path: string): boolean;
}

/** Special characters, and every other character. */
const signs = /\*\*\/?|[*?{},]|\[[^\]]*\]|[^]/gu;
const anySign = (): boolean => true;
const inFolder = (sign: string): boolean => sign !== '/';

/** Parses a path pattern; undefined if it is invalid. */
function patternOf(glob: string): Pattern | undefined {
  const steps: Step[] = [];
  /** Open braces: the starts and ends of their alternatives. */
  const open: { starts: number[]; ends: number[] }[] = [];
  const take = (takes: (sign: string) => boolean): void => void steps.push({ takes });
  const goTo = (to: number[]): number[] => {
    steps.push({ to });
    return to;
  };
  const takeMany = (takes: (sign: string) => boolean): void => {
    const start = steps.length;
    goTo([start + 1, start + 3]);
    take(takes);
    goTo([start]);
  };
  for (const [sign] of glob.matchAll(signs)) {
    const braces = open.at(-1);
    if (sign === '**/') {
      const folders = goTo([steps.length + 1]);
      takeMany(anySign);
      take((one) => one === '/');
      folders.push(steps.length);
    } else if (sign === '**' || sign === '*') {
      takeMany(sign === '*' ? inFolder : anySign);
    } else if (sign === '?') {
      take(inFolder);
    } else if (sign === '{') {
      open.push({ starts: goTo([steps.length + 1]), ends: [] });
    } else if (braces && sign === ',') {
      braces.ends.push(steps.length);
      goTo([]);
      braces.starts.push(steps.length);
    } else if (braces && sign === '}') {
      open.pop();
      for (const end of braces.ends) {
        steps[end] = { to: [steps.length] };
      }
    } else if (sign.length > 2 && sign.startsWith('[')) {
      const set = setOf(sign);
      if (!set) {
        return undefined;
      }
      take((one) => set.test(one));
    } else {
      take((one) => one === sign);
    }
  }
  // Checks the end first, which most paths don't match.
  const [end = ''] = /[^*?{},[\]/]*$/u.exec(glob) ?? [];
  return open.length === 0 ? { test: (path) => path.endsWith(end) && matches(steps, path) } : undefined;
}

/** Parses a character set in brackets; undefined if it is invalid. */
function setOf(brackets: string): RegExp | undefined {
  const inner = brackets
    .slice(1, -1)
    .replace(/^!/u, '^')
    .replaceAll(/[\\[]/gu, String.raw`\$&`);
  try {
    return new RegExp(`^[${inner}]$`, 'u');
  } catch {
    return undefined;
  }
}

function matches(steps: readonly Step[], path: string): boolean {
  let places = reachedFrom(steps, [0]);
  for (const sign of path) {
    const next: number[] = [];
    for (const place of places) {
      const step = steps[place];
      if (step && 'takes' in step && step.takes(sign)) {
        next.push(place + 1);
      }
    }
    places = reachedFrom(steps, next);
  }
  return places.has(steps.length);
}

function reachedFrom(steps: readonly Step[], starts: readonly number[]): Set<number> {
  const reached = new Set(starts);
  for (const place of reached) {
    const step = steps[place];
    if (step && 'to' in step) {
      for (const next of step.to) {
        reached.add(next);
      }
    }
  }
  return reached;
}

/** Folders of dependencies, build output, and tools. */
export const foreignFolders = [
  'node_modules',
  'bower_components',
  'jspm_packages',
  'site-packages',
  'vendor',
  'vendors',
  'Pods',
  'Carthage',
  'dist',
  'build',
  'out',
  'coverage',
  'storybook-static',
  'DerivedData',
  '.git',
  '.hg',
  '.svn',
  '.next',
  '.nuxt',
  '.svelte-kit',
  '.output',
  '.docusaurus',
  '.angular',
  '.vercel',
  '.netlify',
  '.cache',
  '.turbo',
  '.history',
  '.venv',
  'venv',
  '_site',
];

export interface IgnoreRule {
  /** Folder from which the paths of the rule begin. */
  folder: string;
  isMeant: IsExcluded;
  isIgnored: boolean;
}

/** Maximum number of lines that are read of `.gitignore`. */
const mostIgnored = 1000;

/** Returns the lines of a folder's `.gitignore`, the last of which counts. */
export function ignoreRulesIn(text: string, folder: string): IgnoreRule[] {
  return text
    .split(/\r?\n/u)
    .slice(0, mostIgnored)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const isIgnored = !line.startsWith('!');
      const path = line.replace(/^!/u, '').replace(/\/$/u, '');
      // Without a slash before its end, it is meant in all folders.
      const glob = path.includes('/') ? path.replace(/^\//u, '') : `**/${path}`;
      return { folder, isMeant: excludedBy({ [glob]: true, [`${glob}/**`]: true }), isIgnored };
    });
}
