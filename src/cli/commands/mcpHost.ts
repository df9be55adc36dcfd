import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { rm } from '../../common/disk/heldFiles.ts';
import type { AgentHost, BuiltRequest, PaintPlaces } from '../../agents/agentHost.ts';
import type { AgentLimits } from '../../agents/allowance.ts';
import type { Place, Root } from '../../agents/places.ts';
import type { PaintInput } from '../../agents/tools.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { fileUri, pathOfUri, wayInto } from '../../common/disk/fileUris.ts';
import { type Engine, hashOf, prepareFolder, publishOnDisk } from '../../engine.ts';
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

  /** Returns the workspace, unless it is a folder that nobody means, as of a client that was not started in any. */
  async roots(): Promise<Root[]> {
    const folder = this.#workspace;
    const isNone =
      relative(folder, homedir()) === '' ||
      dirname(folder) === folder ||
      (this.#current().agents.workspace === undefined && isOfPrograms(folder));
    return Promise.resolve(isNone ? [] : [{ uri: fileUri(folder), name: basename(folder) }]);
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
        ...(images.length > 0 && { image: images.map(({ uri }) => pathOfUri(uri)) }),
        ...(mask && { mask: pathOfUri(mask.uri) }),
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

  async read(uri: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(pathOfUri(uri));
    } catch (error) {
      if (fileTrouble(error) === 'gone') {
        return undefined;
      }
      throw error;
    }
  }

  async publish(bytes: Uint8Array, { root, folder, fileName }: Place): Promise<string> {
    const target = { folder, root, fileName: '' };
    await prepareFolder(target);
    const scratch = await mkdtemp(join(tmpdir(), 'limner-mcp-'));
    try {
      const stagedPath = join(scratch, randomUUID());
      await writeFile(stagedPath, bytes, { flush: true });
      const job = { key: basename(scratch), fence: 1, stagedPath, sha256: hashOf(bytes), target };
      return await publishOnDisk({ ...job, name: fileName });
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
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
