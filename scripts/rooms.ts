/**
 * The ten houses of `src`, from the bottom up, and the rooms in each. A file imports from its own room, from rooms that
 * stand above it in its house's list, and from the houses that its house knows: nothing else, so that there are no circles.
 * The linter, the bundler, and a test read this table; each house's README walks through its rooms.
 */
import { existsSync, readdirSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';

export type Bundle =
  | 'extension'
  | 'commands'
  | 'documents'
  | 'references'
  | 'engine'
  | 'agents'
  | 'codecs'
  | 'demo'
  | 'limner'
  | 'program'
  | 'mcp'
  | 'launcher'
  | 'undici'
  | 'studio';

/** A folder of a house. */
export interface Room {
  /** Empty for the files that lie in the house itself. */
  readonly name: string;
  /** The bundle in which it ships. Without one, it is copied into each bundle that needs it. */
  readonly bundle?: Bundle;
  /** Files that ship elsewhere, without their extension, and where: undefined for what is copied. */
  readonly elsewhere?: Readonly<Record<string, Bundle | undefined>>;
  /** Bundles that it loads when they are first needed. */
  readonly opens?: readonly Bundle[];
}

export interface House {
  readonly name: string;
  /** The houses that it may import from; of `house/room`, only that room. */
  readonly knows: readonly string[];
  readonly rooms: readonly Room[];
}

export const houses: readonly House[] = [
  { name: 'common', knows: [], rooms: [{ name: '' }] },
  {
    name: 'images',
    knows: ['common'],
    rooms: [
      { name: 'formats', bundle: 'engine' },
      { name: 'codecs', bundle: 'codecs' },
      { name: 'cutout', bundle: 'codecs' },
      {
        name: 'finish',
        bundle: 'codecs',
        elsewhere: {
          findFlaw: 'engine',
          keyColor: 'engine',
          lateCodecs: 'engine',
          thumbnails: 'engine',
        },
        opens: ['codecs'],
      },
    ],
  },
  {
    name: 'service',
    knows: ['common', 'images'],
    rooms: [
      { name: 'terms', bundle: 'engine' },
      { name: 'http', bundle: 'engine' },
      { name: 'wire', bundle: 'engine' },
    ],
  },
  {
    name: 'engine',
    knows: ['common', 'images', 'service'],
    rooms: [
      { name: 'task', bundle: 'engine' },
      { name: 'files', bundle: 'engine' },
      { name: 'store', bundle: 'engine' },
      {
        name: 'operations',
        bundle: 'engine',
        elsewhere: { availableActions: undefined, nextStep: undefined },
      },
      { name: 'messages' },
      { name: 'run', bundle: 'engine' },
    ],
  },
  {
    name: 'pages',
    knows: ['common'],
    rooms: [
      { name: 'scan', bundle: 'references' },
      { name: 'cards', bundle: 'references' },
      { name: 'sites', bundle: 'references' },
      { name: 'find', bundle: 'references', elsewhere: { languages: undefined } },
    ],
  },
  {
    name: 'agents',
    knows: ['common', 'images', 'service', 'engine', 'pages'],
    rooms: [
      { name: 'clients', bundle: 'agents', elsewhere: { clients: undefined } },
      { name: 'tools', bundle: 'agents', opens: ['references'] },
      { name: 'mcp', bundle: 'mcp' },
    ],
  },
  {
    name: 'demo',
    knows: ['common', 'images'],
    rooms: [
      { name: 'http', bundle: 'demo' },
      { name: 'faults', bundle: 'demo' },
      { name: 'painter', bundle: 'demo' },
      { name: 'endpoints', bundle: 'demo' },
    ],
  },
  {
    name: 'cli',
    knows: ['common', 'images', 'service', 'engine', 'pages', 'agents', 'demo'],
    rooms: [
      { name: 'output', bundle: 'program' },
      {
        name: 'setup',
        bundle: 'program',
        elsewhere: { undiciTransport: 'undici', launcher: 'launcher' },
        opens: ['undici', 'agents', 'references'],
      },
      {
        name: 'commands',
        bundle: 'program',
        elsewhere: { main: 'limner', compileCache: 'limner' },
        opens: ['program', 'mcp', 'agents', 'demo'],
      },
    ],
  },
  {
    name: 'studio',
    knows: ['common'],
    rooms: [
      { name: 'protocol', bundle: 'commands' },
      { name: 'store', bundle: 'studio' },
      { name: 'components', bundle: 'studio' },
      { name: 'maskPixels', bundle: 'studio' },
      { name: 'sets', bundle: 'studio' },
      { name: 'compose', bundle: 'studio' },
      { name: 'mask', bundle: 'studio' },
      { name: 'repair', bundle: 'studio' },
      { name: 'image', bundle: 'studio' },
      { name: 'results', bundle: 'studio' },
      { name: '', bundle: 'studio' },
    ],
  },
  {
    name: 'vscode',
    knows: ['common', 'images', 'service', 'engine', 'pages', 'agents', 'studio/protocol'],
    rooms: [
      {
        name: 'window',
        bundle: 'extension',
        elsewhere: {
          commandIds: undefined,
          errorText: 'commands',
          settingNames: undefined,
        },
      },
      {
        name: 'taskList',
        bundle: 'extension',
        elsewhere: {
          costText: 'commands',
          movedImages: 'commands',
          rowTooltips: 'commands',
          taskDetails: 'commands',
          taskEnds: 'commands',
        },
      },
      { name: 'ask', bundle: 'commands' },
      { name: 'generate', bundle: 'commands' },
      { name: 'cost', bundle: 'commands' },
      { name: 'actions', bundle: 'commands' },
      { name: 'agents', bundle: 'commands' },
      { name: 'documents', bundle: 'documents' },
      { name: 'pages', bundle: 'commands' },
      { name: 'sets', bundle: 'commands' },
      { name: 'studio', bundle: 'commands' },
      {
        name: '',
        bundle: 'commands',
        elsewhere: {
          api: 'extension',
          extension: 'extension',
          registerCommands: 'extension',
          registerTools: 'extension',
        },
        opens: ['engine', 'commands', 'documents'],
      },
    ],
  },
];

/** Bundles that are there once a bundle is loaded: what is in them is imported plainly, of all others only types are. */
const loadedWith: Record<Bundle, readonly Bundle[]> = {
  extension: [],
  commands: ['extension', 'engine', 'agents'],
  documents: ['extension', 'engine', 'references'],
  references: [],
  engine: [],
  agents: ['engine'],
  codecs: ['engine'],
  demo: ['codecs'],
  limner: [],
  program: ['engine'],
  mcp: ['engine', 'agents'],
  launcher: [],
  undici: ['engine'],
  studio: [],
};

/** Some files of one room that ship together. */
export interface Place {
  readonly house: House;
  readonly room: Room;
  /** Below the project, with `/`: a folder with `/` at its end, or a file. */
  readonly path: string;
  readonly bundle: Bundle | undefined;
}

const project = resolve(import.meta.dirname, '..');

/** Folder of a room below the project, with `/` at its end. */
export function folderOf(house: House, room: Room): string {
  return room.name === '' ? `src/${house.name}/` : `src/${house.name}/${room.name}/`;
}

/** All places: of a file, the longest path counts. */
export const places: readonly Place[] = houses
  .flatMap((house) =>
    house.rooms.flatMap((room): Place[] => {
      const folder = folderOf(house, room);
      const files = Object.entries(room.elsewhere ?? {}).map(([name, bundle]): Place => {
        const path = [`${folder}${name}.ts`, `${folder}${name}.tsx`].find((file) =>
          existsSync(join(project, file)),
        );
        if (path === undefined) {
          throw new Error(`${folder} has no file ${name}.`);
        }
        return { house, room, path, bundle };
      });
      return [{ house, room, path: folder, bundle: room.bundle }, ...files];
    }),
  )
  .toSorted((one, other) => other.path.length - one.path.length);

/** Whether files of a place may import those of another, in any bundle. */
function mayImport({ house, room }: Place, other: Place): boolean {
  if (house === other.house) {
    return house.rooms.indexOf(other.room) <= house.rooms.indexOf(room);
  }
  return (
    house.knows.includes(other.house.name) || house.knows.includes(`${other.house.name}/${other.room.name}`)
  );
}

/** Returns a pattern of the names of a place's files. */
function namesIn(path: string): string {
  const apart = new Set(
    places.filter((other) => other.path.startsWith(path)).map((other) => basename(other.path)),
  );
  const files = readdirSync(join(project, path.endsWith('/') ? path : dirname(path)));
  // All pages load the one style sheet that style sheets become.
  const names = files.filter((file) => !apart.has(file) && !file.endsWith('.css'));
  return path.endsWith('/') ? `(?:${names.join('|')})` : basename(path);
}

/** Returns patterns for the linter that match the text of each import that files of a place may not have. */
export function forbiddenImports(
  place: Place,
): { regex: string; message: string; allowTypeImports?: boolean }[] {
  const from = folderOf(place.house, place.room);
  const textOf = ({ path }: Place): string => {
    const folder = path.slice(0, path.lastIndexOf('/') + 1);
    const way = relative(from, folder).replaceAll('\\', '/');
    const start = way === '' ? '.' : way.startsWith('.') ? way : `./${way}`;
    return `${start}/${namesIn(path)}`.replaceAll('.', String.raw`\.`);
  };
  const isCopied = ({ bundle }: Place): boolean => bundle === undefined || bundle === place.bundle;
  const isLoaded = ({ bundle }: Place): boolean =>
    place.bundle !== undefined &&
    bundle !== undefined &&
    (loadedWith[place.bundle].includes(bundle) || place.room.opens?.includes(bundle) === true);
  const never = places.filter((other) => !mayImport(place, other));
  const types = places.filter((other) => mayImport(place, other) && !isCopied(other) && !isLoaded(other));
  return [
    { regex: `^(?:${never.map(textOf).join('|')})$`, message: 'Imports point down: see scripts/rooms.ts.' },
    {
      regex: `^(?:${types.map(textOf).join('|')})$`,
      allowTypeImports: true,
      message: 'It is in a bundle that is loaded when it is first needed: import types only.',
    },
  ].filter(({ regex }) => regex !== '^(?:)$');
}
