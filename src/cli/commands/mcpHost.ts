import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { AgentHost, PaintPlaces, Plan } from '../../agents/agentHost.ts';
import type { AgentLimits } from '../../agents/allowance.ts';
import type { Place, Root } from '../../agents/places.ts';
import type { PaintInput } from '../../agents/tools.ts';
import { fileTrouble } from '../../common/fileErrors.ts';
import { type Engine, hashOf, prepareFolder, publishOnDisk } from '../../engine.ts';
import type { TaskRequest, TaskResult } from '../../tasks/task.ts';
import { finishRemarks } from '../output/finishRemarks.ts';
import type { Environment } from '../setup/environment.ts';
import { modelMeant } from '../setup/models.ts';
import { readRequest, withSentMask } from './readRequest.ts';

/** What agents' calls need of a process: its folder is the workspace. */
export class McpHost implements AgentHost {
  readonly #engine: Engine;
  readonly #environment: Environment;
  readonly #workspace: string;

  constructor(engine: Engine, environment: Environment) {
    this.#engine = engine;
    this.#environment = environment;
    this.#workspace = resolve(environment.agents.workspace ?? process.cwd());
  }

  async engine(): Promise<Engine> {
    return Promise.resolve(this.#engine);
  }

  /** Returns the workspace, unless it is a folder that nobody means, as of a client that was not started in any. */
  async roots(): Promise<Root[]> {
    const folder = this.#workspace;
    const isNone = folder === homedir() || dirname(folder) === folder;
    return Promise.resolve(isNone ? [] : [{ uri: pathToFileURL(folder).href, name: basename(folder) }]);
  }

  limits(): AgentLimits {
    return this.#environment.agents.limits;
  }

  async build(input: PaintInput, { target, images, mask }: PaintPlaces): Promise<TaskRequest> {
    const { prompt, n = 1, size, fit = 'crop', quality, model, transparent } = input;
    const request = await readRequest(
      prompt,
      {
        n,
        callStyle: 'auto',
        folder: fileURLToPath(target.folder),
        name: target.fileName,
        ...(size !== undefined && { size, fit }),
        ...(quality !== undefined && { quality }),
        ...(model !== undefined && { model }),
        ...(transparent && { transparent }),
        ...(images.length > 0 && { image: images.map(({ uri }) => fileURLToPath(uri)) }),
        ...(mask && { mask: fileURLToPath(mask.uri) }),
      },
      this.#environment,
    );
    return {
      ...(await withSentMask(request, this.#engine, this.#environment)),
      ...(mask && { keepOutside: true }),
      target: { ...request.target, root: target.root },
    };
  }

  /** Returns how many images of a call may be billed: twice as many on two backgrounds. */
  imagesOf({ call: { input }, images }: Plan): number {
    const { baseUrl = '' } = this.#environment;
    if (!('transparent' in input) || !input.transparent || !('prompt' in input)) {
      return images;
    }
    try {
      const { entry } = modelMeant(input.model, this.#environment, baseUrl);
      return entry?.transparent?.by === 'grounds' ? 2 * images : images;
    } catch {
      // The call says what is wrong.
      return images;
    }
  }

  async read(uri: string): Promise<Uint8Array | undefined> {
    try {
      return await readFile(fileURLToPath(uri));
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
    const path = fileURLToPath(uri);
    const way = relative(this.#workspace, path);
    return way.startsWith('..') ? path : way.split(sep).join('/');
  }

  remarksOn(_request: TaskRequest, { finished }: TaskResult): string[] {
    if (!finished) {
      return [];
    }
    return 'problem' in finished
      ? [`${finished.problem} It was saved as received.`]
      : finishRemarks(finished);
  }
}
