/**
 * Parts of `package.json` from the tables: commands, settings, tools, and welcome texts. Each text gets a key, such as
 * `command.task.open`, under which `package.nls.json` has it.
 */
import { toJsonSchema } from '@valibot/to-json-schema';
import { tools } from '../../src/agents/tools/tools.ts';
import { stylesFolder } from '../../src/engine/operations/style.ts';
import { compareViewType, studioViewType, views } from '../../src/vscode/window/names.ts';
import { type Command, fileCommands, paletteCommands, rowCommands, submenus } from './commands.ts';
import { type Schema, sections, type Setting } from './settings.ts';
import { chatTools, product, walkthrough, welcomes } from './welcome.ts';

/** All commands, by their ids after `limner.`. */
export const commands: Readonly<Record<string, Command>> = {
  ...paletteCommands,
  ...rowCommands,
  ...fileCommands,
};

/** All settings, by their names after `limner.`. */
export const settings: Readonly<Record<string, Setting>> = Object.fromEntries(
  Object.values(sections).flatMap((section) => Object.entries(section.settings)),
);

const onTaskList = `view == ${views.tasks}`;

/** Returns the parts of `package.json` that follow from the tables, and the English texts of their keys. */
export function manifest() {
  const texts: Record<string, string> = {};
  const keyFor = (key: string, text: string): string => {
    if ((texts[key] ??= text) !== text) {
      throw new Error(`Two texts have the key ${key}.`);
    }
    return `%${key}%`;
  };
  const parts = {
    displayName: keyFor('displayName', product.displayName),
    description: keyFor('description', product.description),
    activationEvents: [
      'onStartupFinished',
      `onWebviewPanel:${studioViewType}`,
      `onWebviewPanel:${compareViewType}`,
    ],
    capabilities: {
      untrustedWorkspaces: {
        supported: 'limited',
        description: keyFor('untrusted', product.untrusted),
        restrictedConfigurations: Object.entries(settings)
          .filter(([, { scope, untrusted }]) => scope !== 'application' && !untrusted)
          .map(([name]) => `limner.${name}`),
      },
      virtualWorkspaces: true,
    },
    contributes: {
      commands: Object.entries(commands).map(([id, { title, icon }]) => ({
        command: `limner.${id}`,
        title: keyFor(`command.${id}`, title),
        category: 'Limner',
        icon: icon && codicon(icon),
      })),
      submenus: Object.entries(submenus).map(([id, { title }]) => ({
        id: `limner.${id}`,
        label: keyFor(`submenu.${id}`, title),
      })),
      viewsContainers: {
        activitybar: [{ id: views.container, title: product.displayName, icon: 'media/limner.svg' }],
      },
      views: {
        [views.container]: [
          {
            id: views.tasks,
            name: keyFor('view.tasks', 'Images'),
            icon: 'media/limner.svg',
            contextualTitle: product.displayName,
          },
        ],
      },
      viewsWelcome: Object.entries(welcomes).map(([name, { contents, when }]) => ({
        view: views.tasks,
        contents: keyFor(`welcome.${name}`, contents),
        when,
      })),
      keybindings: Object.entries(rowCommands).flatMap(([id, { keys }]) =>
        keys
          ? {
              command: `limner.${id}`,
              key: keys.key,
              mac: keys.mac,
              linux: keys.linux,
              // VS Code replaces this by the row with the focus ring, as in its menus.
              args: [{ $treeViewId: views.tasks, $focusedTreeItem: true }],
              when: `focusedView == ${views.tasks} && listFocus && !inputFocus`,
            }
          : [],
      ),
      menus: menus(),
      configuration: Object.entries(sections).map(([id, section], index) => ({
        id: `limner.${id}`,
        title: keyFor(`settings.${id}`, section.title),
        order: index + 1,
        properties: Object.fromEntries(
          Object.entries(section.settings).map(([name, setting], at) => [
            `limner.${name}`,
            {
              order: at + 1,
              markdownDescription: keyFor(`setting.${name}`, setting.description),
              ...schemaOf({ ...setting, description: '' }, `setting.${name}`, keyFor),
              untrusted: undefined,
            },
          ]),
        ),
      })),
      walkthroughs: [
        {
          id: walkthrough.id,
          title: keyFor('walkthrough.title', walkthrough.title),
          description: keyFor('walkthrough.description', walkthrough.description),
          steps: Object.entries(walkthrough.steps).map(([id, step]) => ({
            id,
            title: keyFor(`walkthrough.${id}.title`, step.title),
            description: keyFor(`walkthrough.${id}.description`, step.description),
            media: {
              image: imageOf(step.image),
              altText: keyFor(`walkthrough.${id}.picture`, step.altText),
            },
            completionEvents: step.completionEvents,
          })),
        },
      ],
      languageModelTools: tools.map(({ name, title, description, schema }) => {
        const { reference, icon, description: forPeople } = chatTools[name];
        const { $schema: _, ...inputSchema } = toJsonSchema(schema);
        return {
          name,
          toolReferenceName: reference,
          displayName: keyFor(`tool.${reference}`, title),
          userDescription: keyFor(`tool.${reference}.description`, forPeople),
          modelDescription: description,
          tags: ['limner', 'image'],
          icon: codicon(icon),
          canBeReferencedInPrompt: true,
          when: 'isWorkspaceTrusted',
          inputSchema,
        };
      }),
      jsonValidation: [{ fileMatch: `${stylesFolder}/*.json`, url: './media/style.schema.json' }],
      chatSkills: [{ path: './skills/limner-images/SKILL.md' }],
    },
  };
  return { parts, texts };
}

