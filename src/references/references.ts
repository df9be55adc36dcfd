// Room: what becomes of what documents say about images: where their files may be, what they need in their place.
// Never: VS Code, files on disk, the service.

import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { replyTo, WorkerClient, type WorkerRequest } from '../common/workerClient.ts';
import type { CardImage, PageChange, PageWords } from '../socialCards/cardImage.ts';
import type { Reference } from './reference.ts';
import { type Reading, readingOf } from './reading.ts';

export * from '../socialCards/cardImage.ts';
export * from './addresses.ts';
export * from './aliases.ts';
export * from './baseIn.ts';
export * from './findReferences.ts';
export * from './placeholders.ts';
export * from './places.ts';
export * from './proposedPrompt.ts';
export * from './scan/markdownCode.ts';
export * from './scan/markupElements.ts';
export * from './scan/masked.ts';
export * from './scan/scanMarkdown.ts';
export * from './wantedSize.ts';

/** Marks the threads in which this file reads documents. */
const ROLE = 'limner.references';
/** Shorter documents are read at once: no other thread would have read them sooner. In UTF-16 units. */
const short = 16_000;
/** Of so many long documents is known what they said when they were read last. */
const mostKnown = 8;
/** So many references are copied between the threads at a time, in no time. */
const page = 200;

/** In the thread: by names of documents, and by the numbers of readings that are not fetched yet. */
const known = new Map<string, Reading>();
const unfetched = new Map<number, readonly Reference[]>();
let lastReading = 0;

/** Loads what reads pages, with the library that reads YAML, in the thread alone. */
const pages = async () => import('../socialCards/page.ts');

/** The operations of the thread. */
const operations = {
  /** Reads a document. @returns the number of the reading, and how many references `fetch` returns of it */
  async read(name: string, text: string, language: string | undefined): Promise<[number, number]> {
    const reading = readingOf(text, language, known.get(name));
    known.delete(name);
    known.set(name, reading);
    for (const [oldest] of known) {
      if (known.size > mostKnown) {
        known.delete(oldest);
      }
    }
    unfetched.set(++lastReading, reading.references);
    return [lastReading, reading.references.length];
  },

  /** Returns references of a reading from one on; none ends it. */
  async fetch(reading: number, from: number): Promise<readonly Reference[]> {
    const all = unfetched.get(reading) ?? [];
    if (from >= all.length) {
      unfetched.delete(reading);
    }
    return all.slice(from, from + page);
  },

  /** As the functions of the same names. */
  async readPage(text: string, language: string): Promise<PageWords> {
    return (await pages()).readPage(text, language);
  },
  async imageOfPage(text: string, language: string): Promise<string | undefined> {
    return (await pages()).imageOfPage(text, language);
  },
  async writePage(text: string, language: string, image: CardImage): Promise<PageChange | undefined> {
    return (await pages()).writePage(text, language, image);
  },
};

type Operations = typeof operations;
type Name = keyof Operations;
type Result = Awaited<ReturnType<Operations[Name]>>;

/** Reads pages and long documents in a thread: made to be read slowly, they would hold up everything else. */
export class Readings {
  readonly #worker = new WorkerClient<Operations>({
    open: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
    keepsProcess: true,
    toError: ({ message }, options) => new Error(message, options),
    closed: 'Documents are no longer read.',
    broke: 'The thread that reads documents failed.',
    ended: 'The thread that reads documents ended.',
  });

  /**
   * Returns the places of a document that name an image, in order and each once.
   *
   * @param name the same for all that a document ever says
   * @param language VS Code's id; documents of other languages name none
   */
  async read(name: string, text: string, language: string | undefined): Promise<readonly Reference[]> {
    if (language === undefined || text.length <= short) {
      return readingOf(text, language).references;
    }
    const [reading, count] = await this.#worker.ask('read', name, text, language);
    const references: Reference[] = [];
    while (references.length < count) {
      references.push(...(await this.#worker.ask('fetch', reading, references.length)));
    }
    await this.#worker.ask('fetch', reading, count);
    return references;
  }

  /** As `readPage`, in the thread. */
  async readPage(text: string, language: string): Promise<PageWords> {
    return this.#worker.ask('readPage', text, language);
  }

  /** As `imageOfPage`, in the thread. */
  async imageOfPage(text: string, language: string): Promise<string | undefined> {
    return this.#worker.ask('imageOfPage', text, language);
  }

  /** As `writePage`, in the thread. */
  async writePage(text: string, language: string, image: CardImage): Promise<PageChange | undefined> {
    return this.#worker.ask('writePage', text, language, image);
  }

  /** Ends the thread; what is read by then is not told. */
  async dispose(): Promise<void> {
    await this.#worker.dispose();
  }
}

function serve(port: MessagePort): void {
  const reply = async (request: WorkerRequest<Name>): Promise<void> => {
    port.postMessage(await replyTo<Name, Result>(operations, request));
  };
  port.on('message', (request: WorkerRequest<Name>) => void reply(request));
}

if (!isMainThread && workerData === ROLE && parentPort !== null) {
  serve(parentPort);
}
