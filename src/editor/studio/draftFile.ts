import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { type Draft, draft as draftSchema, emptyDraft } from '../../studio/draft.ts';

/** An input image of the piece of work, with the bytes that are shown and sent. */
const keptInput = v.object({
  id: v.string(),
  /** URI of the file that the person chose; of bytes that were pasted, the file that they are kept in. */
  uri: v.string(),
  name: v.string(),
  /** Path of the bytes: the file itself, or a copy of it. */
  path: v.string(),
  /** In pixels. */
  width: v.number(),
  height: v.number(),
  /** In bytes. */
  size: v.number(),
  mediaType: v.string(),
  sha256: v.string(),
  /** What should be known before it is sent. */
  notes: v.array(v.string()),
});
export type KeptInput = v.InferOutput<typeof keptInput>;

const fileName = 'draft.json';

/** The piece of work of a workspace and the images that it uses, kept in a file; one write at a time, the last one counts. */
export class DraftFile {
  readonly #folder: string;
  #draft: Draft;
  #inputs: ReadonlyMap<string, KeptInput>;
  #writing: Promise<void> | undefined;
  #isStale = false;

  /**
   * What the file holds; of one that is damaged or from another version, as much as can be read.
   *
   * @param folder on disk, created when it is first written to
   */
  static async open(folder: string): Promise<DraftFile> {
    let kept: unknown;
    try {
      kept = JSON.parse(await readFile(join(folder, fileName), 'utf8'));
    } catch {
      // There is none yet, or it is no JSON.
    }
    return new DraftFile(folder, kept);
  }

  private constructor(folder: string, kept: unknown) {
    this.#folder = folder;
    this.#draft = readDraft(partOf(kept, 'draft'));
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

  /** Input images that were taken, also those that the draft does not use at the moment, by id. */
  get inputs(): ReadonlyMap<string, KeptInput> {
    return this.#inputs;
  }

  /** Counts at once; settles when it is on disk. */
  async change(changes: { [Part in keyof Draft]?: Draft[Part] | undefined }): Promise<void> {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined);
    this.#draft = { ...this.#draft, ...Object.fromEntries(given) };
    await this.#save();
  }

  async addInputs(inputs: readonly KeptInput[]): Promise<void> {
    this.#inputs = new Map([...this.#inputs, ...inputs.map((input) => [input.id, input] as const)]);
    await this.#save();
  }

  /** Settles when everything is on disk. */
  async saved(): Promise<void> {
    await this.#writing;
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
      // Under its name the file is whole at every moment.
      await writeFile(`${file}.new`, content, { flush: true });
      await rename(`${file}.new`, file);
    }
  }
}

/** Each part that can be read; the others are as in an empty draft. */
function readDraft(kept: unknown): Draft {
  const view = readParts(draftSchema.entries.view.entries, partOf(kept, 'view'), emptyDraft.view);
  return { ...readParts(draftSchema.entries, kept, emptyDraft), view };
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
