import { createHash } from 'node:crypto';
import * as vscode from 'vscode';
import { ellipsize } from '../../common/text.ts';
import { readProvenance } from '../../images/formats/provenance.ts';
import { imagesMeant } from '../paint/inputImages.ts';
import type { Painting } from '../paint/painting.ts';
import { refuse } from '../questions/refusal.ts';
import type { WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { taskDetails } from '../tooltips/taskDetails.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { nameOf, readIfThere } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';

/** Most characters of a prompt that are shown: a dialog does not scroll everywhere. In UTF-16 units. */
const maxLength = 2000;

/** What is known about how an image was made. */
interface Making {
  prompt: string;
  /** All of it, the prompt first. */
  details: string;
}

export interface PromptServices {
  engine: EngineHost;
  folders: WorkspaceFolders;
  painting: Painting;
}

/**
 * `limner.showPrompt`: shows how an image was made, of which the prompt can be copied or used again.
 *
 * @throws LimnerError `unsupported_image` for no image, `invalid_request` for one that is gone or of which nothing is
 *   known
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

/** Returns what the task list says of a file that is as it was saved, else what the file says of itself. */
async function makingOf(engine: EngineHost, file: vscode.Uri): Promise<Making> {
  const bytes = await readIfThere(file);
  const name = nameOf(file);
  if (!bytes) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t("{0} wasn't found. It may have been moved or deleted.", name),
    );
  }
  const { task, result } = (await engine.get()).store.savedAs(file.toString()) ?? {};
  const isAsSaved = result?.sha256 === createHash('sha256').update(bytes).digest('hex');
  const told = task && isAsSaved ? undefined : await readProvenance(bytes);
  if (told) {
    const { prompt, model, at } = told;
    const facts = [
      ...(model === undefined ? [] : [vscode.l10n.t('Model: {0}', model)]),
      ...(at === undefined
        ? []
        : [vscode.l10n.t('Made: {0}', new Date(at).toLocaleString(vscode.env.language))]),
      vscode.l10n.t('This is what the file itself says.'),
    ];
    return { prompt, details: `${ellipsize(prompt, maxLength)}\n\n${facts.join('\n')}` };
  }
  if (!task) {
    throw refuse(
      'invalid_request',
      vscode.l10n.t(
        "It isn't known how {0} was made: the task list has no such file, and the file has no prompt in it. The setting limner.embedPrompt writes the prompts of new images into their files.",
        name,
      ),
    );
  }
  const changed = isAsSaved ? '' : `\n\n${vscode.l10n.t('The file was changed after Limner saved it.')}`;
  const { request } = task;
  const shown = { ...task, request: { ...request, prompt: ellipsize(request.prompt, maxLength) } };
  return { prompt: request.prompt, details: taskDetails(shown) + changed };
}
