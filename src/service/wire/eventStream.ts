import { EventLoopYielder } from './responseLimits.ts';

export interface EventData {
  /** Takes the next bytes of the current event's data; its lines are joined by line feeds. */
  data(bytes: Buffer): Promise<void>;
  endEvent(): Promise<void>;
}

type State = 'field' | 'beforeValue' | 'value' | 'ignored';

const lineFeed = Buffer.from('\n');
const carriageReturn = 0x0d;
const colon = 0x3a;
const space = 0x20;

/**
 * Reads server-sent events from pieces of any size without ever buffering a line. Only data is passed on; comments and
 * other fields are skipped. Lines end in CR, LF, or both.
 */
export class EventStreamReader {
  readonly #target: EventData;
  #state: State = 'field';
  #field = '';
  #isAfterReturn = false;
  #hasData = false;
  readonly #yielder = new EventLoopYielder();

  constructor(target: EventData) {
    this.#target = target;
  }

  async write(chunk: Buffer): Promise<void> {
    let position = 0;
    while (position < chunk.length) {
      if (this.#yielder.isDue) {
        await this.#yielder.yield();
      }
      if (this.#isAfterReturn) {
        this.#isAfterReturn = false;
        if (chunk[position] === lineFeed[0]) {
          position += 1;
          continue;
        }
      }
      const end = endOfLine(chunk, position);
      // Awaiting nothing takes longer than skipping a line.
      const taken = this.#readLine(chunk.subarray(position, end));
      if (taken !== undefined) {
        await taken;
      }
      if (end < chunk.length) {
        this.#isAfterReturn = chunk[end] === carriageReturn;
        const ended = this.#endLine();
        if (ended !== undefined) {
          await ended;
        }
      }
      position = end + 1;
    }
  }

  /** Ends the stream. An event that lacks only its empty line counts. */
  async end(): Promise<void> {
    await this.#endLine();
    if (this.#hasData) {
      await this.#endEvent();
    }
  }

  /** Takes a piece of a line, and returns a promise only for data. */
  #readLine(piece: Buffer): Promise<void> | undefined {
    if (this.#state !== 'field') {
      return this.#state === 'ignored' ? undefined : this.#readValue(piece);
    }
    const end = piece.indexOf(colon);
    this.#field += piece.toString('latin1', 0, Math.min(end === -1 ? piece.length : end, 'data'.length + 1));
    if (end === -1) {
      return undefined;
    }
    if (this.#field === 'data') {
      return this.#beginValue(piece.subarray(end + 1));
    }
    this.#state = 'ignored';
    return undefined;
  }

  async #beginValue(piece: Buffer): Promise<void> {
    if (this.#hasData) {
      await this.#target.data(lineFeed);
    }
    this.#hasData = true;
    this.#state = 'beforeValue';
    await this.#readValue(piece);
  }

  async #readValue(piece: Buffer): Promise<void> {
    let rest = piece;
    if (this.#state === 'beforeValue' && rest.length > 0) {
      if (rest[0] === space) {
        rest = rest.subarray(1);
      }
      this.#state = 'value';
    }
    await this.#target.data(rest);
  }

  #endLine(): Promise<void> | undefined {
    const isEmpty = this.#state === 'field' && this.#field === '';
    this.#state = 'field';
    this.#field = '';
    return isEmpty && this.#hasData ? this.#endEvent() : undefined;
  }

  async #endEvent(): Promise<void> {
    this.#hasData = false;
    await this.#target.endEvent();
  }
}

function endOfLine(chunk: Buffer, start: number): number {
  const feed = chunk.indexOf(0x0a, start);
  const end = feed === -1 ? chunk.length : feed;
  const early = chunk.subarray(start, end).indexOf(carriageReturn);
  return early === -1 ? end : start + early;
}
