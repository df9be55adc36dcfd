import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandAction, offer } from './window/offers.ts';
import * as commands from './window/commandIds.ts';
import { views } from './window/names.ts';
import * as settingNames from './window/settingNames.ts';
import type { KnownServices } from './knownServices.ts';
import type { DemoServiceProcess } from './window/demoServiceProcess.ts';
import type { KeyStore } from './window/serviceNames.ts';
import type { Settings } from './window/settings.ts';

/** `limner.useDemoService`: starts the built-in service and configures it. */
export async function useDemoService(
  demo: DemoServiceProcess,
  keys: KeyStore,
  settings: Settings,
  services: KnownServices,
  log: vscode.LogOutputChannel,
): Promise<void> {
  const wasInUse = demo.isAt(settings.baseUrl);
  const running = await vscode.window.withProgress(
    { location: { viewId: views.tasks }, title: l10n.t('Starting the demo service') },
    () => demo.start(),
  );
  const [key] = running.apiKeys;
  if (key === undefined || running.models.length === 0) {
    throw new Error(l10n.t('The demo service started without an API key or a model.'));
  }
  await keys.set(new URL(running.baseUrl).origin, key);
  if (wasInUse) {
    // It may have moved to another port.
    await settings.update(settingNames.baseUrl, running.baseUrl);
  }
  const before = settings.baseUrl;
  await services.use(running.baseUrl, services.lastModel(running.baseUrl));
  log.info(`Using the demo service at ${running.baseUrl}`);
  void offerFirstImage(before, running.baseUrl, services);
}

async function offerFirstImage(before: string, now: string, services: KnownServices): Promise<void> {
  const replaced = before !== '' && before !== now;
  const goBack = {
    title: l10n.t('Go Back'),
    run: async () => services.use(before, services.lastModel(before)),
  };
  await offer(
    vscode.window.showInformationMessage,
    replaced
      ? l10n.t('Limner is now using the built-in demo service instead of {0}. It is free.', before)
      : l10n.t('Limner is now using the built-in demo service. It runs on this computer and is free.'),
    commandAction(l10n.t('Generate Image…'), commands.generate),
    ...(replaced ? [goBack] : []),
  );
}
