/* Written by `npm run contributions`: change the tables in `scripts/contributions/` instead. */
export const baseUrl = 'limner.baseUrl';
export const models = 'limner.models';
export const model = 'limner.model';
export const callStyle = 'limner.callStyle';
export const requestTimeout = 'limner.requestTimeout';
export const maxConcurrentTasks = 'limner.maxConcurrentTasks';
export const resultHosts = 'limner.resultHosts';
export const size = 'limner.size';
export const quality = 'limner.quality';
export const count = 'limner.count';
export const style = 'limner.style';
export const folder = 'limner.folder';
export const fileName = 'limner.fileName';
export const fit = 'limner.fit';
export const fill = 'limner.fill';
export const fileQuality = 'limner.fileQuality';
export const embedPrompt = 'limner.embedPrompt';
export const afterSave = 'limner.afterSave';
export const budget = 'limner.budget';
export const confirmAbove = 'limner.confirmAbove';
export const agentsConfirm = 'limner.agents.confirm';
export const missingImages = 'limner.missingImages';
export const codeLens = 'limner.codeLens';
export const historyLimit = 'limner.historyLimit';
export const historyDays = 'limner.historyDays';
export const agentsSessionLimit = 'limner.agents.sessionLimit';
export const agentsDailyLimit = 'limner.agents.dailyLimit';

/** Settings that only the user can change, by their names after `limner.`. */
export const personal: ReadonlySet<string> = new Set([
  'baseUrl',
  'models',
  'resultHosts',
  'budget',
  'confirmAbove',
  'agents.confirm',
  'historyLimit',
  'historyDays',
  'agents.sessionLimit',
  'agents.dailyLimit',
]);

/** Settings that an untrusted workspace can change. */
export const untrusted: ReadonlySet<string> = new Set(['afterSave', 'missingImages', 'codeLens']);
