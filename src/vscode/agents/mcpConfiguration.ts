import * as vscode from 'vscode';
import * as commands from '../window/commandIds.ts';
import { commandAction } from '../window/errorText.ts';
import type { Models } from '../generate/models.ts';
import { refuse } from '../ask/refusal.ts';
import type { Settings } from '../window/settings.ts';
import { launcherFolder, launcherSettings } from '../window/launcherSettings.ts';
import { confirmRule, limitSettings, ownCallStyle, ownModel } from './agentSettings.ts';
import { serverCommand, writeLauncher } from './launcherFiles.ts';
import { configurationFor, installLink, type McpClient } from './mcpClients.ts';

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
   * @throws LimnerError `no_service` if none is configured, since the key belongs to a service
   */
  async copy(): Promise<void> {
    const { baseUrl } = this.#settings;
    if (baseUrl === '') {
      throw refuse(
        'no_service',
        vscode.l10n.t('Connect to an image service first: the configuration names it.'),
        [commandAction(vscode.l10n.t('Connect to a Service…'), commands.connect)],
      );
    }
    const picked = await vscode.window.showQuickPick(clients(), {
      title: vscode.l10n.t('Copy MCP Configuration'),
      placeHolder: vscode.l10n.t('Which agent will use Limner?'),
    });
    if (!picked) {
      return;
    }
    await this.#write();
    // Electron's path contains its version.
    const node = process.versions['electron'] === undefined ? undefined : process.execPath;
    const server = serverCommand(launcherFolder(this.#context), node, process.platform);
    await vscode.env.clipboard.writeText(configurationFor(picked.client, server, baseUrl));
    const link = installLink(picked.client, server, baseUrl, vscode.env.uriScheme);
    const install = vscode.l10n.t('Install…');
    const chosen = await vscode.window.showInformationMessage(
      vscode.l10n.t(
        'Copied the configuration for {0}, without the API key. Paste it into {1}. {2}',
        picked.label,
        picked.file,
        picked.key,
      ),
      ...(link === undefined ? [] : [install]),
    );
    if (chosen === install && link !== undefined) {
      await vscode.env.openExternal(vscode.Uri.parse(link, true));
    }
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

interface ClientItem extends vscode.QuickPickItem {
  client: McpClient;
  file: string;
  key: string;
}

function clients(): ClientItem[] {
  const variable = vscode.l10n.t('The API key comes from the variable LIMNER_API_KEY of its environment.');
  return [
    { label: 'Claude Code', client: 'claudeCode', file: '.mcp.json', key: variable },
    { label: 'Codex', client: 'codex', file: '~/.codex/config.toml', key: variable },
    { label: 'Cursor', client: 'cursor', file: '~/.cursor/mcp.json', key: variable },
    {
      label: 'VS Code',
      description: vscode.l10n.t('also for its Agents window'),
      client: 'vscode',
      file: 'mcp.json',
      key: vscode.l10n.t('VS Code asks for the API key when the server first starts.'),
    },
  ];
}
