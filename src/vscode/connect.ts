import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  ask,
  askPick,
  askText,
  backButton,
  type Direction,
  type StepPosition,
  type Reply,
  type Step,
  takeAnswer,
  walk,
} from './generate/inputSteps.ts';
import type { KnownService, KnownServices } from './knownServices.ts';
import { type KeyStore, serviceName } from './window/serviceNames.ts';
import type { ServiceConnection } from './generate/serviceConnection.ts';
import type { Settings } from './window/settings.ts';
import * as commands from './window/commandIds.ts';
import * as settingNames from './window/settingNames.ts';
import { commandAction, offer } from './window/offers.ts';
import { reportFailure } from './ask/refusal.ts';
import { checkService, type ServiceCheck } from './serviceCheck.ts';
import { invalidKey } from './apiKey.ts';
import { askFamily, askModelId, type EnteredModel, modelIdPrompt } from './generate/modelSteps.ts';
import type { Models } from './generate/models.ts';
import { looksLikeKey, readPastedAddress, readPastedKey } from './pastedConnection.ts';
import { isLimnerError } from '../common/limnerError.ts';
import { endpointsOf, isSameService } from '../service/http/endpoints.ts';
import { told } from '../engine/messages/told.ts';

interface Draft {
  address: string;
  baseUrl: string;
  key: string;
  model: EnteredModel;
}

type ServiceItem = vscode.QuickPickItem & { choice: KnownService | 'demo' | 'new' };

type CheckItem = vscode.QuickPickItem & { choice: 'save' | 'again' | 'key' | 'address' };

export interface ConnectServices {
  service: ServiceConnection;
  settings: Settings;
  keys: KeyStore;
  models: Models;
  known: KnownServices;
  log: vscode.LogOutputChannel;
}

/** Connects Limner to a service; used once. */
export class Connecting {
  readonly #services: ConnectServices;
  #draft: Draft;
  #keptKey: string | undefined;
  #isGood = false;
  #skipsCheck = false;
  #known: readonly KnownService[] = [];
  /** The known service that was chosen; undefined for a new one. */
  #chosen: KnownService | undefined;
  #isDemo = false;
  /** Whether the model of the chosen service is known. */
  #hasModel = false;

  constructor(services: ConnectServices) {
    this.#services = services;
    const { model } = services.settings;
    this.#draft = { address: '', baseUrl: '', key: '', model: { id: model, family: 'image' } };
  }

