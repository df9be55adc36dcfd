import * as vscode from 'vscode';
import { confirmRun } from '../paint/confirmRun.ts';
import type { TaskOutcome } from '../actions/followTask.ts';
import type { Limner } from '../limner.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import { configuredModels, impliedModel } from '../paint/models.ts';
import { type PaintArguments, readArguments } from '../paint/paintArguments.ts';
import { askForPaint, noModel } from '../paint/paintQuestions.ts';
import { paintRequest } from '../paint/paintRequest.ts';
import { noWorkspace } from '../paint/saveTarget.ts';
import { asRejection, reportFailure } from '../failures/refusal.ts';
import { edit } from './edit.ts';
import { runAndReport, runRequest } from '../actions/runRequest.ts';

/** A new image has no inputs; arguments with some are an edit. */
const newImage = { images: undefined, mask: undefined };

/**
 * `limner.generate`: from a prompt to saved files. With `arguments.prompt` it asks nothing and rejects with an
 * error that has a `code`; run by a person it asks for what is missing, shows its own messages and does not reject.
 */
export async function generate(limner: Limner, given?: unknown): Promise<TaskOutcome | undefined> {
  const read = readArguments(given);
  const { prompt } = read;
  if (read.images?.length) {
    return edit(limner, undefined, read);
  }
  return prompt === undefined
    ? generateWithQuestions(limner, read)
    : generateAsked(limner, { ...read, prompt });
}

/** Asks a person for what is missing, says how it ended, and resolves to undefined where that was badly. */
export async function generateWithQuestions(
  limner: Limner,
  given: PaintArguments,
): Promise<TaskOutcome | undefined> {
  let request: TaskRequest;
  try {
    const baseUrl = await limner.service.ready();
    if (given.folder === undefined && !vscode.workspace.workspaceFolders?.length) {
      // Before a prompt is typed, which opening a folder would lose.
      throw noWorkspace();
    }
    const choices = await askForPaint(limner, {
      ...given,
      kind: 'generate',
      title: vscode.l10n.t('Generate Image'),
      promptText: vscode.l10n.t('Describe the image'),
      placeholder: vscode.l10n.t('A red fox in the snow, watercolour'),
    });
    request = await paintRequest(limner, baseUrl, { ...given, ...choices, ...newImage, asks: true });
    await confirmRun(limner, request.n);
  } catch (error) {
    await reportFailure(limner.log, error);
    return undefined;
  }
  return runAndReport(limner, request);
}

async function generateAsked(
  limner: Limner,
  given: PaintArguments & { prompt: string },
): Promise<TaskOutcome> {
  try {
    const baseUrl = await limner.service.ready();
    const models = await configuredModels(limner.settings, limner.log);
    const model = impliedModel(models, given.model, limner.settings) ?? models[0];
    if (!model) {
      throw noModel();
    }
    const request = await paintRequest(limner, baseUrl, { ...given, model, ...newImage, asks: false });
    await confirmRun(limner, request.n);
    return await runRequest(limner, request);
  } catch (error) {
    throw asRejection(error);
  }
}
