import type { AgentLimits } from '../../agents/tools/allowance.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import type { ConfirmRule } from '../../agents/tools/agreement.ts';
import type { AgentEnvironment, Environment } from '../setup/environment.ts';
import { tmpdir, homedir } from 'node:os';
import { readdir } from 'node:fs/promises';
import { dirname, isAbsolute, join, relative, sep, basename } from 'node:path';
import { realpathSync } from 'node:fs';
import type { AgentHost, AgentPages, BuiltRequest, Offer, PaintFiles } from '../../agents/tools/agentHost.ts';
import { openWithin, type Root, type WorkspaceFile } from '../../agents/tools/workspacePaths.ts';
import type { PaintInput } from '../../agents/tools/tools.ts';
import { fileUri, isSameFile, pathOfUri, wayInto } from '../../common/fileUris.ts';
import { contentsOf } from '../../common/regularFile.ts';
import {
  type Engine,
  newInputPath,
  prepareFolder,
  publishBytesOnDisk,
  styleImages,
} from '../../engine/run/engine.ts';
import type { SaveTarget, TaskRequest } from '../../engine/task/task.ts';
import { listedModels, pricedEntries, usualModel } from '../setup/models.ts';
import { pricedModels } from '../setup/money.ts';
import { DiskPages } from '../setup/diskPages.ts';
import { wholePath } from '../setup/wholePath.ts';
import { styleNames } from '../setup/styles.ts';
import { buildRequest, makeTarget, withSentMask } from './readRequest.ts';

/**
 * Returns when the user is asked: always, unless the variables say otherwise.
 *
 * @param onProblem called with a sentence about each value that means nothing: the user is asked always then
 */
export function confirmRuleOf(
  { confirm = 'always', confirmAbove = '4' }: AgentEnvironment,
  onProblem: (problem: string) => void,
): ConfirmRule {
  const when = (['always', 'session', 'above'] as const).find((one) => one === confirm);
  if (when === undefined) {
    onProblem(`LIMNER_AGENTS_CONFIRM must be always, session, or above, not "${confirm}": asking always.`);
  }
  const above = countIn(confirmAbove);
  if (when === 'above' && above === undefined) {
    onProblem(`LIMNER_AGENTS_CONFIRM_ABOVE must be a number, not "${confirmAbove}": asking always.`);
  }
  return { when: when ?? 'always', above: above ?? 0 };
}

/**
 * Returns how many images agents may have made: 20 in one run and 50 in 24 hours, unless the variables say otherwise.
 *
 * @throws LimnerError `over_budget` where one is no number: nothing is sent then
 */
export function limitsOf({ sessionLimit = '20', dailyLimit = '50' }: AgentEnvironment): AgentLimits {
  return {
    session: limitIn('LIMNER_AGENTS_SESSION_LIMIT', sessionLimit),
    day: limitIn('LIMNER_AGENTS_DAILY_LIMIT', dailyLimit),
  };
}

function limitIn(name: string, value: string): number {
  const limit = countIn(value);
  if (limit === undefined) {
    throw new LimnerError('over_budget', `${name} must be a number of images, not "${value}".`, notSent);
  }
  return limit;
}

function countIn(value: string): number | undefined {
  return /^\d{1,9}$/u.test(value) ? Number(value) : undefined;
}

/** Where Windows keeps itself, programs, and what they store, by the variables that say it. */
const variables = [
  'SystemRoot',
  'ProgramFiles',
  'ProgramFiles(x86)',
  'ProgramW6432',
  'ProgramData',
  'LOCALAPPDATA',
  'APPDATA',
];

/**
 * Whether a folder belongs to programs and is nobody's project: programs that Windows starts from its menu, and what
 * they start, run in its own folder or in theirs.
 */
export function isOfPrograms(
  folder: string,
  env: NodeJS.ProcessEnv = process.platform === 'win32' ? process.env : {},
): boolean {
  const places = [...variables.map((name) => env[name]), dirname(process.execPath)];
  return places.some((place = '') => isAbsolute(place) && isIn(place, folder)) && !isIn(tmpdir(), folder);
}

