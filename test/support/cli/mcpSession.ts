import assert from 'node:assert/strict';
import { Client, type CallToolResult, type ClientOptions } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { eventually } from '../eventually.ts';
import type { World } from './limner.ts';

/** How a user answers the questions of a session: not at all where the client can't ask. */
export type Answer = 'accept' | 'decline' | 'cancel';

export interface SessionOptions {
  answer?: Answer;
  /** What the client says about its questions. */
  elicitation?: NonNullable<NonNullable<ClientOptions['capabilities']>['elicitation']>;
  env?: Record<string, string>;
  /** URIs of the folders that the client has open; without any, it doesn't say. */
  roots?: readonly string[];
  /** The revision of the protocol: that with `initialize`, or the one of 2026. */
  era?: NonNullable<ClientOptions['versionNegotiation']>['mode'];
}

/** An official MCP client with its own `limner mcp`: `await using` closes both. */
export class McpSession {
  readonly client: Client;
  /** What the user was asked. */
  readonly questions: string[] = [];
  /** The messages of progress of all calls. */
  readonly progress: { progress: number; message?: string | undefined }[] = [];
  readonly #transport: StdioClientTransport;
  #stderr = '';

  private constructor(client: Client, transport: StdioClientTransport) {
    this.client = client;
    this.#transport = transport;
    transport.stderr?.on('data', (text: Buffer) => (this.#stderr += text.toString()));
  }

  /** What the server wrote to standard error. */
  get stderr(): string {
    return this.#stderr;
  }

  static async open(
    world: World,
    { answer, elicitation = answer && { form: {} }, env = {}, roots, era = 'legacy' }: SessionOptions = {},
  ): Promise<McpSession> {
    const client = new Client(
      { name: 'test', version: '1.0.0' },
      {
        capabilities: { ...(elicitation && { elicitation }), ...(roots && { roots: {} }) },
        versionNegotiation: { mode: era },
      },
    );
    const transport = new StdioClientTransport({ ...world.mcp(env), stderr: 'pipe' });
    const session = new McpSession(client, transport);
    if (answer) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        session.questions.push(params.message);
        return { action: answer, content: {} };
      });
    }
    if (roots) {
      client.setRequestHandler('roots/list', () => ({ roots: roots.map((uri) => ({ uri })) }));
    }
    await client.connect(transport);
    return session;
  }

  /** Calls a tool, and collects its progress. */
  async call(name: string, input: Record<string, unknown>, signal?: AbortSignal): Promise<CallToolResult> {
    return this.client.callTool(
      { name, arguments: input },
      {
        timeout: 60_000,
        ...(signal && { signal }),
        onprogress: ({ progress, message }) => this.progress.push({ progress, message }),
      },
    );
  }

  /** Waits until a call has got so far. */
  async got(words: RegExp): Promise<void> {
    await eventually(
      `progress says ${String(words)}`,
      async () => Promise.resolve(this.progress),
      (seen) => seen.some(({ message = '' }) => words.test(message)),
    );
  }

  /** Kills the server, as a crash does. */
  kill(): void {
    const { pid } = this.#transport;
    assert.ok(pid !== null);
    process.kill(pid, 'SIGKILL');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.client.close();
  }
}

/** The text of a result. */
export function textOf({ content }: CallToolResult): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
