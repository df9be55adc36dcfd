import { isUtf8 } from 'node:buffer';
import * as vscode from 'vscode';

/** Where pages and style sheets name their encoding, and among how many first bytes. */
const declaration = /<meta[^>]{0,200}\bcharset\s*=\s*["']?\s*([\w-]+)|^@charset "([\w-]+)"/iu;
const declarationReach = 1024;
/** Among so many first bytes, VS Code takes a zero for a sign of UTF-16. */
const zeroReach = 512;
/** Encodings in which VS Code puts a byte order mark before every text, also of a file that has none. */
const marked = /^utf(?:8bom|16)/u;

/** A file in an encoding that keeps all of it: what is written is the file again, but for what was changed. */
export class FileText {
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly #encoding: string;
  /** Length of the byte order mark that this file doesn't have, in bytes. */
  readonly #mark: number;

  /** @param encoding VS Code's name of it @returns undefined where that loses something */
  static async of(bytes: Uint8Array, encoding: string): Promise<FileText | undefined> {
    const text = await vscode.workspace.decode(bytes, { encoding });
    const written = await vscode.workspace.encode(text, { encoding });
    const mark = marked.test(encoding) ? Math.max(0, written.length - bytes.length) : 0;
    return Buffer.compare(written.subarray(mark), bytes) === 0
      ? new FileText(bytes, text, encoding, mark)
      : undefined;
  }

  private constructor(bytes: Uint8Array, text: string, encoding: string, mark: number) {
    this.bytes = bytes;
    this.text = text;
    this.#encoding = encoding;
    this.#mark = mark;
  }

  /** Returns the bytes of another text; undefined where the encoding lacks some of its letters. */
  async bytesOf(text: string): Promise<Uint8Array | undefined> {
    const options = { encoding: this.#encoding };
    const written = (await vscode.workspace.encode(text, options)).subarray(this.#mark);
    return (await vscode.workspace.decode(written, options)) === text ? written : undefined;
  }
}

/** Returns the encoding that a file says it is in, by VS Code's name; undefined where it says none. */
export function declaredEncoding(bytes: Uint8Array): string | undefined {
  const [, page, sheet] =
    declaration.exec(Buffer.from(bytes.subarray(0, declarationReach)).toString('latin1')) ?? [];
  return (page ?? sheet)?.replaceAll(/[-_]/gu, '').toLowerCase();
}

/**
 * Decodes a file that is not open as VS Code would, or else as the file says itself.
 *
 * @returns the text, and whether letters of it are lost
 */
export async function decodeFile(
  uri: vscode.Uri,
  languageId: string,
  bytes: Uint8Array,
): Promise<{ text: string; isLossy: boolean }> {
  if (isUtf8(bytes)) {
    return { text: await decodeAsSet(uri, languageId, bytes), isLossy: false };
  }
  const text = await vscode.workspace.decode(bytes, { uri });
  const encoding = isWhole(text) ? undefined : declaredEncoding(bytes);
  const declared = encoding === undefined ? text : await vscode.workspace.decode(bytes, { encoding });
  return isWhole(declared) ? { text: declared, isLossy: false } : { text, isLossy: true };
}

/** VS Code asks the window about the encoding of each file, which takes long for thousands. */
async function decodeAsSet(uri: vscode.Uri, languageId: string, bytes: Uint8Array): Promise<string> {
  const files = vscode.workspace.getConfiguration('files', { uri, languageId });
  return files.get('encoding') === 'utf8' &&
    files.get('autoGuessEncoding') !== true &&
    !bytes.subarray(0, zeroReach).includes(0)
    ? new TextDecoder().decode(bytes)
    : vscode.workspace.decode(bytes, { uri });
}

/** Whether nothing stands for letters that are lost. */
function isWhole(text: string): boolean {
  return !text.includes('\uFFFD');
}
