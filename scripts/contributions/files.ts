/** Files that are written from the tables of this folder: `npm run contributions` writes them, a test compares them. */
import { format, resolveConfig } from 'prettier';
import packageJson from '../../package.json' with { type: 'json' };
import { manifest } from './manifest.ts';
import { styleSchema } from './styleSchema.ts';
import { commandsPage, settingsPage } from './pages.ts';
import { commandIds, settingNames } from './sources.ts';

/** Returns the text of each file, by its path below the project. */
export async function files(): Promise<Record<string, string>> {
  const { parts, texts } = manifest();
  return {
    'package.json': json({ ...packageJson, ...parts }),
    'package.nls.json': json(texts),
    'media/style.schema.json': await formatted(json(styleSchema()), 'json'),
    'docs/user/commands.md': commandsPage(),
    'docs/user/settings.md': settingsPage(),
    'src/vscode/window/commandIds.ts': await formatted(commandIds()),
    'src/vscode/window/settingNames.ts': await formatted(settingNames()),
  };
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

async function formatted(source: string, parser = 'typescript'): Promise<string> {
  return format(source, { ...(await resolveConfig(import.meta.filename)), parser });
}
