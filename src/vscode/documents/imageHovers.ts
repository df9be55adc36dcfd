import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { largestFinished } from '../../common/regularFile.ts';
import { dimensionsFromPrefix } from '../../images/formats/dimensions.ts';
import { upright } from '../../images/formats/animation.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { readProvenance } from '../../images/formats/provenance.ts';
import { ellipsize, encodePath, sizeText } from '../../common/text.ts';
import * as commands from '../window/commandIds.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { oneLine } from '../window/plainText.ts';
import type { Settings } from '../window/settings.ts';
import { readAtMost } from './diskFiles.ts';
import type { ReadDocuments } from './readDocuments.ts';
import { WantedImages } from './wantedImages.ts';
import * as settingNames from '../window/settingNames.ts';
import { generateCommand, type Hints, isToBeMade } from './hints.ts';

/** Maximum size of a hover's picture, in CSS pixels: VS Code limits hovers to a height of 250. */
const largest = { width: 320, height: 130 };
/** Maximum length of a prompt, so that the actions stay visible, in UTF-16 units. */
const longestPrompt = 120;

/** Shows the image at the pointer, with its size, its prompt if known, and its actions. */
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
      this.#engine.opened?.store.savedAs(file.toString(), hashOf(bytes))?.task.request.prompt;
    return new vscode.Hover(textFor(file, size, prompt), range);
  }
}

/** Returns the contents of the hover. @param prompt undefined if unknown */
function textFor(
  file: vscode.Uri,
  size: { width: number; height: number } | undefined,
  prompt: string | undefined,
): vscode.MarkdownString {
  const text = new vscode.MarkdownString();
  text.isTrusted = { enabledCommands: [commands.fileEdit, commands.fileOpenStudio] };
  const { width, height } = size ?? { width: largest.height, height: largest.height };
  const scale = Math.min(1, largest.width / width, largest.height / height);
  const shown = `width=${Math.round(width * scale)},height=${Math.round(height * scale)}`;
  text.appendMarkdown(`![](${file.toString()}|${shown})\n\n`);
  const facts = [
    ...(size ? [sizeText(size)] : []),
    ...(prompt === undefined ? [] : [asMarkdown(ellipsize(oneLine(prompt), longestPrompt))]),
  ];
  if (facts.length > 0) {
    text.appendMarkdown(`${facts.join(' · ')}\n\n`);
  }
  const link = (title: string, command: string): string =>
    `[${title}](command:${command}?${encodePath(JSON.stringify([file]))})`;
  text.appendMarkdown(
    [link(l10n.t('Edit…'), commands.fileEdit), link(l10n.t('Open Studio'), commands.fileOpenStudio)].join(
      ' · ',
    ),
  );
  return text;
}

function asMarkdown(text: string): string {
  return text.replaceAll(/[!-/:-@[-`{-~]/gu, String.raw`\$&`);
}

/** Shows a line above each missing image that offers to generate it, if `limner.codeLens` is on. */
export class ImageLenses implements vscode.CodeLensProvider, vscode.Disposable {
  readonly #hints: Hints;
  readonly #settings: Settings;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #subscription: vscode.Disposable;
  readonly onDidChangeCodeLenses = this.#changed.event;

  constructor(hints: Hints, settings: Settings) {
    this.#hints = hints;
    this.#settings = settings;
    this.#subscription = vscode.Disposable.from(
      hints.onDidChange(() => this.#changed.fire()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingNames.codeLens)) {
          this.#changed.fire();
        }
      }),
      this.#changed,
    );
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!this.#settings.codeLens(document.uri)) {
      return [];
    }
    const wanted = await this.#hints.wantedIn(document, this.#hints.known);
    return wanted.filter(isToBeMade).map((image) => {
      const { range } = document.lineAt(document.positionAt(image.reference.start));
      return new vscode.CodeLens(range, generateCommand(document, image));
    });
  }

  dispose(): void {
    this.#subscription.dispose();
  }
}
