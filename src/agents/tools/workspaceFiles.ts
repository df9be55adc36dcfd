import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { rm } from '../../common/heldFiles.ts';
import { largestFinished, largestInput, requireSize } from '../../common/regularFile.ts';
import { inOneNotation } from '../../common/fileUris.ts';
import { type FileTrouble, fileTrouble } from '../../common/fileErrors.ts';
import { isLimnerError, LimnerError, notSent, messageOf } from '../../common/limnerError.ts';
import { asSentence, ellipsize } from '../../common/text.ts';
import {
  isStyleName,
  largestStyle,
  noStyle,
  readStyle,
  stylesFolder,
  unknownStyle,
} from '../../engine/operations/style.ts';
import type { AgentHost, AgentStyle, InputCopy } from './agentHost.ts';
import { checkLinks, type WorkspaceFile, workspaceFile, workspacePath } from './workspacePaths.ts';
import type { FinishCall, PaintCall } from './tools.ts';

/** Most that is shown of a path, in UTF-16 units. */
const longestShown = 200;

type FilesHost = Pick<
  AgentHost,
  'roots' | 'read' | 'sizeOf' | 'copyPath' | 'nameOf' | 'styles' | 'usualStyle'
>;

export class WorkspaceFiles {
  readonly #host: FilesHost;

  constructor(host: FilesHost) {
    this.#host = host;
  }

  /** Returns the URIs of the files of a call: the one to create first, then those to read. */
  async urisOf({ input }: PaintCall | FinishCall): Promise<string[]> {
    const roots = await this.#host.roots();
    const read = 'image' in input ? [input.image] : [...(input.images ?? []), input.mask];
    return [input.path, ...read].flatMap((path) =>
      path === undefined ? [] : workspaceFile(path, roots).uri,
    );
  }

  /** @throws LimnerError `invalid_request` for a path outside of the workspace, or one that can't name an image */
  async place(path: string): Promise<WorkspaceFile> {
    const place = workspaceFile(path, await this.#host.roots());
    await usable(path, async () => checkLinks(place));
    return place;
  }

  /** Reads an existing file. @throws LimnerError `invalid_request` */
  async read(path: string): Promise<{ place: WorkspaceFile; bytes: Uint8Array }> {
    const place = await this.place(path);
    const bytes = await usable(path, async () => this.#host.read(place.uri, largestInput));
    if (!bytes) {
      throw refused(`The file "${path}" does not exist.`);
    }
    return { place, bytes };
  }

  /**
   * Returns the style of a call: the one it names, or else for a new image the user's choice.
   *
   * @throws LimnerError `invalid_request` when there is no such style, or its file is invalid
   */
  async style(
    { tool, input }: PaintCall,
    { folder, root: own }: WorkspaceFile,
  ): Promise<AgentStyle | undefined> {
    const usual = tool === 'limner_generate_image' ? this.#host.usualStyle(folder) : '';
    const name = (input.style ?? usual).trim();
    if (name === '' || name === noStyle) {
      return undefined;
    }
    const roots = await this.#host.roots();
    const others = roots.map(({ uri }) => inOneNotation(uri)).filter((uri) => uri !== own);
    for (const root of isStyleName(name) ? [own, ...others] : []) {
      const uri = `${root.replace(/\/$/u, '')}/${stylesFolder}/${encodeURIComponent(name)}.json`;
      const file = this.#host.nameOf(uri);
      const bytes = await usable(file, async () => this.#host.read(uri, largestStyle));
      if (bytes) {
        return { ...readStyle(new TextDecoder().decode(bytes), name, file), uri, root };
      }
    }
    throw unknownStyle(name, await this.#host.styles());
  }

  /** Returns an existing image. @throws LimnerError `invalid_request` */
  async image(path: string): Promise<WorkspaceFile> {
    return this.#existing(path, workspaceFile(path, await this.#host.roots()));
  }

  /** Returns an existing file of any kind. @throws LimnerError `invalid_request` */
  async document(path: string): Promise<WorkspaceFile> {
    return this.#existing(path, workspacePath(path, await this.#host.roots()));
  }

  async #existing(path: string, place: WorkspaceFile): Promise<WorkspaceFile> {
    await usable(path, async () => checkLinks(place));
    if ((await usable(path, async () => this.#host.sizeOf(place.uri))) === undefined) {
      throw refused(`The file "${path}" does not exist.`);
    }
    return place;
  }

  /** Copies the files to send, one after the other. @throws LimnerError `invalid_request` */
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

  async remove(copies: readonly InputCopy[]): Promise<void> {
    await Promise.all(
      copies.map(async ({ path }) => rm(dirname(path), { recursive: true, force: true }).catch(() => {})),
    );
  }

  /** Whether a file exists and can be read. */
  async isThere({ uri }: WorkspaceFile): Promise<boolean> {
    return this.#host.sizeOf(uri).then(
      (size) => size !== undefined,
      () => false,
    );
  }

  /** Whether a call replaces a file. @throws LimnerError `invalid_request` when it must not */
  async replaces({ uri, path }: WorkspaceFile, overwrite = false): Promise<boolean> {
    const size = await usable(path, async () => this.#host.sizeOf(uri));
    if (size === undefined) {
      return false;
    }
    if (!overwrite) {
      throw refused(
        `The file "${path}" exists. Choose another path, or set overwrite to true if the user wants it replaced.`,
      );
    }
    if (!uri.startsWith('file:')) {
      throw refused('Only files on disk can be replaced. Choose another path.');
    }
    // Its old contents are read to be kept.
    await usable(path, async () => requireSize(size, largestFinished));
    return true;
  }
}

const reasons: Partial<Record<FileTrouble, string>> = {
  gone: 'The workspace folder no longer exists.',
  denied: 'Limner may not read or change it.',
  readOnly: 'It is read-only.',
  notFolder: 'Something on the way to it is no folder.',
  isFolder: 'It is a folder.',
  busy: 'Another program is using it.',
  nameTooLong: 'It is too long for this disk.',
};

/** Uses a file. @throws LimnerError `invalid_request`, with a readable message, for errors of the disk */
export async function usable<T>(path: string, look: () => Promise<T>): Promise<T> {
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
