import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import * as v from 'valibot';
import { rename, whileHeld } from '../../common/disk/heldFiles.ts';
import { type Draft, draft as draftSchema, emptyDraft } from '../../studio/protocol/draft.ts';
import { sweepFolder } from '../../common/disk/folders.ts';
import { fileVersion } from './fileVersion.ts';

/** An input image of the draft, with the bytes that are shown and sent. */
const keptInput = v.object({
  id: v.string(),
  /** URI of the file that the person chose; for pasted bytes, of the file that they are kept in. */
  uri: v.pipe(v.string(), v.regex(/^[a-z][a-z\d+.-]+:/i)),
  name: v.string(),
  /** Path of the bytes: the file itself, or a copy of it. */
  path: v.string(),
  /** In pixels. */
  width: v.pipe(v.number(), v.minValue(1)),
  height: v.pipe(v.number(), v.minValue(1)),
  /** In bytes. */
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
  /** The state of the file that the person chose when it was added. */
  original: v.exactOptional(fileVersion),
  /** To be known before it is sent. */
  notes: v.array(v.string()),
});
export type KeptInput = v.InferOutput<typeof keptInput>;

/** Kinds of files beside the draft, each in a folder of its own. */
export type DraftFileKind = 'inputs' | 'masks';

const fileName = 'draft.json';
const maskFileName = 'mask.png';
/** File name of a draft that could not be read, followed by the time. */
const damagedName = `${fileName}.damaged-`;

const day = 24 * 3_600_000;
/** How long unused files are kept, in milliseconds: another window may be about to use them. */
const unusedKept = day;
/** How long a damaged draft is kept, and all files with it. */
const damagedKept = 30 * day;

/**
 * The draft of a workspace and the images that it uses, kept in a file. There is one write at a time, and the last one
 * wins.
 */
export class DraftFile {
  readonly #folder: string;
  #draft: Draft;
  #inputs: ReadonlyMap<string, KeptInput>;
  #writing: Promise<void> | undefined;
  #isStale = false;

  /**
   * Opens the file; from one of another version, reads as much as possible. A damaged one is set aside, and all files
   * beside it are kept for a month; otherwise those that the draft has not used for a day are removed.
   *
   * @param folder on disk, created when it is first written to
   * @param empty the draft when nothing was kept
   */
  static async open(folder: string, empty = emptyDraft): Promise<DraftFile> {
    const kept = await readKept(folder);
    const file = new DraftFile(folder, kept === 'damaged' ? undefined : kept, empty);
    if (kept !== 'damaged') {
      await file.#sweep();
    }
    return file;
  }

