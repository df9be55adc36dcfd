import * as vscode from 'vscode';
import type { ModelFamily } from '../../service/messages.ts';
import {
  ask,
  askPick,
  askText,
  backButton,
  type Direction,
  type Place,
  type Reply,
  walk,
} from '../paint/inputSteps.ts';
import type { Limner } from '../limner.ts';
import { configuredModels } from '../paint/models.ts';
import { commands, settingNames } from '../names.ts';
import { reportFailure } from '../failures/refusal.ts';
import { checkService, type ServiceCheck } from './serviceCheck.ts';
import { invalidKey } from './apiKey.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import { endpointsOf } from '../../service/endpoints.ts';

/** What a connection consists of, as far as it has been entered. */
interface Draft {
  address: string;
  baseUrl: string;
  key: string;
  modelId: string;
  family: ModelFamily;
}

type CheckItem = vscode.QuickPickItem & { choice: 'save' | 'again' | 'key' | 'address' };

/** `limner.connect`: address, key, a check that costs nothing, and a model; written once all of it is there. */
export async function connect(limner: Limner): Promise<void> {
  try {
    const draft = await askForConnection(limner);
    await save(limner, draft);
    void offerNext(draft);
  } catch (error) {
    await reportFailure(limner.log, error);
  }
}

async function askForConnection(limner: Limner): Promise<Draft> {
  const models = await configuredModels(limner.settings, limner.log);
  const { baseUrl, model } = limner.settings;
  const title = vscode.l10n.t('Connect to a Service');
  const draft: Draft = { address: baseUrl, baseUrl, key: '', modelId: '', family: 'image' };
  let keptKey: string | undefined;
  let isGood = false;
  let skipsCheck = false;
  const steps = [askAddress, askKey, askCheck, askModel, askFamily];
  await walk(() => steps);
  return draft;

  async function askAddress(place: Place): Promise<Direction> {
    const reply = await askText(
      {
        title,
        prompt: vscode.l10n.t('Address of the service'),
        placeholder: 'https://images.example.com/v1',
        value: draft.address,
        invalid: (text) => invalidAddress(text),
      },
      place,
    );
    if (reply.kind === 'answer') {
      draft.address = reply.value;
      const base = baseOf(reply.value);
      if (!(await isAllowed(limner, base))) {
        return 'first';
      }
      if (base !== draft.baseUrl) {
        draft.key = '';
      }
      draft.baseUrl = base;
      keptKey = await limner.keys.get(new URL(base).origin);
    }
    return 'next';
  }

  async function askKey(place: Place): Promise<Direction> {
    const { origin } = new URL(draft.baseUrl);
    const hasKey = keptKey !== undefined;
    const reply = await askText(
      {
        title,
        prompt: vscode.l10n.t(
          'API key for {0}. It is kept in the secret storage and sent to no other host.',
          origin,
        ),
        placeholder: hasKey ? vscode.l10n.t('Leave it empty to keep the key that is set') : '',
        value: draft.key,
        password: true,
        invalid: (text) => (hasKey && text.trim() === '' ? undefined : invalidKey(text)),
      },
      place,
    );
    if (reply.kind === 'answer') {
      draft.key = reply.value.trim();
    }
    return directionOf(reply);
  }

  async function askCheck(place: Place): Promise<Direction> {
    if (skipsCheck) {
      skipsCheck = false;
      return 'back';
    }
    const reply = await showCheck(limner, draft.baseUrl, draft.key || (keptKey ?? ''), title, place);
    if (reply.kind !== 'answer') {
      return 'back';
    }
    isGood = reply.value === 'good';
    switch (reply.value) {
      case 'key':
        return 'back';
      case 'address':
        return 'first';
      case 'again':
        return askCheck(place);
      default:
        return 'next';
    }
  }

  async function askModel(place: Place): Promise<Direction> {
    const question = vscode.l10n.t('Id of a model, as the service knows it');
    const reply = await askText(
      {
        title,
        prompt: isGood ? vscode.l10n.t('The address and the key are good. {0}', question) : question,
        placeholder: 'my-image-model',
        value: draft.modelId === '' && draft.baseUrl === baseUrl ? model : draft.modelId,
        invalid: (text) => (text.trim() === '' ? vscode.l10n.t('A model is needed.') : undefined),
      },
      place,
    );
    if (reply.kind === 'back') {
      // A good check would lead straight back here.
      skipsCheck = isGood;
      return 'back';
    }
    draft.modelId = reply.value.trim();
    draft.family = models.find(({ id }) => id === draft.modelId)?.family ?? draft.family;
    return 'next';
  }

  async function askFamily(place: Place): Promise<Direction> {
    const items: (vscode.QuickPickItem & { family: ModelFamily })[] = [
      {
        label: vscode.l10n.t('Image Endpoints'),
        detail: vscode.l10n.t('Takes a size and a quality. Most models.'),
        family: 'image',
      },
      {
        label: vscode.l10n.t('Native Calls'),
        detail: vscode.l10n.t('The second model family of the service: size and quality are not applied.'),
        family: 'native',
      },
    ];
    const reply = await askPick(
      {
        title,
        placeholder: vscode.l10n.t('Family of {0}', draft.modelId),
        items,
        active: items.find(({ family }) => family === draft.family),
      },
      place,
    );
    if (reply.kind === 'answer') {
      draft.family = reply.value.family;
    }
    return directionOf(reply);
  }
}

