// Room: sets up a service.
// Never: painting.

import * as vscode from 'vscode';
import {
  ask,
  askText,
  backButton,
  type Direction,
  type Place,
  type Reply,
  type Step,
  taken,
  walk,
} from '../paint/inputSteps.ts';
import type { KeyStore } from '../window/keyStore.ts';
import type { ServiceConnection } from '../paint/serviceConnection.ts';
import type { Settings } from '../window/settings.ts';
import * as commands from '../commandIds.ts';
import { settingNames } from '../names.ts';
import { commandAction, offer } from '../failures/errorText.ts';
import { reportFailure } from '../questions/refusal.ts';
import { checkService, type ServiceCheck } from './serviceCheck.ts';
import { invalidKey } from './apiKey.ts';
import { askFamily, askModelId, type EnteredModel, modelIdPrompt } from '../paint/modelSteps.ts';
import type { Models } from '../paint/models.ts';
import { looksLikeKey, readPastedAddress, readPastedKey } from './pastedConnection.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { endpointsOf, isSameService } from '../../service/endpoints.ts';

/** A connection as far as it has been entered. */
interface Draft {
  address: string;
  baseUrl: string;
  key: string;
  model: EnteredModel;
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
    const { settings, service } = services;
    // Nobody connects to the demo service: the URL of another one is asked for.
    const baseUrl = service.isDemo(settings) ? '' : settings.baseUrl;
    this.#draft = { address: baseUrl, baseUrl, key: '', model: { id: settings.model, family: 'image' } };
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
      async (place) => this.#askAddress(shown(place)),
      async (place) => this.#askKey(shown(place)),
      async (place) => this.#askCheck(shown(place)),
      async (place) => this.#askModel(shown(place)),
      async (place) => askFamily(this.#draft.model, title(), shown(place)),
    ];
    await walk(() => steps);
  }

  async #askAddress(place: Place): Promise<Direction> {
    const reply = await askText(
      {
        title: title(),
        prompt: vscode.l10n.t('Service URL, or a whole curl command'),
        placeholder: 'https://images.example.com/v1',
        value: this.#draft.address,
        invalid: (text) => invalidAddress(text),
      },
      place,
    );
    if (reply.kind === 'answer') {
      const { address, key, model } = readPastedAddress(reply.value);
      this.#draft.address = address;
      const base = baseOf(address);
      if (!(await this.#isAllowed(base))) {
        return 'first';
      }
      if (!isSameService(base, this.#draft.baseUrl)) {
        this.#draft.key = '';
        this.#draft.model.id = '';
      }
      this.#draft.key = key ?? this.#draft.key;
      this.#draft.model.id = model ?? this.#draft.model.id;
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
          'API key for {0}. It is stored securely in VS Code and sent to this host only.',
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
      this.#draft.key = readPastedKey(key);
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
    const question = modelIdPrompt();
    const prompt = this.#isGood ? vscode.l10n.t('Connected. {0}', question) : question;
    const direction = await askModelId(
      this.#services.models,
      this.#draft.model,
      { title: title(), prompt },
      place,
    );
    // A good check would lead straight back here.
    this.#skipsCheck = direction === 'back' && this.#isGood;
    return direction;
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
      return await ask<Reply<CheckItem['choice'] | 'good'>>(input, title(), place, (reply) => {
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
          input.prompt = result.words;
          input.items = [...errorActionsFor(result.kind), saveAnyway];
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

  /** The address last: with it, all that it needs is in its place. */
  async #save({ baseUrl, key, model }: Draft): Promise<void> {
    const kept = key === '' ? this.#keptKey : key;
    if (kept !== undefined) {
      // Also the same one again: tasks that wait for their key go on.
      await this.#services.keys.set(new URL(baseUrl).origin, kept);
    }
    await this.#services.models.add(model, baseUrl);
    await this.#services.settings.update(settingNames.baseUrl, baseUrl);
    this.#services.log.info(`Connected to ${baseUrl} with the model ${model.id}`);
  }
}

/** Returns the place to show for a question. The check mostly passes unseen and isn't counted. */
function shown({ step, total, ...place }: Place): Place {
  return { ...place, step: step < 3 ? step : step - 1, total: total - 1 };
}

function title(): string {
  return vscode.l10n.t('Connect to a Service');
}

function outcomeText({ kind }: Exclude<ServiceCheck, { kind: 'good' }>): string {
  return kind === 'badKey'
    ? vscode.l10n.t('The service rejected this API key')
    : vscode.l10n.t("Couldn't verify the URL and API key");
}

function errorActionsFor(kind: Exclude<ServiceCheck, { kind: 'good' }>['kind']): CheckItem[] {
  const changeKey: CheckItem = { label: vscode.l10n.t('Enter Another API Key'), choice: 'key' };
  const changeAddress: CheckItem = { label: vscode.l10n.t('Change URL'), choice: 'address' };
  return kind === 'badKey'
    ? [changeKey, changeAddress]
    : [{ label: vscode.l10n.t('Check Again'), choice: 'again' }, changeAddress, changeKey];
}

async function offerNext({ baseUrl, model }: Draft): Promise<void> {
  await offer(
    vscode.window.showInformationMessage,
    vscode.l10n.t('Limner is connected to {0} and uses the model {1}.', new URL(baseUrl).host, model.id),
    commandAction(vscode.l10n.t('Generate Image…'), commands.generate),
    commandAction(vscode.l10n.t('Edit Models'), 'workbench.action.openSettings', settingNames.models),
  );
}

/** Returns the URL in full: with its scheme, and ending in the version. */
function baseOf(address: string): string {
  return endpointsOf(address).generations.href.replace(/\/images\/generations$/, '');
}

function invalidAddress(text: string): string | undefined {
  const { address } = readPastedAddress(text);
  if (address === '') {
    return vscode.l10n.t('Enter a service URL.');
  }
  if (looksLikeKey(address)) {
    return vscode.l10n.t('This looks like an API key. Enter the service URL first.');
  }
  try {
    endpointsOf(address);
    return undefined;
  } catch (error) {
    return isLimnerError(error) ? error.message : String(error);
  }
}
