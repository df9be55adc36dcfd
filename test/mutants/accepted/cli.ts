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
    file: 'src/cli/setup/models.ts',
    line: 'const style = callStyleSettings.find((one) => one === callStyle);',
    changes: ['find -> findLast'],
    reason: 'No two of them are the same.',
  },
];