function isIn(place: string, folder: string): boolean {
  const way = relative(place, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** The host of agents' calls in a process: the workspace is its folder, or the folders that the client has open. */
export class McpHost implements AgentHost {
  readonly #engine: Engine;
  readonly #current: () => Environment;
  readonly #workspace: string;
  readonly #pages = new DiskPages(async () => this.roots());
  #roots: Root[] = [];

  /** @param current gives the environment as it is by now; the workspace stays as it is */
  constructor(engine: Engine, current: () => Environment) {
    this.#engine = engine;
    this.#current = current;
    this.#workspace = wholePath(current().agents.workspace ?? '.');
  }

  async engine(): Promise<Engine> {
    return Promise.resolve(this.#engine);
  }

  /** Returns the workspace; where that is a folder that nobody means, those that the client has open. */
  async roots(): Promise<Root[]> {
    return Promise.resolve(this.#folders());
  }

  #folders(): Root[] {
    return this.needsRoots() ? this.#roots : [rootOf(this.#workspace)];
  }

  /** Whether the process was started in a folder that nobody means, as by a client that was not started in any. */
  needsRoots(): boolean {
    return this.#current().agents.workspace === undefined
      ? !isMeant(this.#workspace) || isOfPrograms(this.#workspace)
      : isNobodys(this.#workspace);
  }

  /** Takes the folders that the client has open: those on this disk that somebody may mean. */
  useRoots(uris: readonly string[]): void {
    this.#roots = uris.flatMap((uri) => {
      const path = uri.startsWith('file:') ? pathOfUri(uri) : undefined;
      return path !== undefined && isMeant(path) ? [rootOf(path)] : [];
    });
  }

  limits(): AgentLimits {
    return limitsOf(this.#current().agents);
  }

  async build(input: PaintInput, places: PaintFiles): Promise<BuiltRequest> {
    const { root, folder } = places.target;
    const notes: string[] = [];
    const find = async (): Promise<Pick<SaveTarget, 'folder' | 'root'>> => ({
      ...(await makeTarget(pathOfUri(folder))),
      root,
    });
    const request = await this.#request(input, places, find, (note) => notes.push(note));
    const ready = await withSentMask(request, this.#engine, this.#current());
    return { ...ready, notes: [...notes, ...ready.notes] };
  }

  async preview(input: PaintInput, places: PaintFiles): Promise<TaskRequest> {
    const request = await this.#request(input, places, async () => Promise.resolve(places.target));
    return (await withSentMask(request, this.#engine, this.#current(), { isPreview: true })).request;
  }

  async #request(
    input: PaintInput,
    { target, images, mask, style }: PaintFiles,
    findTarget: () => Promise<Pick<SaveTarget, 'folder' | 'root'>>,
    tell?: (note: string) => void,
  ): Promise<TaskRequest> {
    const { prompt, n = 1, size, quality, model, transparent } = input;
    const fit = input.fit ?? (size === undefined ? undefined : (style?.fit ?? 'crop'));
    const wanted = {
      prompt,
      n,
      model,
      size,
      quality,
      ...(transparent && { background: 'transparent' as const }),
      wishes: { fit },
      ...(images.length > 0 && { images }),
      ...(mask && { mask }),
      fileName: target.fileName,
      style: style && {
        ...style,
        ...(transparent === false && { transparent }),
        files: (await styleImages(style, style.uri, style.root)).map(pathOfUri),
      },
    };
    const request = await buildRequest(wanted, this.#current(), findTarget, tell);
    return { ...request, ...(mask && { keepOutside: true }) };
  }

  models(): string[] {
    const environment = this.#current();
    const { model } = environment;
    const listed = [...listedModels(environment), ...pricedModels(environment)];
    const mayBeHad = listed.length > 0 && model !== undefined ? [...listed, model] : listed;
    return [...new Set(mayBeHad)];
  }

  async offer(): Promise<Offer> {
    const environment = this.#current();
    const { baseUrl = '' } = environment;
    return Promise.resolve({
      service: URL.parse(baseUrl)?.host,
      free: false,
      models: pricedEntries(environment),
      usual: usualModel(environment, baseUrl),
    });
  }

  async styles(): Promise<string[]> {
    const lists = this.#folders().map(async ({ uri }) => styleNames(pathOfUri(uri)));
    return [...new Set((await Promise.all(lists)).flat())];
  }

  usualStyle(): string {
    return this.#current().style ?? '';
  }

  async imageFiles(most: number): Promise<string[]> {
    const roots = await this.roots();
    const lists = roots.map(async ({ uri, name }) => {
      const files = await imageFilesIn(pathOfUri(uri), most);
      return roots.length > 1 ? files.map((file) => `${name}/${file}`) : files;
    });
    return (await Promise.all(lists)).flat().slice(0, most);
  }

  async read(uri: string, most: number): Promise<Uint8Array | undefined> {
    return openWithin(uri, await this.roots(), contentsOf, most);
  }

  async sizeOf(uri: string): Promise<number | undefined> {
    return openWithin(uri, await this.roots(), async (file) => (await file.stat()).size);
  }

  async copyPath(name: string): Promise<string> {
    return newInputPath(this.#current().home, () => this.#engine.store.inputPaths(), name);
  }

  async publish(bytes: Uint8Array, { root, folder, fileName }: WorkspaceFile): Promise<string> {
    const target = { folder, root, fileName: '' };
    await prepareFolder(target);
    return publishBytesOnDisk(bytes, target, fileName);
  }

  async pages(): Promise<AgentPages> {
    return Promise.resolve(this.#pages);
  }

  nameOf(uri: string): string {
    const ways = this.#folders().map((root) => wayInto(root.uri, uri));
    return ways.find((way) => way !== undefined) ?? pathOfUri(uri);
  }
}

function rootOf(folder: string): Root {
  return { uri: fileUri(folder), name: basename(folder) || folder };
}

/** Whether a folder is nobody's project, also if somebody names it. On Windows a whole drive or share may be meant. */
function isNobodys(folder: string): boolean {
  return isSamePlace(folder, homedir()) || folder === '/';
}

function isMeant(folder: string): boolean {
  return !isNobodys(folder) && dirname(folder) !== folder;
}

/** Whether two paths lead to one folder, also by a link. */
function isSamePlace(one: string, other: string): boolean {
  return isSameFile(fileUri(real(one)), fileUri(real(other)));
}

function real(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

const images = /\.(?:png|jpe?g|webp|gif|svg|avif)$/iu;
const foreign = /^(?:\.|node_modules$|vendor$|dist$|build$|out$|target$)/u;
/** Most folders that are read. */
const mostFolders = 2000;

/** Returns paths of images in a folder, with slashes, leaving out those of packages and builds. @param most of them */
async function imageFilesIn(root: string, most: number): Promise<string[]> {
  const found: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !foreign.test(entry.name) && folders.length < mostFolders) {
        folders.push(path);
      } else if (entry.isFile() && images.test(entry.name)) {
        found.push(path);
      }
    }
    if (found.length >= most) {
      break;
    }
  }
  return found.slice(0, most);
}
