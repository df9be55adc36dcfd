import * as vscode from 'vscode';
import type { ModelFamily } from '../../service/modelOptions.ts';
import {
  ask,
  askPick,
  askText,
  backButton,
  type Direction,
  type Place,
  type Reply,
  type Step,
  taken,
  walk,
} from '../paint/inputSteps.ts';
import { hasId, type Models } from '../paint/models.ts';
import type { KeyStore } from '../window/keyStore.ts';
import type { ServiceConnection } from '../paint/serviceConnection.ts';
import type { Settings } from '../window/settings.ts';
import { commands, settingNames } from '../names.ts';
import { commandAction, offer } from '../failures/errorText.ts';
import { reportFailure } from '../failures/refusal.ts';
import { checkService, type ServiceCheck } from './serviceCheck.ts';
import { invalidKey } from './apiKey.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { endpointsOf } from '../../service/endpoints.ts';

/** A connection as far as it has been entered. */
interface Draft {
  address: string;
  baseUrl: string;
  key: string;
  modelId: string;
  family: ModelFamily;
}

type CheckItem = vscode.QuickPickItem & { choice: 'save' | 'again' | 'key' | 'address' };

export interface ConnectServices {
  service: ServiceConnection;
  settings: Settings;
  keys: KeyStore;
  models: Models;
  log: vscode.LogOutputChannel;
}

/** Connects Limner to a service; used once. */
export class Connecting {
  readonly #services: ConnectServices;
  readonly #draft: Draft;
  #keptKey: string | undefined;
  #isGood = false;
  #skipsCheck = false;

  constructor(services: ConnectServices) {
    this.#services = services;
    const { baseUrl } = services.settings;
    this.#draft = { address: baseUrl, baseUrl, key: '', modelId: '', family: 'image' };
  }

  /** `limner.connect`: asks for a URL, a key and a model, checks them free of charge, and saves them together. */
  async connect(): Promise<void> {
    try {
      await this.#ask();
      await this.#save(this.#draft);
      void offerNext(this.#draft);
    } catch (error) {
      await reportFailure(this.#services.log, error);
    }
  }

  async #ask(): Promise<void> {
    const steps: Step[] = [
      async (place) => this.#askAddress(place),
      async (place) => this.#askKey(place),
      async (place) => this.#askCheck(place),
      async (place) => this.#askModel(place),
      async (place) => this.#askFamily(place),
    ];
    await walk(() => steps);
  }

  async #askAddress(place: Place): Promise<Direction> {
    const reply = await askText(
      {
        title: title(),
        prompt: vscode.l10n.t('Service URL'),
        placeholder: 'https://images.example.com/v1',
        value: this.#draft.address,
        invalid: (text) => invalidAddress(text),
      },
      place,
    );
    if (reply.kind === 'answer') {
      this.#draft.address = reply.value;
      const base = baseOf(reply.value);
      if (!(await this.#isAllowed(base))) {
        return 'first';
      }
      if (base !== this.#draft.baseUrl) {
        this.#draft.key = '';
      }
      this.#draft.baseUrl = base;
      this.#keptKey = await this.#services.keys.get(new URL(base).origin);
    }
    return 'next';
  }

  async #askKey(place: Place): Promise<Direction> {
    const { origin } = new URL(this.#draft.baseUrl);
    const hasKey = this.#keptKey !== undefined;
    const reply = await askText(
      {
        title: title(),
        prompt: vscode.l10n.t(
          "API key for {0}. It's kept in Secret Storage and sent to no other host.",
          origin,
        ),
        placeholder: hasKey ? vscode.l10n.t('Leave empty to keep the current API key') : '',
        value: this.#draft.key,
        password: true,
        invalid: (text) => (hasKey && text.trim() === '' ? undefined : invalidKey(text)),
      },
      place,
    );
    return taken(reply, (key) => {
      this.#draft.key = key.trim();
    });
  }

  async #askCheck(place: Place): Promise<Direction> {
    if (this.#skipsCheck) {
      this.#skipsCheck = false;
      return 'back';
    }
    const reply = await this.#showCheck(place);
    if (reply.kind !== 'answer') {
      return 'back';
    }
    this.#isGood = reply.value === 'good';
    switch (reply.value) {
      case 'key':
        return 'back';
      case 'address':
        return 'first';
      case 'again':
        return this.#askCheck(place);
      default:
        return 'next';
    }
  }