const screenshot = (file: string): string => `media/screenshots/${file}`;

/** A walkthrough's picture, which may be one for light themes and one for dark ones. */
function imageOf(image: string | { light: string; dark: string }): string | Record<string, string> {
  if (typeof image === 'string') {
    return screenshot(image);
  }
  const [light, dark] = [screenshot(image.light), screenshot(image.dark)];
  return { light, dark, hc: dark, hcLight: light };
}

const codicon = (name: string): string => `$(${name})`;

interface MenuItem {
  command?: string;
  submenu?: string;
  when?: string;
  group?: string;
}

function menus(): Record<string, MenuItem[]> {
  const found: Record<string, MenuItem[]> = {
    commandPalette: [
      ...Object.entries(paletteCommands).flatMap(([id, { palette }]) =>
        palette ? { command: `limner.${id}`, when: palette } : [],
      ),
      ...Object.keys({ ...rowCommands, ...fileCommands }).map((id) => ({
        command: `limner.${id}`,
        when: 'false',
      })),
    ],
  };
  const add = (item: MenuItem, offered: NonNullable<Command['menus']>, everywhere = ''): void => {
    for (const [menu, conditions] of Object.entries(offered)) {
      for (const [group, condition] of Object.entries(conditions)) {
        const when = [everywhere, condition].filter((part) => part !== '').join(' && ');
        (found[menu] ??= []).push({ ...item, ...(when !== '' && { when }), group });
      }
    }
  };
  for (const [id, { list = {}, rows = {}, menus: others = {} }] of Object.entries(commands)) {
    const command = { command: `limner.${id}` };
    add(command, { 'view/title': list, 'view/item/context': rows }, onTaskList);
    add(command, others);
  }
  for (const [id, { menus: places = {} }] of Object.entries(submenus)) {
    add({ submenu: `limner.${id}` }, places);
  }
  return found;
}

/** Returns a schema for VS Code, with keys instead of texts. The key of a property extends that of its owner. */
function schemaOf(schema: Schema, key: string, keyFor: (key: string, text: string) => string): object {
  const { description, values, patternErrorMessage, items, properties, oneOf, defaultSnippets, ...plain } =
    schema;
  const within = (part: Schema, name = ''): object => schemaOf(part, `${key}${name}`, keyFor);
  return {
    ...plain,
    ...(values && {
      type: 'string',
      enum: Object.keys(values),
      enumDescriptions: Object.entries(values).map(([value, text]) => keyFor(`${key}.${value}`, text)),
    }),
    ...(description && { description: keyFor(key, description) }),
    ...(patternErrorMessage && { patternErrorMessage: keyFor(`${key}.pattern`, patternErrorMessage) }),
    ...(items && { items: within(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, within(part, `.${name}`)]),
      ),
    }),
    ...(oneOf && { oneOf: oneOf.map((part) => within(part)) }),
    ...(defaultSnippets && {
      defaultSnippets: defaultSnippets.map(({ label, body }, index) => ({
        label: keyFor(`${key}.snippet.${index + 1}`, label),
        body,
      })),
    }),
  };
}