  private constructor(folder: string, kept: unknown, empty: Draft) {
    this.#folder = folder;
    this.#draft = readDraft(partOf(kept, 'draft'), empty);
    const inputs = partOf(kept, 'inputs');
    this.#inputs = new Map(
      (Array.isArray(inputs) ? (inputs as unknown[]) : []).flatMap((input) => {
        const parsed = v.safeParse(keptInput, input);
        return parsed.success ? [[parsed.output.id, parsed.output] as const] : [];
      }),
    );
  }

  get draft(): Draft {
    return this.#draft;
  }

  /** Input images by ID, including those that the draft does not use at the moment. */
  get inputs(): ReadonlyMap<string, KeptInput> {
    return this.#inputs;
  }

  /** Takes effect at once; settles when it is on disk. */
  async change(changes: { [Part in keyof Draft]?: Draft[Part] | undefined }): Promise<void> {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    this.#draft = { ...this.#draft, ...Object.fromEntries(given) };
    await this.#save();
  }

  async addInputs(inputs: readonly KeptInput[]): Promise<void> {
    this.#inputs = new Map([...this.#inputs, ...inputs.map((input) => [input.id, input] as const)]);
    await this.#save();
  }

  /** Whether a file belongs to the draft and goes with it. */
  holds(path: string): boolean {
    return path.startsWith(this.#folder + sep);
  }

  /** Returns a new path for a file that belongs to the draft. */
  async newFile(kind: DraftFileKind, name: string): Promise<string> {
    const folder = join(this.#folder, kind, randomUUID());
    await mkdir(folder, { recursive: true });
    return join(folder, name);
  }

  /** Returns the path of a kept mask; undefined for an invalid name. */
  maskPath(name: string): string | undefined {
    return /^[0-9a-f-]{36}$/.test(name) ? join(this.#folder, 'masks', name, maskFileName) : undefined;
  }

  /**
   * Repairs a kept mask where it cannot be read as it is.
   *
   * @param repair returns the same object where there is nothing to repair
   * @returns its path; undefined when there is none of this name
   */
  async repairMask(
    name: string,
    repair: (bytes: Uint8Array) => Promise<Uint8Array>,
  ): Promise<string | undefined> {
    const path = this.maskPath(name);
    const bytes = path === undefined ? undefined : await readFile(path).catch(() => undefined);
    if (path === undefined || !bytes) {
      return undefined;
    }
    const repaired = await repair(bytes);
    if (repaired !== bytes) {
      const whole = `${path}.${randomUUID()}`;
      await writeFile(whole, repaired, { flush: true });
      await rename(whole, path);
    }
    return path;
  }

  /** Keeps a mask. @returns its name in the draft */
  async keepMask(bytes: Uint8Array): Promise<string> {
    return basename(dirname(await this.keepFile('masks', maskFileName, bytes)));
  }

  /** Keeps bytes with the draft. @returns the path of the file */
  async keepFile(kind: DraftFileKind, name: string, bytes: Uint8Array): Promise<string> {
    const path = await this.newFile(kind, name);
    await writeFile(path, bytes);
    return path;
  }

  async #sweep(): Promise<void> {
    const { inputs, mask } = this.#draft;
    this.#inputs = new Map([...this.#inputs].filter(([id]) => inputs.includes(id)));
    const damaged = (await readdir(this.#folder).catch(() => [])).filter((name) =>
      name.startsWith(damagedName),
    );
    if (damaged.length > 0) {
      await sweepFolder(this.#folder, damagedKept, () => (name) => !damaged.includes(name));
      return;
    }
    const paths = [...this.#inputs.values()].map(({ path }) => path);
    const masks = new Set(
      mask.operations.flatMap((operation) => (operation.kind === 'load' ? operation.file : [])),
    );
    const isInput = (name: string): boolean => paths.some((path) => path.includes(name));
    await sweepFolder(join(this.#folder, 'inputs'), unusedKept, () => isInput);
    await sweepFolder(join(this.#folder, 'masks'), unusedKept, () => (name) => masks.has(name));
  }

  async #save(): Promise<void> {
    this.#isStale = true;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
    await this.#writing;
  }

  async #write(): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const file = join(this.#folder, fileName);
    while (this.#isStale) {
      this.#isStale = false;
      const content = JSON.stringify({ draft: this.#draft, inputs: [...this.#inputs.values()] });
      // Under its final name the file is complete at every moment.
      await whileHeld(async () => writeFile(`${file}.new`, content, { flush: true }));
      await rename(`${file}.new`, file);
    }
  }
}

/** Reads a draft file; undefined where there is none. A damaged one is set aside. */
async function readKept(folder: string): Promise<unknown> {
  const file = join(folder, fileName);
  if (!existsSync(file)) {
    return undefined;
  }
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof partOf(kept, 'draft') === 'object' && Array.isArray(partOf(kept, 'inputs'))) {
      return kept;
    }
  } catch {
    // It is damaged.
  }
  const now = new Date();
  await utimes(file, now, now).catch(() => {});
  await rename(file, join(folder, `${damagedName}${now.getTime()}`)).catch(() => {});
  return 'damaged';
}

/** Reads each part that is valid; the others are as in `empty`. */
function readDraft(kept: unknown, empty: Draft): Draft {
  const view = readParts(draftSchema.entries.view.entries, partOf(kept, 'view'), empty.view);
  return { ...readParts(draftSchema.entries, kept, empty), view };
}

function readParts<T extends object>(schemas: Record<keyof T, v.GenericSchema>, kept: unknown, empty: T): T {
  const parts = Object.entries<v.GenericSchema>(schemas).flatMap(([name, schema]) => {
    const parsed = v.safeParse(schema, partOf(kept, name));
    return parsed.success ? [[name, parsed.output] as const] : [];
  });
  return { ...empty, ...Object.fromEntries(parts) };
}

function partOf(kept: unknown, name: string): unknown {
  return typeof kept === 'object' && kept !== null ? Reflect.get(kept, name) : undefined;
}

/** Whether something was composed that was never sent. */
export function isUnsent({ prompt, prompts, inputs }: Draft): boolean {
  return prompt.trim() === '' ? inputs.length > 0 : !prompts.includes(prompt);
}
