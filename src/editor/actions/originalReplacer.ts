import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { bitsPerChannel, sniffImage, type ImageFormat } from '../../images/formats/sniff.ts';
import { sweepFolder } from '../window/sweepFolder.ts';
import { confirmed } from '../window/confirm.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { reportFailure } from '../failures/refusal.ts';
import type { SavedImage } from './taskArgument.ts';
import { hasPngColours } from '../../images/formats/pngColours.ts';

/** How long replaced originals are kept, in milliseconds; older ones go when the next original is replaced. */
const originalsKept = 30 * 24 * 3_600_000;

/** For an image that is converted to its original's format. */
const jpegQuality = 95;

/** File name extension for what a file holds; undefined when it is not an image. */
type Format = ImageFormat['extension'] | undefined;

interface Replaced {
  before: Uint8Array;
  written: Uint8Array;
}

export class OriginalReplacer {
  readonly #engine: EngineHost;
  readonly #log: vscode.LogOutputChannel;

  constructor(engine: EngineHost, log: vscode.LogOutputChannel) {
    this.#engine = engine;
    this.#log = log;
  }

  /**
   * `limner.task.replaceOriginal`: an edited image takes the place of the file that it was made from. The old bytes
   * are kept in Limner's storage for a while, and a button puts them back.
   */
  async replace({ task, uri }: SavedImage): Promise<void> {
    const [input] = task.request.images ?? [];
    if (!input) {
      return;
    }
    const original = vscode.Uri.parse(input.uri, true);
    const edited = await readIfThere(uri);
    if (!edited) {
      tellMissing(uri);
      return;
    }
    const replaced = await this.#overwrite(original, input.sha256, async (format) =>
      this.#inFormat(plainText(nameOf(original)), format, edited),
    );
    if (replaced) {
      this.#offerUndo(original, replaced).catch((error: unknown) => reportFailure(this.#log, error));
    }
  }

  /**
   * Overwrites a file, and keeps its last contents: other programs may write it while a person is asked.
   *
   * @param expected hash of the contents that the person expects; asks before replacing any others
   * @param replacement for a file of this format; undefined when it is not to be replaced
   * @returns undefined when it was not
   */
  async #overwrite(
    file: vscode.Uri,
    expected: string,
    replacement: (format: Format) => Promise<Uint8Array | undefined>,
  ): Promise<Replaced | undefined> {
    const { fs } = vscode.workspace;
    const folder = vscode.Uri.joinPath(this.#engine.home, 'replaced');
    await fs.createDirectory(folder);
    await sweepFolder(folder.fsPath, originalsKept);
    let [agreed, before] = [expected, await readIfThere(file)];
    let [format, written]: [Format, Uint8Array | undefined] = [undefined, undefined];
    while (before) {
      const extension: Format = sniffImage(before)?.extension;
      if (!written || extension !== format) {
        [format, written] = [extension, await replacement(extension)];
      }
      const held = sha256(before);
      if (!written || (held !== agreed && !(await confirmChanged(file)))) {
        return undefined;
      }
      // Not under the file's own name, which a suffix may make too long.
      const kept = vscode.Uri.joinPath(folder, `${held}.${extension ?? 'bin'}`);
      await fs.writeFile(kept, before);
      const latest = await readIfThere(file);
      if (latest && sha256(latest) === held) {
        await fs.writeFile(file, written);
        this.#log.info(`Replaced ${file.toString(true)}; the original is kept as ${kept.toString(true)}`);
        return { before, written };
      }
      [agreed, before] = [held, latest];
    }
    tellMissing(file);
    return undefined;
  }

  /** Returns the edited image in the file's format, which its name promises; undefined when the person declines. */
  async #inFormat(name: string, wants: Format, edited: Uint8Array): Promise<Uint8Array | undefined> {
    const has = sniffImage(edited)?.extension;
    if (has === wants || !wants) {
      return edited;
    }
    const isMeant = await confirmed(
      vscode.l10n.t(
        '{0} has a different format than the edited image. Convert a copy of the edited image and replace the original?',
        name,
      ),
      vscode.l10n.t('Convert and Replace'),
      [
        wants === 'jpg'
          ? vscode.l10n.t('JPEG is lossy: all pixels may change slightly, even outside a mask.')
          : bitsPerChannel(edited) > 8
            ? vscode.l10n.t('The copy is reduced from 16 to 8 bits per channel.')
            : vscode.l10n.t('No pixels change.'),
        (await hasPngColours(edited))
          ? vscode.l10n.t(
              'Colors may look different because only PNG supports the color information of the edited image.',
            )
          : '',
      ]
        .join(' ')
        .trim(),
    );
    if (!isMeant) {
      return undefined;
    }
    const codecs = await (await this.#engine.get()).codecs();
    return codecs.convert(
      edited,
      wants === 'webp'
        ? { format: 'webp', lossless: true }
        : { format: wants === 'jpg' ? 'jpeg' : 'png', quality: jpegQuality },
    );
  }

  async #offerUndo(original: vscode.Uri, { before, written }: Replaced): Promise<void> {
    const name = plainText(nameOf(original));
    const undo = vscode.l10n.t('Undo');
    const chosen = await vscode.window.showInformationMessage(vscode.l10n.t('Replaced {0}.', name), undo);
    if (chosen === undo && (await this.#overwrite(original, sha256(written), async () => before))) {
      void vscode.window.showInformationMessage(vscode.l10n.t('Restored {0}.', name));
    }
  }
}

function tellMissing(file: vscode.Uri): void {
  void vscode.window.showWarningMessage(
    vscode.l10n.t("{0} wasn't found. It may have been moved or deleted.", plainText(nameOf(file))),
  );
}

async function confirmChanged(file: vscode.Uri): Promise<boolean> {
  return confirmed(
    vscode.l10n.t('{0} has changed since. Replace it anyway?', plainText(nameOf(file))),
    vscode.l10n.t('Replace'),
  );
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
