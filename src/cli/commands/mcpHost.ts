import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname } from 'node:path';
import type { AgentHost, BuiltRequest, PaintPlaces } from '../../agents/agentHost.ts';
import type { AgentLimits } from '../../agents/allowance.ts';
import { openWithin } from '../../agents/openWithin.ts';
import type { Place, Root } from '../../agents/places.ts';
import type { PaintInput } from '../../agents/tools.ts';
import { fileUri, isSameFile, pathOfUri, wayInto } from '../../common/disk/fileUris.ts';
import { contentsOf } from '../../common/disk/regularFile.ts';
import { type Engine, newInputPath, prepareFolder, publishBytesOnDisk } from '../../engine.ts';
import type { TaskRequest, TaskResult } from '../../tasks/task.ts';
import { finishRemarks } from '../output/finishRemarks.ts';
import type { Environment } from '../setup/environment.ts';
import { listedModels } from '../setup/models.ts';
import { pricedModels } from '../setup/money.ts';
import { wholePath } from '../setup/wholePath.ts';
import { limitsOf } from './agentRules.ts';
import { isOfPrograms } from './programFolders.ts';
import { makeTarget, readRequest, withSentMask } from './readRequest.ts';

/** What agents' calls need of a process: its folder is the workspace. */
export class McpHost implements AgentHost {
  readonly #engine: Engine;
  readonly #current: () => Environment;
  readonly #workspace: string;

  /** @param current gives the environment as it is by now; the workspace stays as it is */
  constructor(engine: Engine, current: () => Environment) {
    this.#engine = engine;
    this.#current = current;
    this.#workspace = wholePath(current().agents.workspace ?? '.');
  }

  async engine(): Promise<Engine> {
    return Promise.resolve(this.#engine);
  }

  /**
   * Returns the workspace, unless it is a folder that nobody means, as of a client that was not started in any. On Windows
   * a whole drive or share may be meant, where somebody names it.
   */
  async roots(): Promise<Root[]> {
    const folder = this.#workspace;
    const isNone =
      isSamePlace(folder, homedir()) ||
      folder === '/' ||
      (this.#current().agents.workspace === undefined &&
        (dirname(folder) === folder || isOfPrograms(folder)));
    return Promise.resolve(isNone ? [] : [{ uri: fileUri(folder), name: basename(folder) || folder }]);
  }

  limits(): AgentLimits {
    return limitsOf(this.#current().agents);
  }

  async build(input: PaintInput, places: PaintPlaces): Promise<BuiltRequest> {
    const request = await this.#request(input, places, makeTarget);
    return withSentMask(request, this.#engine, this.#current());
  }

  async preview(input: PaintInput, places: PaintPlaces): Promise<TaskRequest> {
    const request = await this.#request(input, places, async () => Promise.resolve(places.target));
    return (await withSentMask(request, this.#engine, this.#current(), { isPreview: true })).request;
  }

  async #request(
    input: PaintInput,
    { target, images, mask }: PaintPlaces,
    findTarget: typeof makeTarget,
  ): Promise<TaskRequest> {
    const { prompt, n = 1, size, fit = 'crop', quality, model, transparent } = input;
    const request = await readRequest(
      prompt,
      {
        n,
        callStyle: 'auto',
        folder: pathOfUri(target.folder),
        name: target.fileName,
        ...(size !== undefined && { size, fit }),
        ...(quality !== undefined && { quality }),
        ...(model !== undefined && { model }),
        ...(transparent && { transparent }),
        ...(images.length > 0 && { image: images }),
        ...(mask && { mask }),
      },
      this.#current(),
      findTarget,
    );
    return {
      ...request,
      ...(mask && { keepOutside: true }),
      target: { ...request.target, root: target.root },
    };
  }

  models(): string[] {
    const environment = this.#current();
    const { model } = environment;
    const listed = [...listedModels(environment), ...pricedModels(environment)];
    const mayBeHad = listed.length > 0 && model !== undefined ? [...listed, model] : listed;
    return [...new Set(mayBeHad)];
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

  async publish(bytes: Uint8Array, { root, folder, fileName }: Place): Promise<string> {
    const target = { folder, root, fileName: '' };
    await prepareFolder(target);
    return publishBytesOnDisk(bytes, target, fileName);
  }

  nameOf(uri: string): string {
    return wayInto(fileUri(this.#workspace), uri) ?? pathOfUri(uri);
  }

  remarksOn(_request: TaskRequest, { finished, lostCredentials }: TaskResult): string[] {
    return finished && 'problem' in finished
      ? [`${finished.problem} It was saved as received.`]
      : finishRemarks({ ...finished, ...(lostCredentials && { lostCredentials }) });
  }
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
