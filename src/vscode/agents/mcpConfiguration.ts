import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Client, clients, entryOf, type Places } from '../../agents/clients/clients.ts';
import {
  type Change,
  changedLines,
  configurationOf,
  keyFileOf,
  makeChange,
  planServer,
} from '../../agents/clients/install.ts';
import { type ServerCommand, serverCommand } from '../../agents/clients/serverCommand.ts';
import { choice, requireConfirmation } from '../ask/confirm.ts';
import * as commands from '../window/commandIds.ts';
import { commandAction } from '../window/offers.ts';
import type { Models } from '../generate/models.ts';
import { refuse } from '../ask/refusal.ts';
import type { Settings } from '../window/settings.ts';
import { launcherFolder, launcherSettings } from '../window/launcherSettings.ts';
import { confirmRule, limitSettings, ownCallStyle, ownModel } from './agentSettings.ts';
import { writeLauncher } from './launcherFiles.ts';

type Context = Pick<vscode.ExtensionContext, 'extensionUri' | 'globalStorageUri'>;

/** `limner.copyMcpConfiguration`: copies the configuration that other programs need to start the MCP server. */
export class McpConfiguration {
  readonly #context: Context;
  readonly #settings: Settings;
  readonly #models: Models;
  readonly #log: vscode.LogOutputChannel;
  /** Writes run one at a time, or older settings could be written last. */
  #written: Promise<void> = Promise.resolve();

  constructor(context: Context, settings: Settings, models: Models, log: vscode.LogOutputChannel) {
    this.#context = context;
    this.#settings = settings;
    this.#models = models;
    this.#log = log;
  }

