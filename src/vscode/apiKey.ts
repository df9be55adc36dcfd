import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText } from '../common/text.ts';
import { offer } from './window/offers.ts';
import { describeError, showFailure } from './window/errorText.ts';
import type { ServiceConnection } from './generate/serviceConnection.ts';
import type { DemoServiceProcess } from './window/demoServiceProcess.ts';
import type { Engine } from '../engine/run/engine.ts';
import { endpointsOf } from '../service/http/endpoints.ts';
import { keyPrefix, type KeyStore } from './window/serviceNames.ts';
import { looksLikeUrl, readPastedKey } from './pastedConnection.ts';
import { checkService } from './serviceCheck.ts';

export interface KeyServices {
  service: ServiceConnection;
  keys: KeyStore;
  demo: DemoServiceProcess;
  log: vscode.LogOutputChannel;
}

/**
 * `limner.setApiKey`: asks for a service's key, stores it for that origin alone, and says whether the service accepts
 * it.
 *
 * @param baseUrl URL of the configured service, or of a task's service
 */
export async function setApiKey(services: KeyServices, baseUrl: string): Promise<void> {
  const origin = await originWithKey(services, baseUrl);
  if (origin === undefined) {
    return;
  }
  const entered = await vscode.window.showInputBox({
    title: l10n.t('Set API Key'),
    prompt: l10n.t('API key for {0}. It is stored securely in VS Code and sent to this host only.', origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: invalidKey,
  });
  if (entered === undefined) {
    return;
  }
  const apiKey = readPastedKey(entered);
  await services.keys.set(origin, apiKey);
  void tellWhetherTaken(services, baseUrl, origin, apiKey);
}

/** Reports that a key is set, and the service's response to it. */
async function tellWhetherTaken(
  services: KeyServices,
  baseUrl: string,
  origin: string,
  apiKey: string,
): Promise<void> {
  const { plainHttpOrigins } = services.service;
  const connection = { baseUrl, apiKey, plainHttpOrigins };
  const check = await checkService(connection, services.log, new AbortController().signal);
  switch (check.kind) {
    case 'good':
      await vscode.window.showInformationMessage(l10n.t('The API key for {0} is set.', origin));
      break;
    case 'badKey':
      await offer(
        vscode.window.showWarningMessage,
        l10n.t('The API key for {0} is set, but not accepted: {1}', origin, check.words),
        { title: l10n.t('Set API Key…'), run: async () => setApiKey(services, baseUrl) },
      );
      break;
    case 'inconclusive':
      await vscode.window.showInformationMessage(
        l10n.t("The API key for {0} is set. Limner couldn't verify it: {1}", origin, check.words),
      );
  }
}

type KeyItem = vscode.QuickPickItem & { origin: string };

/** `limner.removeApiKey`: lets the user choose which services' keys to remove, and says which tasks would pause. */
export async function removeApiKey(
  { keys, demo }: KeyServices,
  secrets: vscode.SecretStorage,
  { store }: Pick<Engine, 'store'>,
  inUse: string | undefined,
): Promise<void> {
  const origins = (await originsWithKey(secrets)).filter((origin) => !demo.isAt(origin));
  if (origins.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('No API key is set.'));
    return;
  }
  // Results are fetched without a key.
  const tasks = store.running().filter(({ status }) => status !== 'saving');
  const running = tasks.map(({ request }) => endpointsOf(request.baseUrl).origin);
  const items = origins
    .toSorted((one, other) => Number(other === inUse) - Number(one === inUse) || one.localeCompare(other))
    .map((origin): KeyItem => {
      const count = running.filter((other) => other === origin).length;
      const one = l10n.t('1 running task pauses until you set the API key again.');
      const several = l10n.t('{0} running tasks pause until you set the API key again.', count);
      return {
        origin,
        label: origin,
        description: origin === inUse ? l10n.t('in use') : '',
        detail: [l10n.t('No running task needs it.'), one][count] ?? several,
      };
    });
  const chosen = await vscode.window.showQuickPick(items, {
    title: l10n.t('Remove API Keys'),
    placeHolder: l10n.t('Services whose API key to remove'),
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!chosen || chosen.length === 0) {
    return;
  }
  for (const { origin } of chosen) {
    await keys.remove(origin);
  }
  const names = listText(
    chosen.map(({ origin }) => origin),
    vscode.env.language,
  );
  void vscode.window.showInformationMessage(l10n.t('Removed the API key for {0}.', names));
}

/** Returns the origins of all services that have a key. */
export async function originsWithKey(secrets: vscode.SecretStorage): Promise<string[]> {
  const names = await secrets.keys();
  return names
    .filter((name) => name.startsWith(keyPrefix))
    .map((name) => name.slice(keyPrefix.length))
    .toSorted();
}

/** Returns the origin of a service that takes a key of the user; says so if there is none. */
async function originWithKey({ demo, service }: KeyServices, baseUrl: string): Promise<string | undefined> {
  if (demo.isAt(baseUrl)) {
    void vscode.window.showInformationMessage(l10n.t("The demo service doesn't need an API key."));
    return undefined;
  }
  const origin = service.originOf(baseUrl);
  if (origin === undefined) {
    await showFailure(describeError({ code: 'no_service', message: '' }));
  }
  return origin;
}

/** Explains why a key can't be sent in a header; undefined if it can. */
export function invalidKey(value: string): string | undefined {
  const key = readPastedKey(value);
  if (key === '') {
    return l10n.t('Enter an API key.');
  }
  if (looksLikeUrl(key)) {
    return l10n.t('This looks like a URL. Enter the API key.');
  }
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : l10n.t("An API key can't contain spaces or special characters.");
}
