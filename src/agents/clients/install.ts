import { isUtf8 } from 'node:buffer';
import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as english from '../../common/english.ts';
import { isGone } from '../../common/fileErrors.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { readRegular } from '../../common/regularFile.ts';
import { type Client, entryOf, pathOf, type Places } from './clients.ts';
import type { ServerCommand } from './serverCommand.ts';
import { writeWhole } from './wholeFile.ts';

/** The change of a client's file. */
export interface Change {
  path: string;
  /** Undefined for a new file. */
  before: string | undefined;
  after: string;
}

/** The file with the API key for a client that can't refer to a variable, unless LIMNER_API_KEY_FILE names one. */
export function keyFileOf({ home, env }: Places): string {
  return env['LIMNER_API_KEY_FILE'] || join(home, '.limner-api-key');
}

/** Returns what a client's file holds if it holds nothing but the server. */
export async function configurationOf(
  client: Client,
  server: ServerCommand,
  places: Places,
): Promise<string> {
  return withServer('', client, server, places);
}

/**
 * Returns what adding the server makes of a client's file.
 *
 * @throws LimnerError `invalid_request` when it can't be added, or belongs to a project and none is open; Error of the
 * operating system
 */
export async function planServer(client: Client, server: ServerCommand, places: Places): Promise<Change> {
  const paths = pathsOf(client, places);
  const texts = await Promise.all(paths.map(textOf));
  const index = Math.max(
    texts.findIndex((text) => text !== undefined),
    0,
  );
  const [path = '', before] = [paths[index], texts[index]];
  return { path, before, after: await withServer(before ?? '', client, server, places) };
}

async function withServer(
  text: string,
  client: Client,
  server: ServerCommand,
  places: Places,
): Promise<string> {
  // Three parsers that no other call needs.
  const { withEntry } = await import('./entries.ts');
  return withEntry(text, client, entryOf(client, server, keyFileOf(places)));
}

/** Returns what adding the skill makes of a client's file. @throws as `planServer` */
export async function planSkill({ skills }: Client, page: string, places: Places): Promise<Change> {
  const path = join(pathOf(skills, places), 'limner-images', 'SKILL.md');
  return { path, before: await textOf(path), after: page };
}

/** Writes what the user agreed to. @throws LimnerError `save_failed` when the file is no longer what was shown */
export async function makeChange({ path, before, after }: Change): Promise<void> {
  if ((await textOf(path)) !== before) {
    throw new LimnerError(
      'save_failed',
      english.t('{0} has changed in the meantime. Nothing was written.', path),
    );
  }
  await mkdir(dirname(path), { recursive: true });
  await writeWhole(path, after);
}

/** Returns the lines that a change removes and adds, without keys. */
export function changedLines({ before = '', after }: Change): string[] {
  const [old, new_] = [linesOf(before), linesOf(after)];
  const most = Math.min(old.length, new_.length);
  const same = (count: number, at: (lines: string[], index: number) => string | undefined): number => {
    let alike = 0;
    while (alike < count && at(old, alike) === at(new_, alike)) {
      alike++;
    }
    return alike;
  };
  const start = same(most, (lines, index) => lines[index]);
  const end = same(most - start, (lines, index) => lines.at(-1 - index));
  return [
    ...old.slice(start, old.length - end).map((line) => `- ${withoutKey(line)}`),
    ...new_.slice(start, new_.length - end).map((line) => `+ ${withoutKey(line)}`),
  ];
}

/** Returns a line without the values that are secrets by their names. A file in one line shows those of others. */
function withoutKey(line: string): string {
  return line.replaceAll(
    /((?:key|token|secret|password|authorization)["']?\s*[:=]\s*["']?)[^\s"'${[-][^"',\n]*/giu,
    '$1…',
  );
}

function pathsOf({ label, folder, files }: Client, places: Places): string[] {
  const base = folder ? pathOf(folder, places) : places.project;
  if (base === undefined) {
    throw new LimnerError(
      'invalid_request',
      english.t('Open a folder first: {0} has this file in a project.', label),
    );
  }
  return files.map((file) => join(base, file));
}

/** Returns the text of a file; undefined if there is none. */
async function textOf(path: string): Promise<string | undefined> {
  try {
    const bytes = await readRegular(path);
    if (!isUtf8(bytes)) {
      throw new LimnerError('invalid_request', english.t('{0} is not in UTF-8.', path));
    }
    return bytes.toString('utf8');
  } catch (error) {
    if (isGone(error)) {
      return undefined;
    }
    throw error;
  }
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/u, '').split('\n');
}