  /**
   * Writes the launcher, and copies the configuration for the client that the user picks.
   *
   * @throws LimnerError `no_service` if none is configured, since the key belongs to a service; what `planServer` throws
   */
  async copy(): Promise<void> {
    const { baseUrl } = this.#settings;
    if (baseUrl === '') {
      throw refuse('no_service', l10n.t('Connect to an image service first: the configuration names it.'), [
        commandAction(l10n.t('Connect to a Service…'), commands.connect),
      ]);
    }
    const picked = await vscode.window.showQuickPick(items(), {
      title: l10n.t('Copy the configuration for…'),
      placeHolder: l10n.t('Which agent will use Limner?'),
    });
    if (!picked) {
      return;
    }
    const { client } = picked;
    const confirm = await this.#confirmFor(client);
    await this.#write();
    // Electron's path contains its version.
    const node = process.versions['electron'] === undefined ? undefined : process.execPath;
    const command = serverCommand(launcherFolder(this.#context), node, process.platform);
    const env = { ...command.env, LIMNER_BASE_URL: baseUrl, ...confirm };
    const places = ownPlaces();
    const server = { ...command, env };
    await vscode.env.clipboard.writeText(await configurationOf(client, server, places));
    const install = l10n.t('Install…');
    const chosen = await vscode.window.showInformationMessage(
      l10n.t('Copied the configuration for {0}. {1}', client.label, keyNote(client, places)),
      install,
    );
    if (chosen === install && client.label === clients.vscode.label) {
      await vscode.env.openExternal(vscode.Uri.parse(installLink(client, server), true));
    } else if (chosen === install) {
      await offer(await planServer(client, server, places));
    }
  }

  /**
   * Returns when Limner asks, for a client that can't show its question; nothing where that needs no saying.
   *
   * @throws vscode.CancellationError if the user dismisses the question
   */
  async #confirmFor({ label, asks }: Client): Promise<Record<string, string>> {
    const { when, above } = confirmRule(this.#settings);
    if (asks || (when === 'above' && above > 0)) {
      return {};
    }
    const allow = l10n.t('Allow');
    const chosen = await choice(
      l10n.t("{0} can't show Limner's question before each image. May it approve calls itself?", label),
      [allow, l10n.t('Refuse Images')],
      l10n.t(
        'The limits and the budget of agents still hold, and calls for more than {0} images are refused.',
        limitAbove(above),
      ),
    );
    if (chosen === undefined) {
      throw new vscode.CancellationError();
    }
    return chosen === allow
      ? { LIMNER_AGENTS_CONFIRM: 'above', LIMNER_AGENTS_CONFIRM_ABOVE: String(limitAbove(above)) }
      : {};
  }

  async refresh(): Promise<void> {
    try {
      await this.#write();
    } catch (error) {
      this.#log.warn(`The launcher of the MCP server is not up to date: ${String(error)}`);
    }
  }

  async #write(): Promise<void> {
    const written = this.#written.catch(() => undefined).then(async () => this.#writeNow());
    this.#written = written;
    await written;
  }

  async #writeNow(): Promise<void> {
    await writeLauncher({
      folder: launcherFolder(this.#context),
      extension: this.#context.extensionUri.fsPath,
      node: process.execPath,
      settings: launcherSettings(this.#context),
      environment: this.#environment(),
    });
  }

  #environment(): Record<string, string> {
    const { baseUrl } = this.#settings;
    const { when, above } = confirmRule(this.#settings);
    const { session, day } = limitSettings();
    const configured = this.#models.configured();
    const model = this.#models.implied(configured, undefined, ownModel())?.id;
    const { resultHosts, budget } = this.#settings.engine([]);
    return {
      LIMNER_HOME: this.#context.globalStorageUri.fsPath,
      ...(baseUrl !== '' && { LIMNER_BASE_URL: baseUrl }),
      ...(model !== undefined && { LIMNER_MODEL: model }),
      LIMNER_MODELS: JSON.stringify(configured),
      LIMNER_CALL_STYLE: ownCallStyle(),
      ...(resultHosts.length > 0 && { LIMNER_RESULT_HOSTS: resultHosts.join(',') }),
      LIMNER_BUDGET: JSON.stringify(budget),
      LIMNER_AGENTS_CONFIRM: when,
      LIMNER_AGENTS_CONFIRM_ABOVE: String(above),
      LIMNER_AGENTS_SESSION_LIMIT: String(session),
      LIMNER_AGENTS_DAILY_LIMIT: String(day),
    };
  }
}

/** With 0, each call would need the question again. */
const limitAbove = (above: number): number => Math.max(above, 1);

/** Shows what becomes of a client's file, and writes it if the user agrees. */
async function offer(change: Change): Promise<void> {
  const { path, before, after } = change;
  const open = l10n.t('Open File');
  const show = async (message: string): Promise<void> => {
    if ((await vscode.window.showInformationMessage(message, open)) === open) {
      await vscode.window.showTextDocument(vscode.Uri.file(path));
    }
  };
  if (before === after) {
    await show(l10n.t('{0} has it already.', path));
    return;
  }
  const question = before === undefined ? l10n.t('Create {0}?', path) : l10n.t('Change {0}?', path);
  await requireConfirmation(question, l10n.t('Write'), changedLines(change).join('\n'));
  await makeChange(change);
  await show(l10n.t('Wrote {0}.', path));
}

/** Returns the link that has VS Code install a server: it shows what it would do, for all folders. */
function installLink(client: Client, server: ServerCommand): string {
  const config = { name: 'limner', ...entryOf(client, server, ''), inputs: client.inputs };
  return `${vscode.env.uriScheme}:mcp/install?${encodeURIComponent(JSON.stringify(config))}`;
}

function ownPlaces(): Places {
  return {
    home: homedir(),
    project: vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === 'file')?.uri.fsPath,
    env: process.env,
  };
}

/** Says where the client gets the API key, which the configuration doesn't contain. */
function keyNote({ label, key }: Client, places: Places): string {
  if (key === 'file') {
    return l10n.t('Put the API key into the file {0}.', keyFileOf(places));
  }
  return label === clients.vscode.label
    ? l10n.t('VS Code asks for the API key when the server first starts.')
    : l10n.t('The API key comes from the variable LIMNER_API_KEY of its environment.');
}

function items(): (vscode.QuickPickItem & { client: Client })[] {
  return Object.values<Client>(clients).map((client) => ({
    client,
    label: client.label,
    description: client.label === clients.vscode.label ? l10n.t('also for its Agents window') : '',
  }));
}
