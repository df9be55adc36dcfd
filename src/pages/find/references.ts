import { isMainThread, type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';
import { replyTo, WorkerClient, type WorkerRequest } from '../../common/workerClient.ts';
import type { CardImage, PageChange, PageWords, TextEdit } from '../cards/cardImage.ts';
import type { HeadLink } from '../cards/headLinks.ts';
import type { ImageSources } from '../cards/pictureSources.ts';
import { frontMatterIn } from '../scan/frontMatter.ts';
import type { Reference } from '../scan/reference.ts';
import { type Reading, readingOf } from './reading.ts';
import * as english from '../../common/english.ts';

export * from '../cards/cardImage.ts';
export * from '../scan/addresses.ts';
export * from './baseIn.ts';
export * from './excluded.ts';
export * from './findReferences.ts';
export * from './imageNames.ts';
export * from './imagePlaces.ts';
export * from './layouts.ts';
export * from './neighbors.ts';
export * from './languageAt.ts';
export * from '../scan/placeholders.ts';
export * from './proposedPrompt.ts';
export * from '../scan/markdownCode.ts';
export * from '../scan/markupElements.ts';
export * from '../scan/masked.ts';
export * from '../scan/scanMarkdown.ts';
export * from '../sites/aliases.ts';
export * from '../sites/frameworks.ts';
export * from '../sites/places.ts';
export * from '../sites/site.ts';
export * from './wantedImages.ts';
export * from './wantedFinish.ts';

/** Marks the threads in which this file reads documents. */
const ROLE = 'limner.references';
/** Maximum length of a document that is read at once, in UTF-16 units. Another thread would be no faster. */
const short = 16_000;
/** The same of its front matter, whose readers take longer for what is crafted. */
const shortFrontMatter = 4000;
/** Number of long documents whose latest readings are kept. */
const mostKnown = 8;
/** Number of references to copy between the threads at a time. */
const page = 200;

/** In the thread: readings by names of documents, and by number until they are fetched. */
const known = new Map<string, Reading>();
const unfetched = new Map<number, readonly Reference[]>();
let lastReading = 0;

/** Loads the readers of pages only in the thread. */
const pages = async () => import('../cards/page.ts');

const operations = {
  /** Reads a document. @returns the number of the reading, and its number of references */
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

  /** Returns references of a reading from an index on; an empty list ends it. */
  async fetch(reading: number, from: number): Promise<readonly Reference[]> {
    const all = unfetched.get(reading) ?? [];
    if (from >= all.length) {
      unfetched.delete(reading);
    }
    return all.slice(from, from + page);
  },

  async readPage(text: string, language: string): Promise<PageWords> {
    return (await pages()).readPage(text, language);
  },
  async imageOfPage(text: string, language: string): Promise<string | undefined> {
    return (await pages()).imageOfPage(text, language);
  },
  async writePage(text: string, language: string, image: CardImage): Promise<PageChange | undefined> {
    return (await pages()).writePage(text, language, image);
  },
  async writeHeadLinks(
    text: string,
    language: string,
    links: readonly HeadLink[],
  ): Promise<TextEdit[] | undefined> {
    return (await pages()).writeHeadLinks(text, language, links);
  },
  async writeSources(
    text: string,
    language: string,
    places: readonly Reference[],
    sources: ImageSources,
  ): Promise<TextEdit[] | undefined> {
    return (await pages()).writeSources(text, language, places, sources);
  },
};

type Operations = typeof operations;
type Name = keyof Operations;
type Result = Awaited<ReturnType<Operations[Name]>>;

/** Reads pages and long documents in a thread: crafted ones would block everything else. */
export class Readings {
  readonly #worker = new WorkerClient<Operations>({
    open: () => new Worker(new URL(import.meta.url), { workerData: ROLE }),
    keepsProcess: true,
    toError: ({ message }, options) => new Error(message, options),
    closed: english.t('Documents are no longer read.'),
    broke: english.t('The thread that reads documents failed.'),
    ended: english.t('The thread that reads documents ended.'),
  });

  /**
   * Returns the positions in a document that name an image, in order and each once.
   *
   * @param name constant for a document
   * @param language VS Code's id; documents of other languages name none
   */
  async read(name: string, text: string, language: string | undefined): Promise<readonly Reference[]> {
    if (language === undefined || isShort(text)) {
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

  async readPage(text: string, language: string): Promise<PageWords> {
    return this.#worker.ask('readPage', text, language);
  }

  async imageOfPage(text: string, language: string): Promise<string | undefined> {
    return this.#worker.ask('imageOfPage', text, language);
  }

  async writePage(text: string, language: string, image: CardImage): Promise<PageChange | undefined> {
    return this.#worker.ask('writePage', text, language, image);
  }

  async writeHeadLinks(
    text: string,
    language: string,
    links: readonly HeadLink[],
  ): Promise<TextEdit[] | undefined> {
    return this.#worker.ask('writeHeadLinks', text, language, links);
  }

  async writeSources(
    text: string,
    language: string,
    places: readonly Reference[],
    sources: ImageSources,
  ): Promise<TextEdit[] | undefined> {
    return this.#worker.ask('writeSources', text, language, places, sources);
  }

  async dispose(): Promise<void> {
    await this.#worker.dispose();
  }
}

function isShort(text: string): boolean {
  return text.length <= short && (frontMatterIn(text)?.end ?? 0) <= shortFrontMatter;
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
