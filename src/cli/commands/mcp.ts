import { AgentCalls } from '../../agents/agentCalls.ts';
import { exitCodes, type Output } from '../output/output.ts';
import { formatProgress } from '../output/taskFormat.ts';
import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { McpHost } from './mcpHost.ts';

/**
 * `limner mcp`: serves the tools of agents until the client closes standard input. Tasks that an earlier process left are
 * continued, and those that are running then are left to the next one.
 *
 * @returns the exit code
 * @throws LimnerError `save_failed` when the store cannot be written
 */
export async function mcp(environment: Environment, output: Output, version: string): Promise<number> {
  const engine = await openCliEngine(environment, output, true);
  try {
    const { serveTools } = await import('../mcp/mcpServer.ts');
    engine.runner.resumeUnfinished().catch((error: unknown) => output.say(String(error)));
    const host = new McpHost(engine, environment);
    await serveTools({
      calls: new AgentCalls(host),
      host,
      version,
      confirm: environment.agents.confirm,
      imagesOf: (plan) => host.imagesOf(plan),
      progressText: (task) => formatProgress(task, Date.now()),
      onError: (error) => output.detail(String(error)),
    });
    return exitCodes.ok;
  } finally {
    await engine.dispose();
  }
}
