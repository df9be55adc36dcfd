/** IDs in the source. Each is a constant of its own, so that a bundle contains only those that it uses. */
import { commands, settings } from './manifest.ts';
import type { Setting } from './settings.ts';

const header =
  '/* Written by `npm run contributions`: change the tables in `scripts/contributions/` instead. */\n';

/** `src/vscode/window/commandIds.ts` */
export function commandIds(): string {
  return header + constants(Object.keys(commands));
}

/** `src/vscode/window/settingNames.ts` */
export function settingNames(): string {
  return `${header}${constants(Object.keys(settings))}
/** Settings that only the user can change, by their names after \`limner.\`. */
${setOf('personal', ({ scope }) => scope === 'application')}

/** Settings that an untrusted workspace can change. */
${setOf('untrusted', ({ untrusted = false }) => untrusted)}`;
}

function setOf(name: string, isIn: (setting: Setting) => boolean): string {
  const members = Object.entries(settings).flatMap(([key, setting]) => (isIn(setting) ? key : []));
  return `export const ${name}: ReadonlySet<string> = new Set(${JSON.stringify(members)});`;
}

function constants(names: readonly string[]): string {
  return names.map((name) => `export const ${constantOf(name)} = 'limner.${name}';\n`).join('');
}

/** Returns `taskOpen` for `task.open`. */
function constantOf(name: string): string {
  return name.replaceAll(/\.(\w)/gu, (_, letter: string) => letter.toUpperCase());
}
