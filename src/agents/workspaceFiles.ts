import { type FileTrouble, fileTrouble } from '../common/fileErrors.ts';
import { isLimnerError, LimnerError, notSent } from '../common/limnerError.ts';
import { messageOf } from '../common/messageOf.ts';
import { asSentence, ellipsize } from '../common/text.ts';
import type { AgentHost } from './agentHost.ts';
import { checkLinks, type Place, placeOf } from './places.ts';
import type { FinishCall, PaintCall } from './tools.ts';

/** The longest that is shown of a path, in UTF-16 units. */
const longestShown = 200;

/** The files of calls: where they are, and what may be done with them. */
export class WorkspaceFiles {
  readonly #host: Pick<AgentHost, 'roots' | 'read'>;

  constructor(host: Pick<AgentHost, 'roots' | 'read'>) {
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

  /** Returns the place of a file that there is. @throws LimnerError `invalid_request` */
  async existing(path: string): Promise<Place> {
    const place = await this.place(path);
    if (!(await usable(path, async () => this.#host.read(place.uri)))) {
      throw refused(`The file "${path}" does not exist.`);
    }
    return place;
  }

  /** Whether there is a file that can be read. */
  async isThere({ uri }: Place): Promise<boolean> {
    return this.#host.read(uri).then(
      (bytes) => bytes !== undefined,
      () => false,
    );
  }

  /** Whether a call replaces a file. @throws LimnerError `invalid_request` when it may not */
  async replaces({ uri, path }: Place, overwrite = false): Promise<boolean> {
    if (!(await usable(path, async () => this.#host.read(uri)))) {
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
