import { mkdir } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Engine, openEngine } from '../../src/engine/run/engine.ts';
import { HttpsTransport } from '../../src/service/http/httpsTransport.ts';
import { defaultSettings, type EngineSettings } from '../../src/engine/task/ports.ts';

/** An engine of its own, as another window has it. */
export interface EngineOfWindow {
  engine: Engine;
  host: { home: vscode.Uri; get: () => Promise<Engine> };
  log: vscode.LogOutputChannel;
  dispose: () => Promise<void>;
}

export async function openWindow(
  home: string,
  settings: EngineSettings = defaultSettings,
): Promise<EngineOfWindow> {
  await mkdir(home, { recursive: true });
  const log = vscode.window.createOutputChannel('Limner in a test', { log: true });
  const transport = new HttpsTransport();
  const engine = await openEngine({
    home,
    transports: { posts: transport, polls: transport, downloads: transport },
    keys: { get: async () => Promise.resolve(undefined), onDidChange: () => ({ dispose: () => {} }) },
    settings: () => settings,
    log,
  });
  return {
    engine,
    host: { home: vscode.Uri.file(home), get: async () => Promise.resolve(engine) },
    log,
    async dispose() {
      await engine.dispose();
      log.dispose();
    },
  };
}