  async #askModel(place: Place): Promise<Direction> {
    const question = vscode.l10n.t('Model ID, as used by the service');
    const reply = await askText(
      {
        title: title(),
        prompt: this.#isGood ? vscode.l10n.t('The URL and the API key work. {0}', question) : question,
        placeholder: 'my-image-model',
        value:
          this.#draft.modelId === '' && this.#draft.baseUrl === this.#services.settings.baseUrl
            ? this.#services.settings.model
            : this.#draft.modelId,
        invalid: (text) => (text.trim() === '' ? vscode.l10n.t('Enter a model ID.') : undefined),
      },
      place,
    );
    if (reply.kind === 'back') {
      // A successful check would lead straight back here.
      this.#skipsCheck = this.#isGood;
      return 'back';
    }
    this.#draft.modelId = reply.value.trim();
    this.#draft.family =
      this.#services.models.configured().find(({ id }) => id === this.#draft.modelId)?.family ??
      this.#draft.family;
    return 'next';
  }

  async #askFamily(place: Place): Promise<Direction> {
    const items: (vscode.QuickPickItem & { family: ModelFamily })[] = [
      {
        label: vscode.l10n.t('Image Endpoints'),
        detail: vscode.l10n.t('Most models. Size and quality apply.'),
        family: 'image',
      },
      {
        label: vscode.l10n.t('Native Calls'),
        detail: vscode.l10n.t("The service's second model family. Size and quality don't apply."),
        family: 'native',
      },
    ];
    const reply = await askPick(
      {
        title: title(),
        placeholder: vscode.l10n.t('Model family of {0}', this.#draft.modelId),
        items,
        active: items.find(({ family }) => family === this.#draft.family),
      },
      place,
    );
    return taken(reply, ({ family }) => {
      this.#draft.family = family;
    });
  }

  /** Whether a URL may be called: plain http to another machine only after a confirmation. */
  async #isAllowed(baseUrl: string): Promise<boolean> {
    try {
      await this.#services.service.allowPlainHttp(new URL(baseUrl));
      return true;
    } catch (error) {
      if (error instanceof vscode.CancellationError) {
        return false;
      }
      throw error;
    }
  }

  /** Checks while it shows what can be done meanwhile; a successful check proceeds by itself. */
  async #showCheck(place: Place): Promise<Reply<CheckItem['choice'] | 'good'>> {
    const { baseUrl, key } = this.#draft;
    const input = vscode.window.createQuickPick<CheckItem>();
    const closing = new AbortController();
    const saveAnyway: CheckItem = { label: vscode.l10n.t('Save Anyway'), choice: 'save' };
    input.buttons = backButton(place);
    input.busy = true;
    input.placeholder = vscode.l10n.t('Checking {0}…', new URL(baseUrl).host);
    input.items = [saveAnyway];
    try {
      return await ask<CheckItem['choice'] | 'good'>(input, title(), place, (reply) => {
        const check = async (): Promise<void> => {
          const result = await checkService(
            {
              baseUrl,
              apiKey: key || (this.#keptKey ?? ''),
              plainHttpOrigins: this.#services.service.plainHttpOrigins,
            },
            this.#services.log,
            closing.signal,
          );
          if (closing.signal.aborted) {
            return;
          }
          if (result.kind === 'good') {
            reply({ kind: 'answer', value: 'good' });
            return;
          }
          input.busy = false;
          input.placeholder = outcomeText(result);
          input.items = [...errorActionsFor(result), saveAnyway];
        };
        void check();
        return [
          input.onDidAccept(() => {
            const [item] = input.activeItems;
            if (item) {
              reply({ kind: 'answer', value: item.choice });
            }
          }),
          input.onDidTriggerButton(() => reply({ kind: 'back' })),
        ];
      });
    } finally {
      closing.abort();
    }
  }

  /** Saves the URL last, since its change makes the others take effect. */
  async #save({ baseUrl, key, modelId, family }: Draft): Promise<void> {
    if (key !== '') {
      await this.#services.keys.set(new URL(baseUrl).origin, key);
    }
    const before = this.#services.settings.models.find((entry) => hasId(entry, modelId));
    const others = this.#services.settings.models.filter((entry) => !hasId(entry, modelId));
    await this.#services.settings.update(settingNames.models, [
      { ...before, id: modelId, family },
      ...others,
    ]);
    await this.#services.settings.update(settingNames.model, modelId);
    await this.#services.settings.update(settingNames.baseUrl, baseUrl);
    this.#services.log.info(`Connected to ${baseUrl} with the model ${modelId}`);
  }
}

function title(): string {
  return vscode.l10n.t('Connect to a Service');
}

function outcomeText({ kind }: Exclude<ServiceCheck, { kind: 'good' }>): string {
  return kind === 'badKey'
    ? vscode.l10n.t('The service rejected this API key')
    : vscode.l10n.t("Couldn't verify the URL and the API key");
}

/** Returns the choices after a check that failed, with the response under the first one. */
function errorActionsFor({ kind, words }: Exclude<ServiceCheck, { kind: 'good' }>): CheckItem[] {
  const changeKey: CheckItem = { label: vscode.l10n.t('Enter Another API Key'), choice: 'key' };
  const changeAddress: CheckItem = { label: vscode.l10n.t('Change URL'), choice: 'address' };
  return kind === 'badKey'
    ? [{ ...changeKey, detail: words }, changeAddress]
    : [{ label: vscode.l10n.t('Check Again'), detail: words, choice: 'again' }, changeAddress, changeKey];
}

async function offerNext({ baseUrl, modelId }: Draft): Promise<void> {
  await offer(
    vscode.window.showInformationMessage,
    vscode.l10n.t('Limner is connected to {0} and uses the model {1}.', new URL(baseUrl).host, modelId),
    commandAction(vscode.l10n.t('Generate Image…'), commands.generate),
    commandAction(vscode.l10n.t('Edit Models'), 'workbench.action.openSettings', settingNames.models),
  );
}

/** Returns the URL in full: with its scheme, and ending in the version. */
function baseOf(address: string): string {
  return endpointsOf(address).generations.href.replace(/\/images\/generations$/, '');
}

function invalidAddress(text: string): string | undefined {
  if (text.trim() === '') {
    return vscode.l10n.t('Enter a service URL.');
  }
  try {
    endpointsOf(text);
    return undefined;
  } catch (error) {
    return isLimnerError(error) ? error.message : String(error);
  }
}
