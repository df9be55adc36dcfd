import { LimnerError, notSent } from '../common/limnerError.ts';
import type { AgentHost } from './agentHost.ts';
import { checkLinks, type Place, placeOf } from './places.ts';
import type { FinishCall, PaintCall } from './tools.ts';

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
    await checkLinks(place);
    return place;
  }

  /** Returns the place of a file that there is. @throws LimnerError `invalid_request` */
  async existing(path: string): Promise<Place> {
    const place = await this.place(path);
    if (!(await this.#host.read(place.uri))) {
      throw refused(`The file "${path}" does not exist.`);
    }
    return place;
  }

  /** Whether a call replaces a file. @throws LimnerError `invalid_request` when it may not */
  async replaces({ uri, path }: Place, overwrite = false): Promise<boolean> {
    if (!(await this.#host.read(uri))) {
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

function refused(message: string): LimnerError {
  return new LimnerError('invalid_request', message, notSent);
}
