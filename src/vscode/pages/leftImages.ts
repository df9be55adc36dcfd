import { readdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, join, posix } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as english from '../../common/english.ts';
import { messageOf } from '../../common/limnerError.ts';
import { told } from '../../engine/messages/told.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { ResultDownloader } from '../../service/http/download.ts';
import { HttpsTransport } from '../../service/http/httpsTransport.ts';
import { contentsOf } from '../actions/inspectImage.ts';
import { refuse } from '../ask/refusal.ts';
import { plainText } from '../window/plainText.ts';
import { hasExtension, shownExtensions } from '../ask/pictures.ts';
import { resolveLocation } from '../generate/paintArguments.ts';
import { nameOf, pathOf } from '../window/files.ts';
import { pastedName } from './incomingImages.ts';

/** The most images that are offered. */
const most = 100;
/** The longest text of the clipboard that is read: an image of 64 MB as base64. */
const longestAddress = 90_000_000;

/** An image that another program left outside the places of the project, or that an address names. */
export interface LeftImage {
  name: string;
  /** Where it is, for the user. */
  from: string;
  /** A file, or an address that begins with `data:` or `https:`. */
  source: vscode.Uri | string;
  /** In Unix milliseconds. */
  at?: number;
  size?: number;
}

/**
 * Returns the images that Codex left in the user's home, and Nano Banana in the workspace, newest first. Symbolic links are
 * left out: a workspace could bring some that lead anywhere.
 */
export async function leftImages(): Promise<LeftImage[]> {
  const homes = [process.env['CODEX_HOME'] ?? '', join(homedir(), '.codex')].filter(isAbsolute);
  const folders = (vscode.workspace.workspaceFolders ?? []).filter(({ uri }) => uri.scheme === 'file');
  const found = await Promise.all([
    ...[...new Set(homes)].map(async (home) => imagesBelow(home, 'generated_images', 'Codex')),
    ...folders.map(async ({ uri }) => imagesBelow(uri.fsPath, 'nanobanana-output', 'Nano Banana')),
  ]);
  return found
    .flat()
    .toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))
    .slice(0, most);
}

async function imagesBelow(parent: string, name: string, from: string): Promise<LeftImage[]> {
  const siblings = await readdir(parent, { withFileTypes: true }).catch(() => []);
  if (!siblings.some((one) => one.name === name && one.isDirectory())) {
    return [];
  }
  const entries = await readdir(join(parent, name), { recursive: true, withFileTypes: true }).catch(() => []);
  const images = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => imageAt(vscode.Uri.file(join(entry.parentPath, entry.name)), from)),
  );
  return images.filter((image) => image !== undefined);
}

/** Returns the image in a file; undefined if there is no file with such a name. */
async function imageAt(file: vscode.Uri, from: string): Promise<LeftImage | undefined> {
  if (!hasExtension(file, shownExtensions)) {
    return undefined;
  }
  const found = await stat(file.fsPath).catch(() => undefined);
  return found?.isFile() === true
    ? { ...imageIn(file, from), at: found.mtimeMs, size: found.size }
    : undefined;
}

export function imageIn(file: vscode.Uri, from = pathOf(file)): LeftImage {
  return { name: nameOf(file), from, source: file };
}

/**
 * Returns the image that the text of the clipboard names: the path or URL of a file, or the address of an image. VS Code shows
 * extensions nothing else of the clipboard.
 */
export async function copiedImage(): Promise<LeftImage | undefined> {
  const text = (await vscode.env.clipboard.readText()).trim().replace(/^(["'])(.*)\1$/su, '$2');
  const from = l10n.t('Clipboard');
  if (text.length > longestAddress || /[\r\n]/u.test(text)) {
    return undefined;
  }
  if (/^data:image\/[\w.+-]+;base64,/iu.test(text)) {
    return { name: pastedName, from, source: text };
  }
  const { protocol, pathname, host } = URL.parse(text) ?? {};
  if (protocol === 'https:' && pathname !== undefined) {
    return { name: posix.basename(decoded(pathname)) || pastedName, from: `${from} · ${host}`, source: text };
  }
  const path = text.replace(/^~(?=[/\\])/u, homedir());
  return protocol === 'file:' || isAbsolute(path)
    ? imageAt(resolveLocation(path, undefined), from).catch(() => undefined)
    : undefined;
}

/** @throws LimnerError `unsupported_image` for what isn't an image; `invalid_request` or `network` if it can't be read */
export async function bytesOf({ source, name }: LeftImage, signal?: AbortSignal): Promise<Uint8Array> {
  if (typeof source !== 'string') {
    return contentsOf(source);
  }
  const bytes = source.startsWith('https:')
    ? await download(source, signal)
    : Buffer.from(source.slice(source.indexOf(',') + 1), 'base64');
  if (!sniffImage(bytes)) {
    throw refuse(
      'unsupported_image',
      english.t("The contents of {0} aren't a PNG, JPEG, or WebP image.", plainText(name)),
    );
  }
  return bytes;
}

async function nothing(): Promise<void> {}

async function download(address: string, signal: AbortSignal | undefined): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  const url = new URL(address);
  const downloader = new ResultDownloader({
    transport: new HttpsTransport(),
    keys: { get: async () => Promise.resolve(undefined) },
    resultHosts: () => [],
  });
  const sink = {
    write: (chunk: Uint8Array) => void chunks.push(Buffer.from(chunk)),
    toText: nothing,
    close: nothing,
    discard: nothing,
  };
  try {
    await downloader.download(url, url.href, sink, signal);
  } catch (error) {
    if (signal?.aborted) {
      throw new vscode.CancellationError();
    }
    throw refuse(
      'network',
      l10n.t("Couldn't fetch the image from {0}: {1}", url.host, told(messageOf(error))),
    );
  }
  return Buffer.concat(chunks);
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