  /**
   * `limner.connect`: lets the user choose a service that is known, or asks for the URL, key, and model of a new one,
   * checks them at no cost, and saves them together.
   */
  async connect(): Promise<void> {
    const { known, log } = this.#services;
    try {
      this.#known = await known.list();
      await walk(() => this.#steps());
      if (this.#isDemo) {
        await vscode.commands.executeCommand(commands.useDemoService);
        return;
      }
      await this.#save(this.#draft);
      void offerNext(this.#draft);
    } catch (error) {
      await reportFailure(log, error);
    }
  }

  /** Returns the questions as far as they are needed. A service that is known is asked only for what it lacks. */
  #steps(): Step[] {
    const list: Step[] =
      this.#known.length === 0 ? [] : [async (place) => this.#askService({ ...place, total: 1 })];
    if (this.#isDemo) {
      return list;
    }
    const address: Step = async (place) => this.#askAddress(shown(place));
    const key: Step = async (place) => this.#askKey(shown(place));
    const check: Step = async (place) => this.#askCheck(shown(place));
    const model: Step[] = [
      async (place) => this.#askModel(shown(place)),
      async (place) => askFamily(this.#draft.model, title(), shown(place)),
    ];
    const steps = [
      ...list,
      ...(this.#chosen ? [] : [address]),
      ...(this.#chosen?.hasKey ? [] : [key, check]),
      ...(this.#hasModel ? [] : model),
    ];
    // The check is mostly invisible and isn't counted.
    const counted = steps.filter((step) => step !== check);
    const shown = ({ step, ...place }: StepPosition): StepPosition => ({
      ...place,
      step: counted.indexOf(steps[step - 1] ?? check) + 1 || step - 1,
      total: counted.length,
    });
    return steps;
  }

  /** Lets the user choose among the services that are known, the demo service, and a new one. */
  async #askService(place: StepPosition): Promise<Direction> {
    const { known, service, settings } = this.#services;
    const isDemoInUse = service.isDemo(settings);
    const items: ServiceItem[] = [
      ...this.#known.map((one) => ({ label: one.name, description: descriptionOf(one), choice: one })),
      {
        label: serviceName('', true),
        description: [
          l10n.t({ message: 'free', comment: ['Costs nothing'] }),
          ...inUseNote(isDemoInUse),
        ].join(' · '),
        choice: 'demo',
      },
      { label: '', kind: vscode.QuickPickItemKind.Separator, choice: 'new' },
      { label: l10n.t('$(add) New Service…'), choice: 'new' },
    ];
    const reply = await askPick({ title: title(), placeholder: l10n.t('Service'), items }, place);
    const choice = reply.kind === 'answer' ? reply.value.choice : 'new';
    this.#chosen = typeof choice === 'object' ? choice : undefined;
    // A key belongs to the service for which it was looked up.
    this.#keptKey = undefined;
    this.#isDemo = choice === 'demo';
    this.#hasModel = this.#isGood = this.#skipsCheck = false;
    if (this.#chosen) {
      const { baseUrl } = this.#chosen;
      if (!(await this.#isAllowed(baseUrl))) {
        return 'again';
      }
      const model = known.lastModel(baseUrl);
      this.#hasModel = model !== undefined;
      this.#draft = { address: baseUrl, baseUrl, key: '', model: { id: model ?? '', family: 'image' } };
    }
    return 'next';
  }

  async #askAddress(place: StepPosition): Promise<Direction> {
    const reply = await askText(
      {
        title: title(),
        prompt: l10n.t('Service URL, or a whole curl command'),
        placeholder: 'https://images.example.com/v1',
        value: this.#draft.address,
        invalid: (text) => invalidAddress(text),
      },
      place,
    );
    if (reply.kind !== 'answer') {
      return 'back';
    }
    const { address, key, model } = readPastedAddress(reply.value);
    this.#draft.address = address;
    const base = baseOf(address);
    if (!(await this.#isAllowed(base))) {
      return 'again';
    }
    if (!isSameService(base, this.#draft.baseUrl)) {
      this.#draft.key = '';
      this.#draft.model.id = this.#services.known.lastModel(base) ?? '';
    }
    this.#draft.key = key ?? this.#draft.key;
    this.#draft.model.id = model ?? this.#draft.model.id;
    this.#draft.baseUrl = base;
    this.#keptKey = await this.#services.keys.get(new URL(base).origin);
    return 'next';
  }

  async #askKey(place: StepPosition): Promise<Direction> {
    const { origin } = new URL(this.#draft.baseUrl);
    const hasKey = this.#keptKey !== undefined;
    const reply = await askText(
      {
        title: title(),
        prompt: l10n.t(
          'API key for {0}. It is stored securely in VS Code and sent to this host only.',
          origin,
        ),
        placeholder: hasKey ? l10n.t('Leave empty to keep the current API key') : '',
        value: this.#draft.key,
        password: true,
        invalid: (text) => (hasKey && text.trim() === '' ? undefined : invalidKey(text)),
      },
      place,
    );
    return takeAnswer(reply, (key) => {
      this.#draft.key = readPastedKey(key);
    });
  }

  async #askCheck(place: StepPosition): Promise<Direction> {
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
        return 'backTwice';
      case 'again':
        return this.#askCheck(place);
      default:
        return 'next';
    }
  }

  async #askModel(place: StepPosition): Promise<Direction> {
    const question = modelIdPrompt();
    const prompt = this.#isGood ? l10n.t('Connected. {0}', question) : question;
    const direction = await askModelId(
      this.#services.models.configured(this.#draft.baseUrl),
      this.#draft.model,
      { title: title(), prompt },
      place,
    );
    // A successful check would lead straight back here.
    this.#skipsCheck = direction === 'back' && this.#isGood;
    return direction;
  }

  /** Whether a URL may be called. Plain HTTP to another machine requires a confirmation. */
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

  /** Offers alternatives during the check. A successful check continues by itself. */
  async #showCheck(place: StepPosition): Promise<Reply<CheckItem['choice'] | 'good'>> {
    const { baseUrl, key } = this.#draft;
    const input = vscode.window.createQuickPick<CheckItem>();
    const closing = new AbortController();
    const saveAnyway: CheckItem = { label: l10n.t('Save Anyway'), choice: 'save' };
    input.buttons = backButton(place);
    input.busy = true;
    input.placeholder = l10n.t('Checking {0}…', new URL(baseUrl).host);
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
          const actions = errorActionsFor(result.kind);
          input.items = [
            ...actions.filter(({ choice }) => choice !== 'address' || !this.#chosen),
            saveAnyway,
          ];
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

  async #save({ baseUrl, key, model }: Draft): Promise<void> {
    const kept = key === '' ? this.#keptKey : key;
    if (kept !== undefined) {
      // Saves the same key again, too: tasks that wait for it continue.
      await this.#services.keys.set(new URL(baseUrl).origin, kept);
    }
    if (!this.#hasModel) {
      await this.#services.models.add(model, baseUrl);
    }
    await this.#services.known.use(baseUrl, model.id);
    this.#services.log.info(`Connected to ${baseUrl} with the model ${model.id}`);
  }
}

function descriptionOf({ hasKey, models, isInUse }: KnownService): string {
  return [
    hasKey ? l10n.t('key set') : l10n.t('no key'),
    models === 1 ? l10n.t('1 model') : l10n.t('{0} models', models),
    ...inUseNote(isInUse),
  ].join(' · ');
}

function inUseNote(isInUse: boolean): string[] {
  return isInUse ? [l10n.t('in use')] : [];
}

function title(): string {
  return l10n.t('Connect to a Service');
}

function outcomeText({ kind }: Exclude<ServiceCheck, { kind: 'good' }>): string {
  return kind === 'badKey'
    ? l10n.t('The service rejected this API key')
    : l10n.t("Couldn't verify the URL and API key");
}

function errorActionsFor(kind: Exclude<ServiceCheck, { kind: 'good' }>['kind']): CheckItem[] {
  const changeKey: CheckItem = { label: l10n.t('Enter Another API Key'), choice: 'key' };
  const changeAddress: CheckItem = { label: l10n.t('Change URL'), choice: 'address' };
  return kind === 'badKey'
    ? [changeKey, changeAddress]
    : [{ label: l10n.t('Check Again'), choice: 'again' }, changeAddress, changeKey];
}

async function offerNext({ baseUrl, model }: Draft): Promise<void> {
  await offer(
    vscode.window.showInformationMessage,
    l10n.t('Limner is connected to {0} and uses the model {1}.', new URL(baseUrl).host, model.id),
    commandAction(l10n.t('Generate Image…'), commands.generate),
    commandAction(l10n.t('Edit Models'), 'workbench.action.openSettings', settingNames.models),
  );
}

/** Returns the full URL, with its scheme and version. */
function baseOf(address: string): string {
  return endpointsOf(address).generations.href.replace(/\/images\/generations$/, '');
}

function invalidAddress(text: string): string | undefined {
  const { address } = readPastedAddress(text);
  if (address === '') {
    return l10n.t('Enter a service URL.');
  }
  if (looksLikeKey(address)) {
    return l10n.t('This looks like an API key. Enter the service URL first.');
  }
  try {
    endpointsOf(address);
    return undefined;
  } catch (error) {
    return isLimnerError(error) ? told(error.message) : String(error);
  }
}
