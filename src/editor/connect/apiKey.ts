import * as vscode from 'vscode';
import { describeError, showFailure } from '../failures/errorText.ts';
import type { KeyStore } from '../window/keyStore.ts';
import type { ServiceConnection } from '../paint/serviceConnection.ts';
import { looksLikeUrl, readPastedKey } from './pastedConnection.ts';

/** `limner.setApiKey`: asks for the key of the configured service and stores it for that origin alone. */
export async function setApiKey(service: ServiceConnection, keys: KeyStore): Promise<void> {
  const origin = service.origin();
  if (origin === undefined) {
    await showFailure(describeError({ code: 'no_service', message: '' }));
    return;
  }
  const key = await vscode.window.showInputBox({
    title: vscode.l10n.t('Set API Key'),
    prompt: vscode.l10n.t("API key for {0}. It's kept in Secret Storage and sent to no other host.", origin),
    password: true,
    ignoreFocusOut: true,
    validateInput: invalidKey,
  });
  if (key !== undefined) {
    await keys.set(origin, readPastedKey(key));
    void vscode.window.showInformationMessage(vscode.l10n.t('The API key for {0} is set.', origin));
  }
}

/** `limner.removeApiKey`: removes the key of the configured service. */
export async function removeApiKey(service: ServiceConnection, keys: KeyStore): Promise<void> {
  const origin = service.origin();
  if (origin === undefined) {
    await showFailure(describeError({ code: 'no_service', message: '' }));
    return;
  }
  await keys.remove(origin);
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'The API key for {0} is removed. Running tasks of this service pause until you set it again.',
      origin,
    ),
  );
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
