import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import * as l10n from '@vscode/l10n';
import * as english from '../../common/english.ts';
import {
  type Change,
  changedLines,
  configurationOf,
  keyFileOf,
  makeChange,
  planServer,
  planSkill,
} from '../../agents/clients/install.ts';
import { type ServerCommand, serverCommand } from '../../agents/clients/serverCommand.ts';
import { type Client, type ClientName, clients, type Places } from '../../agents/clients/clients.ts';
import type { ConfirmRule } from '../../agents/tools/agreement.ts';
import { LimnerError } from '../../common/limnerError.ts';
import { endpointsOf } from '../../service/http/endpoints.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { printable } from '../output/terminalText.ts';
import { settingsIn } from '../setup/environment.ts';
import { wholePath } from '../setup/wholePath.ts';

export interface InstallOptions {
  /** Writes without a question. */
  yes?: true;
}

export interface ConfigOptions extends InstallOptions {
  confirm?: ConfirmRule['when'];
  /** Writes into the client's file instead of printing. */
  install?: true;
}

/**
 * `limner mcp --config`: prints what a client needs to start the server, or writes it into the client's file.
 *
 * @returns the exit code
 * @throws LimnerError `no_service` if no service is set, or what `planServer` throws
 */
export async function configure(
  name: ClientName,
  { confirm, install, yes }: ConfigOptions,
  output: Output,
): Promise<number> {
  const client: Client = clients[name];
  const server = ownServer(confirm);
  const places = ownPlaces();
  let code: number = exitCodes.ok;
  if (install) {
    code = await offer(await planServer(client, server, places), yes, output);
  } else {
    output.result((await configurationOf(client, server, places)).trimEnd());
    const { path } = await planServer(client, server, places).catch(() => ({ path: undefined }));
    output.say(
      path === undefined
        ? l10n.t('It goes into the file of {0}.', client.label)
        : l10n.t('It goes into {0}.', printable(path)),
    );
  }
  for (const remark of remarksOn(client, server, places)) {
    output.say(printable(remark));
  }
  return code;
}

/** `limner skill`: returns the page for agents, which ships beside the bundles. */
export async function skillPage(): Promise<string> {
  const page = 'skills/limner-images/SKILL.md';
  const shipped = new URL(`../${page}`, import.meta.url);
  const file = existsSync(shipped) ? shipped : new URL(`../../../${page}`, import.meta.url);
  return readFile(file, 'utf8');
}

/** `limner skill --install`: writes the skill into the client's folder. @returns the exit code */
export async function installSkill(
  name: ClientName,
  { yes }: InstallOptions,
  output: Output,
): Promise<number> {
  return offer(await planSkill(clients[name], await skillPage(), ownPlaces()), yes, output);
}

/** Shows a change, and makes it if the user agrees. */
async function offer(change: Change, isAgreed: true | undefined, output: Output): Promise<number> {
  const path = printable(change.path);
  if (change.before === change.after) {
    output.say(l10n.t('{0} has it already.', path));
    return exitCodes.ok;
  }
  output.say(change.before === undefined ? l10n.t('{0} (new)', path) : path);
  for (const line of changedLines(change)) {
    output.say(line);
  }
  const canAsk = process.stdin.isTTY && process.stderr.isTTY;
  if (!isAgreed && !canAsk) {
    output.say(l10n.t('Nothing was written: there is no terminal to ask on. Add {0} to write it.', '--yes'));
    return exitCodes.failed;
  }
  if (!isAgreed && !(await asks(`${l10n.t('Write it? {0}', '[y/N]')} `))) {
    output.say(l10n.t('Nothing was written.'));
    return exitCodes.ok;
  }
  await makeChange(change);
  output.say(l10n.t('Wrote {0}.', path));
  return exitCodes.ok;
}

async function asks(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // The end of the input, as by Ctrl+D or Ctrl+C, is no answer.
    const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
    return /^y(?:es)?$/iu.test((await Promise.race([lines.question(question), ended])).trim());
  } finally {
    lines.close();
  }
}

/** Says what else the user has to do. */
function remarksOn(client: Client, { env }: ServerCommand, places: Places): string[] {
  const { label, asks: canAsk } = client;
  const asksNobody = l10n.t(
    "{0} can't show Limner's question before an image, so Limner refuses to make any. Add {1} to leave the approval of calls to {0}.",
    label,
    '--confirm above',
  );
  return [
    keyText(client, places),
    ...(canAsk || env['LIMNER_AGENTS_CONFIRM'] === 'above' ? [] : [asksNobody]),
  ];
}

/** Says where a client has the API key from. */
function keyText({ label, key }: Client, places: Places): string {
  if (key === 'file') {
    return l10n.t(
      '{0} expands no variables: put the API key into the file {1}, which only you should be able to read.',
      label,
      keyFileOf(places),
    );
  }
  return label === clients.vscode.label
    ? l10n.t('The API key is not in it. {0} asks for it.', label)
    : l10n.t(
        'The API key is not in it. {0} takes it from the variable {1} of its environment.',
        label,
        'LIMNER_API_KEY',
      );
}

/** How this program is started, with the settings of its environment. @throws LimnerError `no_service` */
function ownServer(confirm: ConfirmRule['when'] | undefined): ServerCommand {
  const settings = settingsIn(process.env);
  const baseUrl = settings['LIMNER_BASE_URL'];
  if (baseUrl === undefined) {
    throw new LimnerError(
      'no_service',
      english.t('{0} is not set: the configuration names the service.', 'LIMNER_BASE_URL'),
    );
  }
  endpointsOf(baseUrl);
  const isEditor = 'electron' in process.versions;
  const launcher = process.env['LIMNER_LAUNCHER'];
  const server = launcher
    ? serverCommand(dirname(launcher), isEditor ? undefined : process.execPath, process.platform)
    : {
        command: process.execPath,
        args: [process.argv[1] ?? '', 'mcp'],
        env: isEditor ? { ELECTRON_RUN_AS_NODE: '1' } : {},
      };
  return {
    ...server,
    env: { ...server.env, ...settings, ...(confirm && { LIMNER_AGENTS_CONFIRM: confirm }) },
  };
}

function ownPlaces(): Places {
  return { home: homedir(), project: wholePath('.'), env: process.env };
}
