import type { Accepted } from './accepted.ts';

export const cli: readonly Accepted[] = [
  {
    file: 'src/cli/commands/agentRules.ts',
    line: "const when = (['always', 'session', 'above'] as const).find((one) => one === confirm);",
    changes: ['find -> findLast'],
    reason: 'No two of them are the same.',
  },
  {
    file: 'src/cli/commands/resumeTasks.ts',
    line: 'one.id < other.id ? -1 : 1,',
    changes: ['< -> <=', '1 -> 2'],
    reason: 'No two of them are the same, and only the sign counts.',
  },
  {
    file: 'src/cli/commands/resumeTasks.ts',
    line: '} else if (canSaveAgain(task)) {',
    changes: ['canSaveAgain(task) -> true'],
    reason: 'The runner refuses what cannot be saved, and that is passed over.',
  },
  {
    file: 'src/cli/commands/watch.ts',
    line: 'const settle = (id: string, isElsewhere = false): number => {',
    changes: ['false -> true'],
    reason: 'Who works on a task is told only of one that has not ended.',
  },
  {
    file: 'src/cli/commands/watch.ts',
    line: 'if (ids.includes(id)) {',
    changes: ['ids.includes(id) -> true'],
    reason: 'It only looks more often.',
  },
  {
    file: 'src/cli/http/undiciTransport.ts',
    line: 'const maxConnectTime = 30_000;',
    changes: ['30_000 -> 60000'],
    reason: 'Only attempts that nobody waits for any more end at that time.',
  },
  {
    file: 'src/cli/http/undiciTransport.ts',
    line: 'connect: { timeout: connect + 1000, ...(lookup !== undefined && { lookup }) },',
    changes: ['1000 -> 2000'],
    reason: 'Only attempts that nobody waits for any more end at that time.',
  },
  {
    file: 'src/cli/mcp/questions.ts',
    line: "...(typeof declared === 'object' ? declared : undefined),",
    changes: ["typeof declared === 'object' -> true"],
    reason: 'What is no object has no properties of that name.',
  },
  {
    file: 'src/cli/setup/launcherSettings.ts',
    line: "const { environment } = { environment: undefined, ...(typeof value === 'object' ? value : undefined) };",
    changes: ["typeof value === 'object' -> true"],
    reason: 'What is no object has no properties of that name.',
  },
  {
    file: 'src/cli/setup/models.ts',
    line: 'const style = callStyleSettings.find((one) => one === callStyle);',
    changes: ['find -> findLast'],
    reason: 'No two of them are the same.',
  },
];
