/**
 * Stands in for `node:test` in a process that runs test files again and again: keeps what a file describes, and runs
 * that one after the other until a test fails.
 */
type Hook = () => unknown;
type Body = (context: unknown) => unknown;
/** What `node:test` takes after the name. */
type Given<B> = [body: B] | [options: { skip?: unknown }, body: B];

interface Test {
  name: string;
  body: Body;
}

interface Suite {
  name: string;
  before: Hook[];
  beforeEach: Hook[];
  afterEach: Hook[];
  after: Hook[];
  members: (Suite | Test)[];
}

let suite = newSuite('');

export const { mock } = process.getBuiltinModule('node:test');
export const before = (hook: Hook): unknown => suite.before.push(hook);
export const beforeEach = (hook: Hook): unknown => suite.beforeEach.push(hook);
export const afterEach = (hook: Hook): unknown => suite.afterEach.push(hook);
export const after = (hook: Hook): unknown => suite.after.push(hook);
export { it as test };

export function describe(name: string, ...given: Given<Hook>): void {
  const body = bodyOf(given);
  const around = suite;
  suite = newSuite(name);
  if (body) {
    around.members.push(suite);
    body();
  }
  suite = around;
}

export function it(name: string, ...given: Given<Body>): void {
  const body = bodyOf(given);
  if (body) {
    suite.members.push({ name, body });
  }
}

/**
 * Loads a test file, and runs its tests until one fails.
 *
 * @param only the path of the one test to run
 * @returns the path of the test that failed, if any did, `''` for the file itself
 */
export async function firstFailure(load: () => Promise<unknown>, only?: string): Promise<string | undefined> {
  suite = newSuite('');
  try {
    await load();
    return await failureIn(suite, { path: '', only, beforeEach: [], afterEach: [] });
  } catch {
    return '';
  }
}

/** Where a suite stands. */
interface Around {
  path: string;
  only: string | undefined;
  beforeEach: readonly Hook[];
  afterEach: readonly Hook[];
}

async function failureIn(one: Suite, around: Around): Promise<string | undefined> {
  const { only } = around;
  const path = `${around.path}/${one.name}`;
  if (only !== undefined && !`${only}/`.startsWith(`${path}/`)) {
    return undefined;
  }
  const each = {
    beforeEach: [...around.beforeEach, ...one.beforeEach],
    afterEach: [...one.afterEach, ...around.afterEach],
  };
  try {
    await inTurn(one.before);
    for (const member of one.members) {
      const failure =
        'members' in member
          ? await failureIn(member, { path, only, ...each })
          : await failureOf(member, { path, only, ...each });
      if (failure !== undefined) {
        return failure;
      }
    }
  } finally {
    await inTurn(one.after);
  }
  return undefined;
}

async function failureOf({ name, body }: Test, around: Around): Promise<string | undefined> {
  const path = `${around.path}/${name}`;
  if (around.only !== undefined && around.only !== path) {
    return undefined;
  }
  const ends: Hook[] = [];
  const abort = new AbortController();
  try {
    await inTurn(around.beforeEach);
    try {
      await body({
        name,
        signal: abort.signal,
        mock,
        after: (hook: Hook) => ends.push(hook),
        diagnostic: () => {},
        skip: () => {},
      });
    } finally {
      abort.abort();
      mock.reset();
      await inTurn(ends);
      await inTurn(around.afterEach);
    }
    return undefined;
  } catch {
    return path;
  }
}

async function inTurn(hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) {
    await hook();
  }
}

function newSuite(name: string): Suite {
  return { name, before: [], beforeEach: [], afterEach: [], after: [], members: [] };
}

/** Returns what is to be run, unless it is skipped. */
function bodyOf<B>(given: Given<B>): B | undefined {
  const [options, body] = given.length === 1 ? [{}, given[0]] : given;
  return 'skip' in options && options.skip !== undefined && options.skip !== false ? undefined : body;
}
