import * as vscode from 'vscode';
import type { Painting } from '../generate/painting.ts';
import { selectedText } from '../generate/promptText.ts';
import type { PromptWriter } from '../generate/promptWriter.ts';
import { reported, refuse } from '../ask/refusal.ts';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { ellipsize } from '../../common/text.ts';
import { readProvenance } from '../../images/formats/provenance.ts';
import { imagesMeant } from '../generate/inputImages.ts';
import type { WorkspaceFolders } from '../ask/confirm.ts';
import { taskDetails } from '../taskList/taskDetails.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';

/** `limner.improvePrompt`: opens the prompt box with the selected text, improved, or empty without a selection. */
export async function improveSelection(
  writer: PromptWriter,
  painting: Painting,
  log: vscode.LogOutputChannel,
): Promise<void> {
  await reported(log, async () => {
    const text = selectedText(vscode.window.activeTextEditor);
    const given = text === '' ? {} : { prompt: await writer.improve(text, 'generate') };
    await painting.propose({ given });
  });
}

/** `limner.promptFromPage`: opens the prompt box with a prompt for an image of the open document. */
export async function promptFromPage(
  writer: PromptWriter,
  painting: Painting,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const document = vscode.window.activeTextEditor?.document;
  if (!document) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Open the page that the image is for, then run the command again.'),
    );
    return;
  }
  await reported(log, async () => {
    const prompt = await writer.fromPage(document);
    await painting.propose({ given: { prompt } });
  });
}

/** Maximum length of a shown prompt, in UTF-16 units: some dialogs don't scroll. */
const maxLength = 2000;

interface Making {
  prompt: string;
  /** All known facts, the prompt first. */
  details: string;
}

export interface PromptServices {
  engine: EngineHost;
  folders: WorkspaceFolders;
  painting: Painting;
}

/**
 * `limner.showPrompt`: shows how an image was made, and offers to copy the prompt or use it again.
 *
 * @throws LimnerError `unsupported_image` for a file that isn't an image, `invalid_request` for one that is gone or of
 * unknown origin
 */
export async function showPrompt(
  { engine, folders, painting }: PromptServices,
  first: unknown,
  second: unknown,
): Promise<void> {
  const [file] = await imagesMeant(folders, first, second);
  const { prompt, details } = await makingOf(engine, file);
  const copy = vscode.l10n.t('Copy Prompt');
  const use = vscode.l10n.t('Generate with This Prompt…');
  const options = { modal: true, detail: details };
  const chosen = await vscode.window.showInformationMessage(plainText(nameOf(file)), options, copy, use);
  if (chosen === copy) {
    await vscode.env.clipboard.writeText(prompt);
  } else if (chosen === use) {
    await painting.propose({ given: { prompt } });
  }
}

/** Returns the task list's facts about an unchanged file, else the facts in the file itself. */
async function makingOf(engine: EngineHost, file: vscode.Uri): Promise<Making> {
  const bytes = await readIfThere(file);
  const name = nameOf(file);
  if (!bytes) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t("{0} wasn't found. It may have been moved or deleted.", name),
    );
  }
  const hash = hashOf(bytes);
  const { task, result } = (await engine.get()).store.savedAs(file.toString(), hash) ?? {};
  const isAsSaved = result?.sha256 === hash;
  const told = task && isAsSaved ? undefined : await readProvenance(bytes);
  if (told) {
    const { prompt, model, at } = told;
    const facts = [
      ...(model === undefined ? [] : [vscode.l10n.t('Model: {0}', model)]),
      ...(at === undefined
        ? []
        : [vscode.l10n.t('Generated: {0}', new Date(at).toLocaleString(vscode.env.language))]),
      vscode.l10n.t('Read from the file itself.'),
    ];
    return { prompt, details: `${ellipsize(prompt, maxLength)}\n\n${facts.join('\n')}` };
  }
  if (!task) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t(
        "Limner doesn't know how {0} was generated: it isn't in the task list and contains no prompt. The setting limner.embedPrompt writes the prompts of new images into their files.",
        name,
      ),
    );
  }
  const changed = isAsSaved ? '' : `\n\n${vscode.l10n.t('The file was changed after Limner saved it.')}`;
  const { request } = task;
  const shown = { ...task, request: { ...request, prompt: ellipsize(request.prompt, maxLength) } };
  return { prompt: request.prompt, details: taskDetails(shown) + changed };
}
