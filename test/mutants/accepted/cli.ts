import type { Accepted } from './accepted.ts';

export const cli: readonly Accepted[] = [
  {
    file: 'src/cli/commands/agentRules.ts',
    line: "const when = (['always', 'session', 'above'] as const).find((one) => one === confirm);",
    changes: ['find -> findLast'],
    reason: 'No two of them are the same.',
  },
  {
    file: 'src/cli/commands/finishImages.ts',
    line: 'fence: 1,',
    changes: ['1 -> 2'],
    reason: 'Nothing else publishes under this key.',
  },
  {
    file: 'src/cli/commands/mcpHost.ts',
    line: 'const job = { key: basename(scratch), fence: 1, stagedPath, sha256: hashOf(bytes), target };',
    changes: ['1 -> 2'],
    reason: 'Nothing else publishes under this key.',
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
    file: 'src/cli/setup/models.ts',
    line: 'const style = callStyleSettings.find((one) => one === callStyle);',
    changes: ['find -> findLast'],
    reason: 'No two of them are the same.',
  },
];
