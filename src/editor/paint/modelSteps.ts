import * as vscode from 'vscode';
import type { ModelEntry, ModelFamily } from '../../service/modelOptions.ts';
import { askPick, askText, type Direction, type Place, walk } from './inputSteps.ts';
import type { Models } from './models.ts';

/** A model while it is being entered. */
export type EnteredModel = Pick<ModelEntry, 'id' | 'family'>;

/** Asks for a model of the service in use, adds it to the settings and selects it. */
export async function addModel(models: Models, service: string): Promise<EnteredModel> {
  const model: EnteredModel = { id: '', family: 'image' };
  const title = vscode.l10n.t('Add Model');
  const steps = [
    async (place: Place) => askModelId(models, model, { title, prompt: modelIdPrompt() }, place),
    async (place: Place) => askFamily(model, title, place),
  ];
  await walk(() => steps);
  await models.add(model, service);
  return model;
}

export function modelIdPrompt(): string {
  return vscode.l10n.t('Model ID, exactly as your service lists it');
}

/** Asks for the ID of a model; if the model is already listed, its family is filled in. */
export async function askModelId(
  models: Models,
  model: EnteredModel,
  texts: { title: string; prompt: string },
  place: Place,
): Promise<Direction> {
  const reply = await askText(
    {
      ...texts,
      placeholder: 'my-image-model',
      value: model.id,
      invalid: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a model ID.') : undefined),
    },
    place,
  );
  if (reply.kind === 'back') {
    return 'back';
  }
  model.id = reply.value.trim();
  model.family = models.configured().find(({ id }) => id === model.id)?.family ?? model.family;
  return 'next';
}

/** Asks to which of the service's two families a model belongs. */
export async function askFamily(model: EnteredModel, title: string, place: Place): Promise<Direction> {
  const items: (vscode.QuickPickItem & { family: ModelFamily })[] = [
    {
      label: vscode.l10n.t('Standard Image API'),
      description: vscode.l10n.t('most models; choose this if you are not sure'),
      family: 'image',
    },
    {
      label: vscode.l10n.t('Native Content API'),
      description: vscode.l10n.t("doesn't support size and quality"),
      family: 'native',
    },
  ];
  const reply = await askPick(
    {
      title,
      placeholder: vscode.l10n.t('How is {0} called?', model.id),
      items,
      active: items.find(({ family }) => family === model.family),
    },
    place,
  );
  if (reply.kind !== 'answer') {
    return 'back';
  }
  model.family = reply.value.family;
  return 'next';
}
