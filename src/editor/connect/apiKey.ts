import * as vscode from 'vscode';
import { describeError, offer, showFailure } from '../failures/errorText.ts';
import type { ServiceConnection } from '../paint/serviceConnection.ts';
import { confirmed } from '../questions/confirm.ts';
import type { DemoServiceProcess } from '../window/demoServiceProcess.ts';
import type { KeyStore } from '../window/keyStore.ts';
import { looksLikeUrl, readPastedKey } from './pastedConnection.ts';
import { checkService } from './serviceCheck.ts';

export interface KeyServices {
  service: ServiceConnection;
  keys: KeyStore;
  demo: DemoServiceProcess;
  log: vscode.LogOutputChannel;
}

/**
 * `limner.setApiKey`: asks for the key of a service and stores it for that origin alone, then says whether the service
 * takes it.
 *
 * @param baseUrl the service that is configured, or that of a task
 */
export async function setApiKey(services: KeyServices, baseUrl: string): Promise<void> {
  const origin = await originWithKey(services, baseUrl);
  if (origin === undefined) {
    return;
  }
  const entered = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set API Key'),
    prompt: vscode.l10n.t(
      'API key for {0}. It is stored securely in VS Code and sent to this host only.',
      origin,
    ),
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

/** Says that a key is set, and what the service says of it. */
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
      await vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} is set.', origin));
      break;
    case 'badKey':
      await offer(
        vscode.window.showWarningMessage,
        vscode.l10n.t('The API key for {0} is set, but not accepted: {1}', origin, check.words),
        { title: vscode.l10n.t('Set API Key…'), run: async () => setApiKey(services, baseUrl) },
      );
      break;
    case 'inconclusive':
      await vscode.window.showInformationMessage(
        vscode.l10n.t("The API key for {0} is set. Limner couldn't verify it: {1}", origin, check.words),
      );
  }
}

/** `limner.removeApiKey`: removes the key of a service. */
export async function removeApiKey(services: KeyServices, baseUrl: string): Promise<void> {
  const origin = await originWithKey(services, baseUrl);
  if (
    origin !== undefined &&
    (await confirmed(
      vscode.l10n.t('Remove the API key for {0}?', origin),
      vscode.l10n.t('Remove'),
      vscode.l10n.t('Running tasks of this service pause until you set it again.'),
    ))
  ) {
    await services.keys.remove(origin);
    void vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} is removed.', origin));
  }
}

/** Returns the origin of a service to which a person has a key; says so where there is none. */
async function originWithKey({ demo, service }: KeyServices, baseUrl: string): Promise<string | undefined> {
  if (demo.isAt(baseUrl)) {
    void vscode.window.showInformationMessage(vscode.l10n.t('The demo service needs no API key of yours.'));
    return undefined;
  }
  const origin = service.originOf(baseUrl);
  if (origin === undefined) {
    await showFailure(describeError({ code: 'no_service', message: '' }));
  }
  return origin;
}

/** Returns why a key cannot be sent in a header; undefined when it can. */
export function invalidKey(value: string): string | undefined {
  const key = readPastedKey(value);
  if (key === '') {
    return vscode.l10n.t('Enter an API key.');
  }
  if (looksLikeUrl(key)) {
    return vscode.l10n.t('This looks like a URL. Enter the API key.');
  }
  return /^[\x21-\x7e]+$/.test(key)
    ? undefined
    : vscode.l10n.t("An API key can't contain spaces or special characters.");
}
