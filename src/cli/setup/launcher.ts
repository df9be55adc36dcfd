import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The file that the extension writes beside this one. */
interface Installation {
  /** The folder of the extension that wrote it; newer versions lie beside that. */
  extension: string;
}

/** Exit codes of `--check`, for the scripts beside this file: none that a shell has for a program that can't be run. */
const tooOld = 3;
const notFound = 40;
const damaged = 41;

/** Also has the variables that count where the client's environment has none of the name: `limner` reads those. */
const settingsFile = join(dirname(fileURLToPath(import.meta.url)), 'launcher.json');

/** Ends the process when the file is damaged. */
function read(): Installation {
  let why = 'Parts of it are missing.';
  try {
    const { extension, environment } = objectIn(settingsFile);
    if (typeof extension === 'string' && typeof environment === 'object' && environment !== null) {
      return { extension };
    }
  } catch (error) {
    why = String(error);
  }
  return fail(
    `${settingsFile} is damaged. Run "Limner: Copy MCP Configuration…" in VS Code. ${why}`,
    damaged,
  );
}

/** Returns the properties of a JSON object in a file. @throws Error when it can't be read */
function objectIn(file: string): Record<string, unknown> {
  const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
  return { ...(typeof value === 'object' ? value : undefined) };
}

/** Whether this Node.js is 22.19 or newer. */
function isNewEnough(): boolean {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

/** Returns the command line of the newest version that is installed. */
function findLimner({ extension }: Installation): string | undefined {
  const parent = dirname(extension);
  const names = namesIn(parent).filter((name) => name.startsWith('limner.limner-'));
  return [extension, ...names.map((name) => join(parent, name))]
    .flatMap((folder) => {
      const version = versionOf(folder);
      return version ? [{ folder, version }] : [];
    })
    .toSorted((one, other) => compare(other.version, one.version))
    .map(({ folder }) => join(folder, 'dist', 'limner.js'))[0];
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Returns the version of an extension that is whole: `[1, 20, 3]`. */
function versionOf(folder: string): number[] | undefined {
  try {
    readFileSync(join(folder, 'dist', 'limner.js'));
    const { name, version } = objectIn(join(folder, 'package.json'));
    return name === 'limner' ? String(version).split('.').map(Number) : undefined;
  } catch {
    return undefined;
  }
}

function compare(one: readonly number[], other: readonly number[]): number {
  const place = one.findIndex((part, index) => part !== other[index]);
  return (one[place] || 0) - (other[place] || 0);
}

function fail(message: string, code: number): never {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function launch(): void {
  if (!isNewEnough()) {
    fail(`Limner needs Node.js 22.19 or newer; this is ${process.versions.node}.`, tooOld);
  }
  const installation = read();
  const limner = findLimner(installation);
  if (limner === undefined) {
    fail(
      `The extension Limner is no longer in ${dirname(installation.extension)}. Install it again, and run "Limner: Copy MCP Configuration…".`,
      notFound,
    );
  }
  if (process.argv[2] === '--check') {
    return;
  }
  process.env['LIMNER_LAUNCHER'] = settingsFile;
  process.argv[1] = limner;
  createRequire(import.meta.url)(limner);
}

launch();
