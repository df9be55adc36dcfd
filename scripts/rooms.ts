/**
 * The rooms of `src` from the bottom up, and the one rule between them: a room imports what it `knows`, all that those
 * rooms know, and nothing else. The linter, the bundler and a test read this table; `CONTRIBUTING.md` walks through it.
 */
import { readdirSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

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

/** A folder of `src` without the folders in it, or some of its files. */
export interface Room {
  /** By default the folder below `src`. */
  readonly name: string;
  readonly folder?: string;
  /** Without their extension; the others of the folder are another room. */
  readonly files?: readonly string[];
  /** The file to open first, without its extension: it begins with what lives here and what never comes in. */
  readonly door: string;
  /** The bundle in which it ships. Without one, it is copied into each bundle that needs it. */
  readonly bundle?: Bundle;
  /** Names of the rooms right below. */
  readonly knows: readonly string[];
  /** Bundles that it loads when they are first needed. */
  readonly opens?: readonly Bundle[];
}

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

export const rooms: readonly Room[] = [
  { name: 'common', door: 'limnerError', knows: [] },
  { name: 'common/disk', door: 'heldFiles', knows: ['common'] },
  {
    name: 'common/threads',
    folder: 'common',
    files: ['workerClient'],
    door: 'workerClient',
    knows: ['common'],
  },

  { name: 'images/formats', door: 'sniff', bundle: 'engine', knows: ['common/disk'] },
  { name: 'images/damage', door: 'findDamage', bundle: 'engine', knows: ['images/formats'] },
  {
    name: 'images/codecs/pixels',
    folder: 'images/codecs',
    files: ['pixels'],
    door: 'pixels',
    bundle: 'codecs',
    knows: ['images/damage'],
  },
  { name: 'images/codecs/byRows', door: 'writePng', bundle: 'codecs', knows: ['images/codecs/pixels'] },
  {
    name: 'images/codecs/operations',
    folder: 'images/codecs',
    door: 'codecSet',
    bundle: 'codecs',
    knows: ['images/codecs/byRows'],
  },
  { name: 'images/codecs/matte', door: 'matte', bundle: 'codecs', knows: ['images/codecs/pixels'] },
  { name: 'images/codecs/verdict', door: 'checkCutout', bundle: 'codecs', knows: ['images/codecs/pixels'] },
  {
    name: 'images/codecs/finishing',
    door: 'finish',
    bundle: 'codecs',
    knows: ['images/codecs/operations', 'images/codecs/matte', 'images/codecs/verdict'],
  },
  {
    name: 'images/codecs',
    files: ['codecs'],
    door: 'codecs',
    bundle: 'codecs',
    knows: ['images/codecs/finishing', 'common/threads'],
  },
  { name: 'images', door: 'lateCodecs', bundle: 'engine', knows: ['images/codecs'], opens: ['codecs'] },

  {
    name: 'service/messages',
    folder: 'service',
    files: ['messages', 'modelOptions', 'price'],
    door: 'messages',
    bundle: 'engine',
    knows: ['common'],
  },
  { name: 'service/http', door: 'exchange', bundle: 'engine', knows: ['service/messages'] },
  { name: 'service/errors', door: 'httpStatusErrors', bundle: 'engine', knows: ['service/http'] },
  { name: 'service/requests', door: 'requestBodies', bundle: 'engine', knows: ['service/errors'] },
  {
    name: 'service/results',
    door: 'download',
    bundle: 'engine',
    knows: ['service/errors', 'images/formats'],
  },
  { name: 'service/responses', door: 'imageAnswers', bundle: 'engine', knows: ['service/results'] },
  {
    name: 'service',
    door: 'imageService',
    bundle: 'engine',
    knows: ['service/requests', 'service/responses'],
  },

  { name: 'tasks', door: 'task', bundle: 'engine', knows: ['service', 'images'] },
  { name: 'tasks/files', door: 'stagingStore', bundle: 'engine', knows: ['tasks'] },
  { name: 'tasks/requests', door: 'modelRules', bundle: 'engine', knows: ['tasks/files'] },
  { name: 'tasks/spending', door: 'spending', bundle: 'engine', knows: ['tasks/files'] },
  { name: 'tasks/store', door: 'taskStore', bundle: 'engine', knows: ['tasks/spending'] },
  { name: 'tasks/run', door: 'taskRunner', bundle: 'engine', knows: ['tasks/files', 'tasks/store'] },
  {
    name: 'references/words',
    folder: 'references',
    files: ['reference', 'addresses', 'placeholders', 'words'],
    door: 'reference',
    bundle: 'references',
    knows: ['common/disk'],
  },
  { name: 'references/scan', door: 'scans', bundle: 'references', knows: ['references/words'] },
  { name: 'socialCards', door: 'page', bundle: 'references', knows: ['references/scan'] },
  {
    name: 'references',
    door: 'references',
    bundle: 'references',
    knows: ['socialCards', 'common/threads'],
  },

  {
    name: 'engine',
    folder: '',
    files: ['engine'],
    door: 'engine',
    bundle: 'engine',
    knows: ['tasks/run', 'tasks/requests'],
  },

  { name: 'agents', door: 'tools', bundle: 'agents', knows: ['engine'] },

  {
    name: 'demo/random',
    folder: 'demo',
    files: ['random'],
    door: 'random',
    bundle: 'demo',
    knows: ['common'],
  },
  { name: 'demo/http', door: 'listener', bundle: 'demo', knows: ['demo/random'] },
  { name: 'demo/state', door: 'taskQueue', bundle: 'demo', knows: ['demo/http'] },
  {
    name: 'demo/passage',
    folder: 'demo/faults',
    files: ['defineFault'],
    door: 'defineFault',
    bundle: 'demo',
    knows: ['demo/state'],
  },
  { name: 'demo/habits', door: 'habitCatalog', bundle: 'demo', knows: ['demo/passage'] },
  { name: 'demo/faults', door: 'faultCatalog', bundle: 'demo', knows: ['demo/habits'] },
  {
    name: 'demo/options',
    folder: 'demo',
    files: ['options'],
    door: 'options',
    bundle: 'demo',
    knows: ['demo/faults'],
  },
  { name: 'demo/drawing', door: 'canvas', bundle: 'demo', knows: ['demo/random', 'images/codecs'] },
  { name: 'demo/scenes', door: 'scenes', bundle: 'demo', knows: ['demo/drawing'] },
  { name: 'demo/painter', door: 'painter', bundle: 'demo', knows: ['demo/scenes', 'demo/state'] },
  { name: 'demo/endpoints', door: 'router', bundle: 'demo', knows: ['demo/painter', 'demo/options'] },
  { name: 'demo', door: 'demoService', bundle: 'demo', knows: ['demo/endpoints'] },

  { name: 'cli/output', door: 'output', bundle: 'program', knows: ['engine'] },
  { name: 'cli/http', door: 'undiciTransport', bundle: 'undici', knows: ['engine'] },
  {
    name: 'cli/setup',
    door: 'cliEngine',
    bundle: 'program',
    knows: ['cli/output', 'cli/http'],
    opens: ['undici'],
  },
  { name: 'cli/mcp', door: 'mcpServer', bundle: 'mcp', knows: ['agents'] },
  {
    name: 'cli/commands',
    door: 'paint',
    bundle: 'program',
    knows: ['cli/setup', 'cli/mcp'],
    opens: ['mcp', 'agents'],
  },
  { name: 'cli/launcher', door: 'launcher', bundle: 'launcher', knows: ['common'] },
  {
    name: 'cli/program',
    folder: 'cli',
    files: ['program', 'arguments', 'help'],
    door: 'program',
    bundle: 'program',
    knows: ['cli/commands', 'demo'],
    opens: ['demo'],
  },
  { name: 'cli', door: 'main', bundle: 'limner', knows: ['cli/program'], opens: ['program'] },

  { name: 'editor/commandIds', folder: 'editor', files: ['commandIds'], door: 'commandIds', knows: [] },
  {
    name: 'editor/names',
    folder: 'editor',
    files: ['names', 'availableActions'],
    door: 'names',
    bundle: 'extension',
    knows: ['engine', 'editor/commandIds'],
  },
  { name: 'editor/window', door: 'engineHost', bundle: 'extension', knows: ['editor/names'] },
  { name: 'editor/failures', door: 'errorText', bundle: 'extension', knows: ['editor/window'] },
  { name: 'editor/taskList', door: 'taskTree', bundle: 'extension', knows: ['editor/failures'] },
  { name: 'editor/questions', door: 'refusal', bundle: 'commands', knows: ['editor/taskList'] },
  { name: 'editor/tooltips', door: 'rowTooltips', bundle: 'commands', knows: ['editor/questions'] },
  { name: 'editor/spending', door: 'spendingView', bundle: 'commands', knows: ['editor/questions'] },
  { name: 'editor/prompts', door: 'promptWriter', bundle: 'commands', knows: ['editor/questions'] },
  { name: 'editor/paint', door: 'painting', bundle: 'commands', knows: ['editor/prompts'] },
  {
    name: 'editor/actions',
    door: 'taskOperations',
    bundle: 'commands',
    knows: ['editor/paint', 'editor/tooltips'],
  },
  { name: 'editor/agents', door: 'agentTools', bundle: 'commands', knows: ['editor/actions', 'agents'] },
  { name: 'editor/connect', door: 'connect', bundle: 'commands', knows: ['editor/paint'] },
  {
    name: 'editor/documents/files',
    door: 'listDocuments',
    bundle: 'documents',
    knows: ['references', 'tasks/files'],
  },
  {
    name: 'editor/documents',
    door: 'documents',
    bundle: 'documents',
    knows: ['editor/failures', 'editor/documents/files', 'socialCards'],
  },
  {
    name: 'editor/wanted',
    door: 'makeWanted',
    bundle: 'commands',
    knows: ['editor/actions', 'editor/documents'],
  },
  {
    name: 'editor/insert',
    door: 'imageText',
    bundle: 'commands',
    knows: ['editor/actions', 'editor/documents'],
  },
  {
    name: 'editor/incoming',
    door: 'incomingImages',
    bundle: 'commands',
    knows: ['editor/insert', 'editor/wanted'],
  },
  { name: 'studio/protocol', door: 'messages', bundle: 'commands', knows: ['common'] },
  {
    name: 'editor/socialCards',
    door: 'socialCards',
    bundle: 'commands',
    knows: ['editor/actions', 'editor/documents', 'studio/protocol'],
  },
  {
    name: 'editor/studioPanel',
    door: 'studioPanel',
    bundle: 'commands',
    knows: ['editor/paint', 'studio/protocol'],
  },
  {
    name: 'editor/studioHandlers',
    door: 'studioHandlers',
    bundle: 'commands',
    knows: ['editor/socialCards', 'editor/studioPanel', 'editor/insert'],
  },
  {
    name: 'editor/commands',
    door: 'commands',
    bundle: 'commands',
    knows: [
      'editor/agents',
      'editor/connect',
      'editor/incoming',
      'editor/spending',
      'editor/studioHandlers',
      'editor/tooltips',
    ],
  },
  { name: 'editor', door: 'registerCommands', bundle: 'extension', knows: ['editor/commands'] },
  {
    name: 'extension',
    folder: '',
    files: ['extension'],
    door: 'extension',
    bundle: 'extension',
    knows: ['editor'],
    opens: ['engine', 'commands', 'documents'],
  },

  { name: 'studio/zoom', door: 'zoom', bundle: 'studio', knows: ['studio/protocol'] },
  { name: 'studio/store', door: 'studioStore', bundle: 'studio', knows: ['studio/protocol'] },
  { name: 'studio/components', door: 'button', bundle: 'studio', knows: ['studio/zoom', 'studio/store'] },
  { name: 'studio/mask/drawing', door: 'operation', bundle: 'studio', knows: ['studio/zoom'] },
  {
    name: 'studio/mask/files',
    door: 'maskToSend',
    bundle: 'studio',
    knows: ['studio/mask/drawing', 'studio/store'],
  },
  {
    name: 'studio/mask/surface',
    door: 'maskSurface',
    bundle: 'studio',
    knows: ['studio/mask/drawing', 'studio/store'],
  },
  {
    name: 'studio/mask/toolbar',
    door: 'maskToolbar',
    bundle: 'studio',
    knows: ['studio/mask/files', 'studio/mask/surface', 'studio/components'],
  },
  { name: 'studio/mask', door: 'maskEditor', bundle: 'studio', knows: ['studio/mask/toolbar'] },
  {
    name: 'studio/inputs',
    door: 'inputs',
    bundle: 'studio',
    knows: ['studio/mask/files', 'studio/components'],
  },
  { name: 'studio/results/model', door: 'resultList', bundle: 'studio', knows: ['studio/store'] },
  {
    name: 'studio/results/actions',
    door: 'resultActions',
    bundle: 'studio',
    knows: ['studio/results/model', 'studio/components'],
  },
  {
    name: 'studio/results/compare',
    door: 'compare',
    bundle: 'studio',
    knows: ['studio/results/model', 'studio/components'],
  },
  {
    name: 'studio/socialCard',
    door: 'cardView',
    bundle: 'studio',
    knows: ['studio/results/model', 'studio/components'],
  },
  {
    name: 'studio/results/large',
    door: 'largeView',
    bundle: 'studio',
    knows: ['studio/results/actions', 'studio/results/compare'],
  },
  { name: 'studio/results/grid', door: 'taskGrid', bundle: 'studio', knows: ['studio/results/actions'] },
  {
    name: 'studio/results',
    door: 'results',
    bundle: 'studio',
    knows: ['studio/results/grid', 'studio/results/large', 'studio/socialCard'],
  },
  { name: 'studio/history', door: 'history', bundle: 'studio', knows: ['studio/components'] },
  { name: 'studio/compose/fields', door: 'modelField', bundle: 'studio', knows: ['studio/components'] },
  {
    name: 'studio/compose',
    door: 'composer',
    bundle: 'studio',
    knows: ['studio/compose/fields', 'studio/inputs'],
  },
  {
    name: 'studio',
    door: 'studio',
    bundle: 'studio',
    knows: ['studio/compose', 'studio/history', 'studio/mask', 'studio/results'],
  },
];

const source = resolve(import.meta.dirname, '../src');

/** Folder of a room below the project, with `/`. */
export function folderOf({ name, folder = name }: Room): string {
  return folder === '' ? 'src' : `src/${folder}`;
}

/** Files of a room below the project, with `/`. */
export function filesOf(room: Room): string[] {
  const others = rooms.filter((other) => other !== room && folderOf(other) === folderOf(room));
  const claimed = new Set(others.flatMap(({ files = [] }) => files));
  return readdirSync(join(source, '..', folderOf(room)), { withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.d)\.tsx?$/u.test(entry.name))
    .map((entry) => entry.name)
    .filter((file) => {
      const stem = file.replace(/\.tsx?$/u, '');
      return room.files ? room.files.includes(stem) : !claimed.has(stem);
    })
    .map((file) => `${folderOf(room)}/${file}`);
}

/** Path of a room's door below the project, with `/`; undefined if there is no such file. */
export function doorOf(room: Room): string | undefined {
  return filesOf(room).find((file) => file.replace(/\.tsx?$/u, '') === `${folderOf(room)}/${room.door}`);
}

/** All rooms that a room may import from, itself among them. */
function known(room: Room, found = new Set<Room>()): Set<Room> {
  found.add(room);
  for (const name of room.knows) {
    const below = rooms.find((other) => other.name === name);
    if (!below) {
      throw new Error(`The room ${room.name} knows ${name}, which does not exist.`);
    }
    if (!found.has(below)) {
      known(below, found);
    }
  }
  return found;
}

/** Returns patterns for the linter that match the text of each import that a room may not have. */
export function forbiddenImports(
  room: Room,
): { regex: string; message: string; allowTypeImports?: boolean }[] {
  const below = known(room);
  const textOf = (other: Room): string => {
    const way = relative(folderOf(room), folderOf(other)).replaceAll('\\', '/');
    const start = way === '' ? '.' : way.startsWith('.') ? way : `./${way}`;
    const isAlone = !rooms.some((one) => one !== other && folderOf(one) === folderOf(other));
    const names = isAlone
      ? '[^/]+'
      : `(?:${filesOf(other)
          .map((file) => file.slice(file.lastIndexOf('/') + 1))
          .join('|')})`;
    return `${start}/${names}`.replaceAll('.', String.raw`\.`);
  };
  const isCopied = ({ bundle }: Room): boolean => bundle === undefined || bundle === room.bundle;
  const isLoaded = ({ bundle }: Room): boolean =>
    room.bundle !== undefined &&
    bundle !== undefined &&
    (loadedWith[room.bundle].includes(bundle) || room.opens?.includes(bundle) === true);
  const never = rooms.filter((other) => !below.has(other));
  const types = [...below].filter((other) => !isCopied(other) && !isLoaded(other));
  return [
    { regex: `^(?:${never.map(textOf).join('|')})$`, message: 'Imports point down: see scripts/rooms.ts.' },
    ...(types.length > 0
      ? [
          {
            regex: `^(?:${types.map(textOf).join('|')})$`,
            allowTypeImports: true,
            message: 'It is in a bundle that is loaded when it is first needed: import types only.',
          },
        ]
      : []),
  ];
}

/**
 * Folders and files that a bundle holds, as the bundler matches them: the longest match counts.
 *
 * @param bundle undefined for what is copied into each
 */
export function heldBy(bundle: Bundle | undefined): string[] {
  return rooms
    .filter((room) => room.bundle === bundle)
    .flatMap((room) => (room.files ? filesOf(room) : `${folderOf(room)}/`));
}
