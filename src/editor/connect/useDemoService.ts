import * as vscode from 'vscode';
import { commandAction, offer } from '../failures/errorText.ts';
import * as commands from '../commandIds.ts';
import { settingNames, views } from '../names.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import type { KeyStore } from '../window/keyStore.ts';
import type { Settings } from '../window/settings.ts';

/** `limner.useDemoService`: starts the built-in service and makes it the configured one. */
export async function useDemoService(
  demo: DemoServiceProcess,
  keys: KeyStore,
  settings: Settings,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const running = await vscode.window.withProgress(
    { location: { viewId: views.tasks }, title: vscode.l10n.t('Starting the demo service') },
    () => demo.start(),
  );
  const [key] = running.apiKeys;
  const [firstModel] = running.models;
  if (key === undefined || firstModel === undefined) {
    throw new Error(vscode.l10n.t('The demo service started without an API key or a model.'));
  }
  const before = { baseUrl: settings.baseUrl, model: settings.model };
  await keys.set(new URL(running.baseUrl).origin, key);
  if (!running.models.some(({ id }) => id === before.model)) {
    await settings.update(settingNames.model, firstModel.id);
  }
  await settings.update(settingNames.baseUrl, running.baseUrl);
  log.info(`Using the demo service at ${running.baseUrl}`);
  void offerFirstImage(before, running.baseUrl, settings);
}

async function offerFirstImage(
  before: { baseUrl: string; model: string },
  now: string,
  settings: Settings,
): Promise<void> {
  const replaced = before.baseUrl !== '' && before.baseUrl !== now;
  const goBack = {
    title: vscode.l10n.t('Go Back'),
    run: async () => {
      await settings.update(settingNames.baseUrl, before.baseUrl);
      await settings.update(settingNames.model, before.model === '' ? undefined : before.model);
    },
  };
  await offer(
    vscode.window.showInformationMessage,
    replaced
      ? vscode.l10n.t(
          'Limner is now using the built-in demo service instead of {0}. It is free.',
          before.baseUrl,
        )
      : vscode.l10n.t('Limner is now using the built-in demo service. It runs on this computer and is free.'),
    commandAction(vscode.l10n.t('Generate Image…'), commands.generate),
    ...(replaced ? [goBack] : []),
  );
}
