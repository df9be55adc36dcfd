import * as vscode from 'vscode';
import type { Task, TaskRequest } from '../../tasks/task.ts';
import type { LimnerError } from '../../service/limnerError.ts';
import { followTask, type TaskOutcome } from '../followTask.ts';
import { chooseModel, configuredModels, resolveCallStyle } from '../models.ts';
import { resolveTarget } from '../saveTarget.ts';
import { showError } from '../errorText.ts';
import type { Limner } from '../limner.ts';

/** Arguments of `limner.generate`; with a `prompt` nothing is asked. Files and folders are URIs or path strings. */
export interface GenerateArguments {
  prompt?: string;
  model?: string;
  size?: string;
  quality?: string;
  n?: number;
  callStyle?: string;
  folder?: vscode.Uri | string;
  fileName?: string;
}

/**
 * `limner.generate`: from a prompt to saved files. With `arguments.prompt` it asks nothing and rejects with an
 * error that has a `code`; run by a person it asks for what is missing, shows its own messages and does not reject.
 */
export async function generate(limner: Limner, given?: GenerateArguments): Promise<TaskOutcome | undefined> {
  if (typeof given?.prompt === 'string') {
    const request = await requestFor(limner, given, given.prompt, false);
    const engine = await limner.engine.get();
    return followTask(limner, engine, await engine.runner.start(request));
  }
  return interactively(limner, given ?? {});
}

async function interactively(limner: Limner, given: GenerateArguments): Promise<TaskOutcome | undefined> {
  const { isLimnerError, LimnerError } = await limner.engine.module();
  let task: Task | undefined;
  try {
    await limner.service.ready();
    const prompt = await vscode.window.showInputBox({
      title: vscode.l10n.t('Generate Image'),
      prompt: vscode.l10n.t('Describe the image'),
      placeHolder: vscode.l10n.t('A red fox in the snow, watercolour'),
      ignoreFocusOut: true,
      validateInput: (value) => (value.trim() === '' ? vscode.l10n.t('A prompt is needed.') : undefined),
    });
    if (prompt === undefined) {
      return undefined;
    }
    const request = await requestFor(limner, given, prompt, true);
    const engine = await limner.engine.get();
    task = await engine.runner.start(request);
    return await followTask(limner, engine, task);
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return undefined;
    }
    const known = isLimnerError(error) ? error : new LimnerError('protocol', String(error), { cause: error });
    await showError(known.toRecord(), task?.id);
    return undefined;
  }
}

/**
 * The whole request, with everything that the settings fill in.
 *
 * @throws LimnerError `no_service`, `no_key`, `invalid_request` (empty prompt, no model), `save_failed` (no folder)
 * @throws vscode.CancellationError when the person dismissed a question
 */
async function requestFor(
  limner: Limner,
  given: GenerateArguments,
  prompt: string,
  interactive: boolean,
): Promise<TaskRequest> {
  const { settings } = limner;
  const { LimnerError } = await limner.engine.module();
  const baseUrl = await limner.service.ready();
  const text = prompt.trim();
  if (text === '') {
    throw refusal('invalid_request', vscode.l10n.t('The prompt is empty.'));
  }
  const models = await configuredModels(limner.engine, settings, limner.log);
  const model = await chooseModel(models, given.model, settings, interactive);
  if (!model) {
    if (models.length > 0) {
      throw new vscode.CancellationError();
    }
    throw refusal(
      'invalid_request',
      vscode.l10n.t('No model is set: add one to the setting "limner.models".'),
    );
  }
  if (!given.folder && (vscode.workspace.workspaceFolders ?? []).length === 0) {
    throw refusal('save_failed', vscode.l10n.t('Open a folder first: images are saved into the workspace.'));
  }
  const target = await resolveTarget(settings, given);
  if (!target) {
    throw new vscode.CancellationError();
  }
  const size = given.size ?? settings.size;
  const quality = given.quality ?? settings.quality;
  return {
    kind: 'generate',
    prompt: text,
    model: model.id,
    family: model.family,
    callStyle: resolveCallStyle(given.callStyle ?? settings.callStyle, model),
    ...(size !== '' && { size }),
    ...(quality !== '' && { quality }),
    n: given.n ?? settings.count,
    ...(model.extra && { extra: model.extra }),
    baseUrl,
    target,
  };

  function refusal(code: 'invalid_request' | 'save_failed', message: string): LimnerError {
    return new LimnerError(code, message, { billing: 'no' });
  }
}
