import { posix } from 'node:path';

/** The setting `files.exclude` as a person has it: patterns of paths, each with `true`, or with the file that is beside. */
export type ExcludedFiles = Readonly<Record<string, unknown>>;

/** Tells whether something is left out. @param path from the workspace folder @param beside whether a name is in its folder */
export type IsExcluded = (path: string, beside: (name: string) => boolean) => boolean;

/** The longest pattern that is read, in UTF-16 units. */
const longestPattern = 2000;

/** Reads the setting `files.exclude`. A pattern that is none, or longer than any that a person writes, leaves nothing out. */
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
 * A step of a pattern: it takes a sign that is like this, or goes on at other steps. All ways through the steps are gone
 * at once, so that no pattern takes longer than its length for each sign of a path.
 */
type Step = { takes: (sign: string) => boolean } | { to: number[] };

/** Tells whether a path is as a pattern says. */
interface Pattern {
  test(path: string): boolean;
}

/** Signs that mean something, and all others one by one. */
const signs = /\*\*\/?|[*?{},]|\[[^\]]*\]|[^]/gu;
const anySign = (): boolean => true;
const inFolder = (sign: string): boolean => sign !== '/';

/** Returns what a pattern of paths means; undefined where it is none. */
function patternOf(glob: string): Pattern | undefined {
  const steps: Step[] = [];
  /** Braces that are open: where their alternatives begin, and where they end. */
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
  // Most paths don't even end like it.
  const [end = ''] = /[^*?{},[\]/]*$/u.exec(glob) ?? [];
  return open.length === 0 ? { test: (path) => path.endsWith(end) && matches(steps, path) } : undefined;
}

/** Returns what signs a set in brackets holds; undefined where it is none. */
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

/** Returns these places and all to which they lead on. */
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
