import {
  isJSONRPCErrorResponse,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Longest message of a client, in bytes. Images travel as files, so calls are far shorter. */
export const longestMessage = 10 * 1024 * 1024;

const lineFeed = 0x0a;

/**
 * Standard input and output, until the client closes one of them or sends a message that is too long. It answers what the
 * SDK would drop: lines that are no JSON, messages that are no requests, and batches (revision 2025-03-26), whose requests
 * get one answer each.
 */
export class ClientTransport extends StdioServerTransport {
  readonly #leave: () => void;
  readonly #closed = Promise.withResolvers<void>();
  /** IDs of the questions for the user that are open. */
  readonly #questions = new Set<unknown>();
  #line: Buffer[] = [];
  #length = 0;
  #isClosed = false;
  #isFlooded = false;

  /** @param leave called before the SDK learns that the client is gone, which cancels open calls */
  constructor(leave: () => void) {
    super(process.stdin, process.stdout);
    this.#leave = leave;
    this._ondata = (chunk) => this.#read(chunk);
  }

  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get isFlooded(): boolean {
    return this.#isFlooded;
  }

  override async send(message: JSONRPCMessage): Promise<void> {
    if (isJSONRPCRequest(message) && message.method === 'elicitation/create') {
      this.#questions.add(message.id);
    }
    return super.send(message);
  }

  override async close(): Promise<void> {
    this.#isClosed = true;
    this.#leave();
    await super.close();
    this.#closed.resolve();
  }

  #read(chunk: Buffer): void {
    let start = 0;
    for (
      let end = chunk.indexOf(lineFeed);
      end !== -1 && !this.#isClosed;
      end = chunk.indexOf(lineFeed, start)
    ) {
      const line = Buffer.concat([...this.#line, chunk.subarray(start, end)]).toString();
      start = end + 1;
      this.#line = [];
      this.#length = 0;
      this.#take(line);
    }
    this.#line.push(chunk.subarray(start));
    this.#length += chunk.length - start;
    if (this.#length > longestMessage && !this.#isClosed) {
      this.#isFlooded = true;
      void this.close();
    }
  }

  #take(line: string): void {
    if (line.trim() === '') {
      return;
    }
    let message: unknown;
    try {
      message = JSON.parse(line.replace(/^\ufeff/u, ''));
    } catch {
      this.#refuse(undefined, ProtocolErrorCode.ParseError, 'This line is not JSON.');
      return;
    }
    for (const one of Array.isArray(message) && message.length > 0 ? message : [message]) {
      this.#deliver(one);
    }
  }

  #deliver(given: unknown): void {
    const message = withoutNull(given);
    if (isJSONRPCRequest(message) || isJSONRPCNotification(message)) {
      this.onmessage?.(message);
    } else if (isJSONRPCResultResponse(message)) {
      this.#questions.delete(message.id);
      this.onmessage?.(message);
    } else if (isObject(message) && ('result' in message || 'error' in message)) {
      // A client that fails to show a question has closed it.
      // Some clients return the number as a text.
      const id = Number(message['id'] ?? Number.NaN);
      if (this.#questions.delete(id)) {
        this.onmessage?.({ jsonrpc: '2.0', id, result: { action: 'cancel' } });
      } else if (isJSONRPCErrorResponse(message)) {
        this.onmessage?.(message);
      }
    } else {
      this.#refuse(message, ProtocolErrorCode.InvalidRequest, 'This is not a request of JSON-RPC 2.0.');
    }
  }

  #refuse(message: unknown, code: number, text: string): void {
    const id = isObject(message) ? message['id'] : undefined;
    const known = typeof id === 'string' || typeof id === 'number' ? { id } : {};
    const reply = { jsonrpc: '2.0' as const, ...known, error: { code, message: text } };
    this.send(reply).catch(() => undefined);
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** Leaves out the members that some libraries write as null, where a message has none. */
function withoutNull(message: unknown): unknown {
  return isObject(message) && !Array.isArray(message)
    ? Object.fromEntries(
        Object.entries(message).filter(
          ([name, value]) => value !== null || !['params', 'error'].includes(name),
        ),
      )
    : message;
}