/** Whether an address may be called: plain http to another machine only once that was confirmed. */
async function isAllowed({ service }: Limner, baseUrl: string): Promise<boolean> {
  try {
    await service.allowPlainHttp(new URL(baseUrl));
    return true;
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return false;
    }
    throw error;
  }
}

/** Checks while it shows what can be done meanwhile; a good answer goes on by itself. */
async function showCheck(
  limner: Limner,
  baseUrl: string,
  key: string,
  title: string,
  place: Place,
): Promise<Reply<CheckItem['choice'] | 'good'>> {
  const input = vscode.window.createQuickPick<CheckItem>();
  const closing = new AbortController();
  const saveAnyway: CheckItem = { label: vscode.l10n.t('Save Anyway'), choice: 'save' };
  input.buttons = backButton(place);
  input.busy = true;
  input.placeholder = vscode.l10n.t('Checking {0} …', new URL(baseUrl).host);
  input.items = [saveAnyway];
  try {
    return await ask<CheckItem['choice'] | 'good'>(input, title, place, (reply) => {
      const check = async (): Promise<void> => {
        const result = await checkService(limner, baseUrl, key, closing.signal);
        if (closing.signal.aborted) {
          return;
        }
        if (result.kind === 'good') {
          reply({ kind: 'answer', value: 'good' });
          return;
        }
        input.busy = false;
        input.placeholder = outcomeText(result);
        input.items = [...remediesFor(result), saveAnyway];
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

function outcomeText({ kind }: Exclude<ServiceCheck, { kind: 'good' }>): string {
  return kind === 'badKey'
    ? vscode.l10n.t('The service does not accept this key')
    : vscode.l10n.t('It is not certain that address and key are good');
}

/** What can be done, with what came back under the first of it. */
function remediesFor({ kind, words }: Exclude<ServiceCheck, { kind: 'good' }>): CheckItem[] {
  const changeKey: CheckItem = { label: vscode.l10n.t('Enter Another Key'), choice: 'key' };
  const changeAddress: CheckItem = { label: vscode.l10n.t('Change the Address'), choice: 'address' };
  return kind === 'badKey'
    ? [{ ...changeKey, detail: words }, changeAddress]
    : [{ label: vscode.l10n.t('Check Again'), detail: words, choice: 'again' }, changeAddress, changeKey];
}

/** The address last: with it, all that it needs is in its place. */
async function save(
  { keys, settings, log }: Limner,
  { baseUrl, key, modelId, family }: Draft,
): Promise<void> {
  if (key !== '') {
    await keys.set(new URL(baseUrl).origin, key);
  }
  const isThis = (entry: unknown): entry is object =>
    typeof entry === 'object' && entry !== null && 'id' in entry && entry.id === modelId;
  const before = settings.models.find(isThis);
  const others = settings.models.filter((entry) => !isThis(entry));
  await settings.update(settingNames.models, [{ ...before, id: modelId, family }, ...others]);
  await settings.update(settingNames.model, modelId);
  await settings.update(settingNames.baseUrl, baseUrl);
  log.info(`Connected to ${baseUrl} with the model ${modelId}`);
}

async function offerNext({ baseUrl, modelId }: Draft): Promise<void> {
  const generate = vscode.l10n.t('Generate Image…');
  const editModels = vscode.l10n.t('Edit Models');
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Limner is connected to {0} and uses the model {1}.', new URL(baseUrl).host, modelId),
    generate,
    editModels,
  );
  if (chosen === generate) {
    await vscode.commands.executeCommand(commands.generate);
  } else if (chosen === editModels) {
    await vscode.commands.executeCommand('workbench.action.openSettings', settingNames.models);
  }
}

/** The address as it is written down: with its scheme, and ending in the version. */
function baseOf(address: string): string {
  return endpointsOf(address).generations.href.replace(/\/images\/generations$/, '');
}

function invalidAddress(text: string): string | undefined {
  if (text.trim() === '') {
    return vscode.l10n.t('An address is needed.');
  }
  try {
    endpointsOf(text);
    return undefined;
  } catch (error) {
    return isLimnerError(error) ? error.message : String(error);
  }
}

function directionOf({ kind }: Reply<unknown>): Direction {
  return kind === 'answer' ? 'next' : 'back';
}
