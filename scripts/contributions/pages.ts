/** The two reference pages of the manual. */
import { paletteCommands } from './commands.ts';
import { settings } from './manifest.ts';
import { type Schema, type Section, sections, type Setting } from './settings.ts';

const places: Record<Setting['scope'], string> = {
  application: 'user',
  window: 'workspace',
  resource: 'folder',
};

/** `docs/user/commands.md` */
export function commandsPage(): string {
  const rows = Object.entries(paletteCommands).map(([id, { title, description }]) => [
    `**${title}** \`limner.${id}\``,
    description,
  ]);
  return `# Commands

Each begins with \`Limner:\` in the Command Palette. Others are in the menus of the task list and of image files. Some take
arguments in [key bindings](key-bindings.md).

${table(['Command', 'Description'], rows)}`;
}

/** `docs/user/settings.md` */
export function settingsPage(): string {
  const untrusted = Object.keys(settings).filter((name) => settings[name]?.untrusted);
  return `# Settings

The third column says where a setting can be set: *user* is only for your own settings, *workspace* also for those of a
workspace, *folder* also for those of each of its folders. A workspace that you don't trust sets only
${new Intl.ListFormat('en').format(untrusted.map((name) => `\`limner.${name}\``))}.
${Object.values(sections).map(sectionText).join('')}`;
}

/** Returns a section's table, and a table of fields for each setting that has some. */
function sectionText({ title, settings: own }: Section): string {
  const rows = Object.entries(own).map(([name, setting]) => [
    `\`limner.${name}\``,
    shown(setting),
    places[setting.scope],
    said(setting),
  ]);
  const fields = Object.entries(own).map(([name, { items, properties }]) => {
    const found = fieldsOf({ properties: items?.properties ?? properties ?? {} });
    const owner = `${items ? 'An entry of ' : ''}\`limner.${name}\``;
    return found.length === 0
      ? ''
      : `\n${owner} has these fields:\n\n${table(['Field', 'Description'], found)}`;
  });
  return `\n## ${title}\n\n${table(['Setting', 'Default', 'Where', 'Description'], rows)}${fields.join('')}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** Formats a default, with its range if both ends are set. */
function shown({ default: value, minimum, maximum }: Setting): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return `${text && `\`${text}\``}${maximum === undefined ? '' : ` (${minimum} to ${maximum})`}`;
}

/** Formats a schema's description and values for a cell. */
function said({ description = '', values = {} }: Schema): string {
  const text = description
    .replaceAll(/\[([^\]]+)\]\(command:limner\.[\w.]+\)/gu, '**Limner: $1**')
    .replaceAll(/#(limner\.[\w.]+)#/gu, '$1')
    .replaceAll(/\s+/gu, ' ');
  return [text, ...Object.entries(values).map(([value, does]) => `\`${value}\`: ${does}`)].join('<br>');
}

/** Returns the described fields of an object, including those of nested objects. */
function fieldsOf({ properties = {} }: Schema, owner = ''): string[][] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${owner}${name}`;
    const own = field.description ? [[`\`${path}\``, said(field)]] : [];
    return own.concat((field.oneOf ?? [field]).flatMap((part) => fieldsOf(part, `${path}.`)));
  });
}
