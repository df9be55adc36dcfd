import { isUtf8 } from 'node:buffer';
import type { AgentPage, AgentPages } from '../../agents/tools/agentHost.ts';
import { openWithin, type Root } from '../../agents/tools/workspacePaths.ts';
import { areRelated, inOneNotation, pathOfUri, wayInto } from '../../common/fileUris.ts';
import { contentsOf, UnreadableFile } from '../../common/regularFile.ts';
import { encodePath } from '../../common/text.ts';
import { replaceContentsOnDisk } from '../../engine/files/replaceContents.ts';
import { isFixedName } from '../../engine/task/fileNames.ts';
import { isSinglePixel } from '../../images/formats/dimensions.ts';
import { languageOf } from '../../pages/find/languages.ts';
import type { Readings } from '../../pages/find/references.ts';

/** Largest document that is read, in bytes. */
const largest = 10 * 1024 * 1024;
/** Maximum number of attempts: an edit is recomputed if the document changes meanwhile. */
const mostTries = 20;
/** Number of first bytes in which a zero is a sign of an encoding that the file doesn't name. */
const zeroReach = 512;
/** Folder for new images where nothing else tells, and the template of their names. */
const [usualFolder, usualName] = ['images', '{prompt}'];

/** Documents on disk, in UTF-8, or in UTF-16 with a byte order mark. */
export class DiskPages implements AgentPages {
  readonly #roots: () => Promise<readonly Root[]>;
  #readings: Readings | undefined;

  constructor(roots: () => Promise<readonly Root[]>) {
    this.#roots = roots;
  }

  async read(uri: string): Promise<AgentPage | 'lossy'> {
    const file = TextFile.of(await this.#bytesOf(uri));
    return file ? this.#pageOf(uri, file.text) : 'lossy';
  }

  async change(uri: string, editsFor: Parameters<AgentPages['change']>[1]): ReturnType<AgentPages['change']> {
    const { withEdits } = await import('../../pages/find/references.ts');
    for (let tries = 0; tries < mostTries; tries++) {
      const file = TextFile.of(await this.#bytesOf(uri));
      if (!file) {
        return 'lossy';
      }
      const edits = await editsFor(await this.#pageOf(uri, file.text));
      if (edits.length === 0) {
        return 'same';
      }
      const bytes = file.bytesOf(withEdits(file.text, edits));
      if (await replaceContentsOnDisk(pathOfUri(uri), file.bytes, bytes, () => true)) {
        return 'changed';
      }
    }
    throw new UnreadableFile('It changes all the time.');
  }

  async #bytesOf(uri: string): Promise<Uint8Array> {
    const bytes = await openWithin(uri, await this.#roots(), contentsOf, largest);
    if (!bytes) {
      throw new UnreadableFile('It is gone.');
    }
    return bytes;
  }

  async #pageOf(uri: string, text: string): Promise<AgentPage> {
    const { filesOnDisk, ImagesBelow, Readings, WantedInFolder } =
      await import('../../pages/find/references.ts');
    const root = (await this.#roots()).find((one) => wayInto(one.uri, uri) !== undefined)?.uri ?? uri;
    const { host } = new URL(root);
    const uriOf = (path: string): string => inOneNotation(`file://${host}${encodePath(path)}`);
    const files = filesOnDisk((path) => pathOfUri(uriOf(path)));
    const folder = pathIn(root).replace(/\/$/u, '');
    const images = new ImagesBelow(files, folder);
    const wanted = new WantedInFolder({
      root: folder,
      files,
      filesLike: async (path, below) => images.like(path, below),
      usualFolder: () => `${folder}/${usualFolder}`,
      isPixel: isSinglePixel,
      isName: isFixedName,
    });
    const path = pathIn(uri);
    const language = languageOf('plaintext', path);
    const document = { uri: { path }, languageId: language ?? 'plaintext', version: 1, getText: () => text };
    this.#readings ??= new Readings();
    return {
      document,
      references: await this.#readings.read(uri, text, language),
      at: async (reference) => wanted.at(document, reference),
      fileOf: async (reference) => {
        const file = await wanted.fileOf(document, reference);
        return file === undefined ? undefined : uriOf(file);
      },
      addressOf: async (image, reference) => {
        const [from, to] = [uri, image].map((one) => ({
          scheme: 'file',
          authority: new URL(one).host,
          path: pathIn(one),
        }));
        return from && to && areRelated(from, to) ? wanted.addressOf(document, to, reference) : image;
      },
      fileName: usualName,
    };
  }
}

function pathIn(uri: string): string {
  return decodeURIComponent(new URL(uri).pathname);
}

const encodings = [
  { mark: [0xef, 0xbb, 0xbf], encoding: 'utf8', isSwapped: false },
  { mark: [0xff, 0xfe], encoding: 'utf16le', isSwapped: false },
  { mark: [0xfe, 0xff], encoding: 'utf16le', isSwapped: true },
] as const;

/** A text file in an encoding that loses nothing: writing it back changes only what was edited. */
class TextFile {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly #how: (typeof encodings)[number] | undefined;

  /** @returns undefined if its encoding is not known, or loses characters */
  static of(bytes: Uint8Array): TextFile | undefined {
    const how = encodings.find(({ mark }) => mark.every((byte, index) => bytes[index] === byte));
    if (!how && (!isUtf8(bytes) || bytes.subarray(0, zeroReach).includes(0))) {
      return undefined;
    }
    const file = new TextFile(bytes, how);
    return Buffer.compare(file.bytesOf(file.text), bytes) === 0 ? file : undefined;
  }

  private constructor(bytes: Uint8Array, how: (typeof encodings)[number] | undefined) {
    this.bytes = bytes;
    this.#how = how;
    const own = Buffer.from(bytes.subarray(how?.mark.length ?? 0));
    const isWhole = own.length % 2 === 0;
    this.text = (how?.isSwapped && isWhole ? own.swap16() : own).toString(how?.encoding ?? 'utf8');
  }

  bytesOf(text: string): Uint8Array {
    const own = Buffer.from(text, this.#how?.encoding ?? 'utf8');
    return Buffer.concat([Buffer.from(this.#how?.mark ?? []), this.#how?.isSwapped ? own.swap16() : own]);
  }
}
