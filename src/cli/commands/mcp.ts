import { AgentCalls } from '../../agents/tools/agentCalls.ts';
import { english, inLanguage, speak, spokenLanguage } from '../../engine/messages/language.ts';
import { defaultSettings } from '../../engine/task/ports.ts';
import type { ConfirmRule } from '../../agents/tools/agreement.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { formatProgress } from '../output/taskFormat.ts';
import { printable } from '../output/terminalText.ts';
import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { confirmRuleOf, McpHost } from './mcpHost.ts';
import { Interruption } from './interruption.ts';

/**
 * `limner mcp`: serves the tools of agents until the client closes standard input, or a signal asks to end. It speaks
 * English, except for what the client shows to the user. Tasks that an earlier process left are continued. Those that are
 * running at the end are left to the next process, once the requests that are open are answered: images are found by
 * those answers.
 *
 * @param read gives the environment as it is by now: settings of the user change while the server runs
 * @returns the exit code
 * @throws LimnerError `save_failed` when the store cannot be written
 */
export async function mcp(read: () => Environment, output: Output, version: string): Promise<number> {
  // Agents read the replies, and programs the log.
  const language = spokenLanguage();
  speak(english);
  let environment = read();
  const current = (): Environment => {
    try {
      environment = read();
    } catch (error) {
      output.detail(`The last settings count: ${printable(String(error))}`);
    }
    return environment;
  };
  const said = new Set<string>();
  const sayOnce = (problem: string): void => {
    if (!said.has(problem)) {
      said.add(problem);
      output.say(printable(problem));
    }
  };
  const interruption = new Interruption(output);
  const engine = await openCliEngine(current, output, true);
  try {
    const { serveTools } = await import('../../agents/mcp/mcpServer.ts');
    engine.runner.resumeUnfinished().catch((error: unknown) => {
      // The client may be gone already, and with it the list.
      if (engine.store.isOpen) {
        output.say(printable(String(error)));
      }
    });
    const host = new McpHost(engine, current);
    const confirm = (): ConfirmRule => confirmRuleOf(current().agents, sayOnce);
    confirm();
    const problem = await serveTools({
      calls: new AgentCalls(host),
      host,
      version,
      confirm,
      language,
      progressText: (task) => inLanguage(language, () => formatProgress(task, Date.now())),
      onError: (error) => output.detail(printable(String(error))),
      end: interruption.signal,
    });
    if (problem !== undefined) {
      output.say(printable(problem));
    }
    await engine.dispose(defaultSettings.requestTimeout);
    return interruption.exitCode ?? (problem === undefined ? exitCodes.ok : exitCodes.failed);
  } finally {
    await engine.dispose();
    interruption.dispose();
  }
}
