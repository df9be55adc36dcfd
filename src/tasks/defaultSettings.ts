import type { EngineSettings } from './ports.ts';

/** What the engine goes by where nobody has set anything. */
export const defaultSettings: EngineSettings = {
  maxConcurrentTasks: 4,
  requestTimeout: 900_000,
  historyLimit: 5000,
  historyAge: Infinity,
  resultHosts: [],
  plainHttpOrigins: [],
};
