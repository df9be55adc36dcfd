import * as v from 'valibot';
import { hashOf } from '../../engine/files/stagingStore.ts';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { rename, whileHeld } from '../../common/heldFiles.ts';
import { type Draft, draft as draftSchema, emptyDraft } from '../../studio/protocol/draft.ts';
import { sweepFolder } from '../../common/folders.ts';

export const fileVersion = v.object({
  /** By its file system's clock. A different time alone proves nothing. */
  mtime: v.exactOptional(v.number()),
  size: v.exactOptional(v.number()),
  sha256: v.string(),
});
export type FileVersion = v.InferOutput<typeof fileVersion>;

/** Whether a file's contents have changed. @param read returns its bytes, only called if necessary */
export async function hasChanged(
  then: FileVersion,
  now: { mtime: number; size: number },
  read: () => Promise<Uint8Array>,
): Promise<boolean> {
  const isTouched = now.mtime !== then.mtime || now.size !== then.size;
  return isTouched && hashOf(await read()) !== then.sha256;
}

/** Input image of the draft, with the bytes to show and send. */
const keptInput = v.object({
  id: v.string(),
  /** URI of the file that the user chose or, for pasted bytes, of the file that keeps them. */
  uri: v.pipe(v.string(), v.regex(/^[a-z][a-z\d+.-]+:/i)),
  name: v.string(),
  /** Path of the bytes: the file itself, or a copy of it. */
  path: v.string(),
  width: v.pipe(v.number(), v.minValue(1)),
  height: v.pipe(v.number(), v.minValue(1)),
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
  original: v.exactOptional(fileVersion),
  /** Notes for the user before it is sent. */
  notes: v.array(v.string()),
});
export type KeptInput = v.InferOutput<typeof keptInput>;

export type DraftFileKind = 'inputs' | 'masks';

const fileName = 'draft.json';
const maskFileName = 'mask.png';
/** Prefix of a damaged draft's file name; the time follows. */
const damagedName = `${fileName}.damaged-`;

const day = 24 * 3_600_000;
/** Lifetime of unused files, in milliseconds: another window may be about to use them. */
const unusedKept = day;
/** Lifetime of a damaged draft and all files beside it. */
const damagedKept = 30 * day;

/** A workspace's draft and its images, kept in a file. Writes run one at a time, and the last one wins. */
export class DraftFile {
  readonly #folder: string;
  #draft: Draft;
  #inputs: ReadonlyMap<string, KeptInput>;
  #writing: Promise<void> | undefined;
  #isStale = false;

  /**
   * Opens the file, and reads as much as possible from one of another version. A damaged draft is set aside, and all
   * files beside it are kept for a month. Otherwise, files that the draft hasn't used for a day are removed.
   *
   * @param folder on disk, created on the first write
   * @param empty draft to use if none was kept
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

  get inputs(): ReadonlyMap<string, KeptInput> {
    return this.#inputs;
  }

  /** Takes effect at once, and resolves when it is on disk. */
  async change(changes: { [Part in keyof Draft]?: Draft[Part] | undefined }): Promise<void> {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    this.#draft = { ...this.#draft, ...Object.fromEntries(given) };
    await this.#save();
  }

  async addInputs(inputs: readonly KeptInput[]): Promise<void> {
    this.#inputs = new Map([...this.#inputs, ...inputs.map((input) => [input.id, input] as const)]);
    await this.#save();
  }

  holds(path: string): boolean {
    return path.startsWith(this.#folder + sep);
  }

  async newFile(kind: DraftFileKind, name: string): Promise<string> {
    const folder = join(this.#folder, kind, randomUUID());
    await mkdir(folder, { recursive: true });
    return join(folder, name);
  }

  maskPath(name: string): string | undefined {
    return /^[0-9a-f-]{36}$/.test(name) ? join(this.#folder, 'masks', name, maskFileName) : undefined;
  }

  /**
   * Repairs a kept mask that can't be read as it is.
   *
   * @param repair returns the same object if nothing needs repair
   * @returns its path; undefined if there is none of this name
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

  async keepMask(bytes: Uint8Array): Promise<string> {
    return basename(dirname(await this.keepFile('masks', maskFileName, bytes)));
  }

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
      // The file under its final name is always complete.
      await whileHeld(async () => writeFile(`${file}.new`, content, { flush: true }));
      await rename(`${file}.new`, file);
    }
  }
}

/** Reads a draft file; undefined if there is none. A damaged one is set aside. */
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
  } catch {}
  const now = new Date();
  await utimes(file, now, now).catch(() => {});
  await rename(file, join(folder, `${damagedName}${now.getTime()}`)).catch(() => {});
  return 'damaged';
}

/** Reads each valid part; the others are as in `empty`. */
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

/** Whether something was composed but never sent. */
export function isUnsent({ prompt, prompts, inputs, isSet, setRows, tasks }: Draft): boolean {
  if (isSet) {
    return setRows.length > 0 && tasks.length === 0;
  }
  return prompt.trim() === '' ? inputs.length > 0 : !prompts.includes(prompt);
}
