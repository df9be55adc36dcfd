import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rm } from '../common/disk/heldFiles.ts';
import { largestFinished, largestInput, requireSize } from '../common/disk/regularFile.ts';
import { type FileTrouble, fileTrouble } from '../common/fileErrors.ts';
import { isLimnerError, LimnerError, notSent } from '../common/limnerError.ts';
import { messageOf } from '../common/messageOf.ts';
import { asSentence, ellipsize } from '../common/text.ts';
import type { AgentHost, InputCopy } from './agentHost.ts';
import { checkLinks, type Place, placeOf } from './places.ts';
import type { FinishCall, PaintCall } from './tools.ts';

/** The longest that is shown of a path, in UTF-16 units. */
const longestShown = 200;

/** The files of calls: where they are, and what may be done with them. */
export class WorkspaceFiles {
  readonly #host: Pick<AgentHost, 'roots' | 'read' | 'sizeOf' | 'copyPath'>;

  constructor(host: Pick<AgentHost, 'roots' | 'read' | 'sizeOf' | 'copyPath'>) {
    this.#host = host;
  }

  /** Returns the URIs of the files of a call: of the one that it makes, then of those that it reads. */
  async urisOf({ input }: PaintCall | FinishCall): Promise<string[]> {
    const roots = await this.#host.roots();
    const read = 'image' in input ? [input.image] : [...(input.images ?? []), input.mask];
    return [input.path, ...read].flatMap((path) => (path === undefined ? [] : placeOf(path, roots).uri));
  }

  /** @throws LimnerError `invalid_request` for a path outside of the workspace, or that no image can have */
  async place(path: string): Promise<Place> {
    const place = placeOf(path, await this.#host.roots());
    await usable(path, async () => checkLinks(place));
    return place;
  }

  /** Reads a file that there is. @throws LimnerError `invalid_request` */
  async read(path: string): Promise<{ place: Place; bytes: Uint8Array }> {
    const place = await this.place(path);
    const bytes = await usable(path, async () => this.#host.read(place.uri, largestInput));
    if (!bytes) {
      throw refused(`The file "${path}" does not exist.`);
    }
    return { place, bytes };
  }

  /** Copies files that are sent, one after the other. @throws LimnerError `invalid_request` */
  async copy(paths: readonly string[]): Promise<InputCopy[]> {
    const copies: InputCopy[] = [];
    try {
      for (const one of paths) {
        const { place, bytes } = await this.read(one);
        const path = await this.#host.copyPath(place.fileName);
        copies.push({ path, uri: place.uri });
        await writeFile(path, bytes);
      }
      return copies;
    } catch (error) {
      await this.remove(copies);
      throw error;
    }
  }

  /** Removes copies that nothing needs. */
  async remove(copies: readonly InputCopy[]): Promise<void> {
    await Promise.all(
      copies.map(async ({ path }) => rm(dirname(path), { recursive: true, force: true }).catch(() => {})),
    );
  }

  /** Whether there is a file that can be read. */
  async isThere({ uri }: Place): Promise<boolean> {
    return this.#host.sizeOf(uri).then(
      (size) => size !== undefined,
      () => false,
    );
  }

  /** Whether a call replaces a file. @throws LimnerError `invalid_request` when it may not */
  async replaces({ uri, path }: Place, overwrite = false): Promise<boolean> {
    const size = await usable(path, async () => this.#host.sizeOf(uri));
    if (size === undefined) {
      return false;
    }
    if (!overwrite) {
      throw refused(
        `The file "${path}" exists. Choose another path, or set overwrite to true if the person wants it replaced.`,
      );
    }
    if (!uri.startsWith('file:')) {
      throw refused('Only files on disk can be replaced. Choose another path.');
    }
    // What it holds is kept, and read for that.
    await usable(path, async () => requireSize(size, largestFinished));
    return true;
  }
}

const reasons: Partial<Record<FileTrouble, string>> = {
  gone: 'The workspace folder no longer exists.',
  denied: 'Limner may not read it.',
  notFolder: 'Something on the way to it is no folder.',
  isFolder: 'It is a folder.',
  busy: 'Another program is using it.',
  nameTooLong: 'It is too long for this disk.',
};

/** Looks at a file. @throws LimnerError `invalid_request`, in words, where the disk refuses that */
async function usable<T>(path: string, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (isLimnerError(error)) {
      throw error;
    }
    const trouble = fileTrouble(error);
    const reason = (trouble && reasons[trouble]) ?? asSentence(messageOf(error));
    const message = `The path "${ellipsize(path, longestShown)}" can't be used: ${reason}`;
    throw new LimnerError('invalid_request', message, { ...notSent, cause: error });
  }
}

function refused(message: string): LimnerError {
  return new LimnerError('invalid_request', message, notSent);
}
