import * as vscode from 'vscode';
import { largestFinished } from '../../common/disk/regularFile.ts';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { upright } from '../../images/formats/orientation.ts';
import { readProvenance } from '../../images/formats/provenance.ts';
import { ellipsize, encodePath } from '../../common/text.ts';
import * as commands from '../commandIds.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { oneLine } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { readAtMost } from './files/diskFiles.ts';
import type { ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';

/** The largest picture of a hover, in CSS pixels: VS Code makes hovers at most 250 high. */
const largest = { width: 320, height: 130 };
/** A longer prompt is cut off: what can be done is to stay in sight. In UTF-16 units. */
const longestPrompt = 120;

/** Shows the image that a document names at the pointer: its size, its prompt where that is known, and what can be done with it. */
export class ImageHovers implements vscode.HoverProvider {
  readonly #documents: ReadDocuments;
  readonly #engine: EngineHost;
  readonly #settings: Settings;

  constructor(documents: ReadDocuments, engine: EngineHost, settings: Settings) {
    this.#settings = settings;
    this.#documents = documents;
    this.#engine = engine;
  }

  async provideHover(
    document: vscode.TextDocument,
    position: vscode.Position,
  ): Promise<vscode.Hover | undefined> {
    const offset = document.offsetAt(position);
    const reference = vscode.workspace.isTrusted
      ? (await this.#documents.referencesIn(document)).find(
          ({ start, end }) => start <= offset && offset <= end,
        )
      : undefined;
    const file = reference && (await new WantedImages(this.#settings).fileOf(document, reference));
    const bytes = file && (await readAtMost(file, largestFinished).catch(() => undefined));
    if (!reference || !file || !bytes) {
      return undefined;
    }
    const stored = dimensionsFromPrefix(bytes);
    const size = stored.kind === 'known' ? await upright(stored, bytes) : undefined;
    const range = new vscode.Range(document.positionAt(reference.start), document.positionAt(reference.end));
    const prompt =
      (await readProvenance(bytes))?.prompt ??
      this.#engine.opened?.store.savedAs(file.toString())?.task.request.prompt;
    return new vscode.Hover(textFor(file, size, prompt), range);
  }
}

/** Returns what is shown of an image. @param prompt undefined where it is not known */
function textFor(
  file: vscode.Uri,
  size: { width: number; height: number } | undefined,
  prompt: string | undefined,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: [commands.editFile, commands.openFileInStudio] };
  const { width, height } = size ?? { width: largest.height, height: largest.height };
  const scale = Math.min(1, largest.width / width, largest.height / height);
  const shown = `width=${Math.round(width * scale)},height=${Math.round(height * scale)}`;
  text.appendMarkdown(`![](${file.toString()}|${shown})\n\n`);
  const facts = [
    ...(size ? [`${width} × ${height}`] : []),
    ...(prompt === undefined ? [] : [asMarkdown(ellipsize(oneLine(prompt), longestPrompt))]),
  ];
  if (facts.length > 0) {
    text.appendMarkdown(`${facts.join(' · ')}\n\n`);
  }
  const link = (title: string, command: string): string =>
    `[${title}](command:${command}?${encodePath(JSON.stringify([file]))})`;
  text.appendMarkdown(
    [
      link(vscode.l10n.t('Edit…'), commands.editFile),
      link(vscode.l10n.t('Open Studio'), commands.openFileInStudio),
    ].join(' · '),
  );
  return text;
}

/** Returns a text with nothing in it that is Markdown. */
function asMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/gu, String.raw`\$&`);
}
