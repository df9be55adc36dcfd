import * as l10n from '@vscode/l10n';
import {
  type CallToolResult,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type { AgentCalls } from '../tools/agentCalls.ts';
import { AgreedServices, type ConfirmRule } from '../tools/agreement.ts';
import type { AgentHost, Plan, Reply } from '../tools/agentHost.ts';
import { type Tool, tools } from '../tools/tools.ts';
import { messageOf } from '../../common/limnerError.ts';
import { english, inLanguage, type Language } from '../../engine/messages/language.ts';
import type { Task } from '../../engine/task/task.ts';
import { ClientTransport, longestMessage } from './clientTransport.ts';
import { listImages, readImage } from './imageResources.ts';
import {
  canAsk,
  cannotAsk,
  clientOf,
  declined,
  keyOf,
  namesRoots,
  questionOf,
  unanswered,
} from './questions.ts';

export interface McpOptions {
  calls: AgentCalls;
  host: AgentHost & RootsUser;
  version: string;
  confirm: () => ConfirmRule;
  /** The language of what the client shows to the user, by default English; agents read English. */
  language?: Language;
  /** Returns the state of a task as a short text. */
  progressText: (task: Task) => string;
  onError: (error: unknown) => void;
  /** Aborted to end the server. */
  end: AbortSignal;
}

/** A host that may have to ask the client for the project's folder. */
interface RootsUser {
  needsRoots(): boolean;
  useRoots(uris: readonly string[]): void;
}

/** The question for the client's folders. */
const rootsKey = 'roots';

/** How often a client hears that an open call is still running, in milliseconds: many clients give up after a minute. */
const heartbeat = 10_000;

/** How many heartbeats a client waits for its reply that does not listen to them, or that waits once more. */
const longestSilence = 5;

/** Clients that give previews to their models as text. */
const showsNoPictures = /^(?:cline|continue)\b/iu;

const instructions =
  'Limner paints images into the project as files. Generating and editing may be billed for each image; all else is free. Look at the picture in the result, and prefer limner_edit_image over generating anew. If a call ends while its task is running, call limner_resume_task instead of repeating it.';

/**
 * Serves the tools until the client disconnects or the server is to end. Open calls then leave their tasks to the next
 * process.
 *
 * @returns why it ended, if the client broke the protocol
 */
export async function serveTools(options: McpOptions): Promise<string | undefined> {
  const session = new Session(options);
  const transport = new ClientTransport(() => session.leave());
  if (options.end.aborted) {
    return undefined;
  }
  options.end.addEventListener('abort', () => void transport.close(), { once: true });
  const handle = serveStdio(() => session.server(), { transport, onerror: options.onError });
  await transport.closed;
  await handle.close();
  return transport.isFlooded
    ? `The client sent a message longer than ${longestMessage / 1024 / 1024} MB.`
    : undefined;
}

class Session {
  readonly #options: McpOptions;
  readonly #agreed = new AgreedServices();
  #isLeaving = false;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** Notes that the client is gone, so that calls that end now do not count as canceled. */
  leave(): void {
    this.#isLeaving = true;
  }

  server(): McpServer {
    const { version, host } = this.#options;
    const server = new McpServer({ name: 'limner', title: 'Limner', version }, { instructions });
    for (const tool of tools) {
      server.registerTool(
        tool.name,
        {
          title: tool.title,
          description: tool.description,
          inputSchema: described(tool),
          annotations: tool.hints,
        },
        async (input: unknown, context: ServerContext) => this.#call(server, tool, input, context),
      );
    }
    server.registerResource(
      'images',
      new ResourceTemplate('file:///{+path}', { list: async () => ({ resources: await listImages(host) }) }),
      { description: 'Images of the project that Limner made' },
      async (uri) => {
        const image = await readImage(host, uri.href).catch((error: unknown) => {
          throw new ProtocolError(ProtocolErrorCode.InvalidParams, messageOf(error));
        });
        return { contents: [image] };
      },
    );
    server.server.registerCapabilities({ tools: { listChanged: false }, resources: { listChanged: false } });
    return server;
  }

  async #call(
    server: McpServer,
    tool: Tool,
    input: unknown,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { calls } = this.#options;
    const located = this.#locate(server, context);
    if (located) {
      return located;
    }
    // A refused call reports its reason when it runs.
    const plan = await calls.plan(tool.name, input).catch(() => undefined);
    const asked = plan && this.#ask(server, plan, context);
    if (asked) {
      return asked;
    }
    const progress = new Progress(context, this.#options, tool.name === 'limner_resume_task');
    const signal = this.#cancellationOf(context);
    try {
      return resultOf(
        await calls.run(tool.name, input, {
          signal,
          patience: progress.patience,
          isLeft: () => this.#isLeaving,
          onProgress: (task) => progress.show(task),
          plan,
        }),
        showsNoPictures.test(clientOf(server, context)),
      );
    } finally {
      progress.dispose();
    }
  }

  /** Returns the question for the folders that the client has open; undefined if they are known or can't be. */
  #locate(server: McpServer, context: ServerContext): InputRequiredResult | undefined {
    const { host } = this.#options;
    const answer = inputResponse(context.mcpReq.inputResponses, rootsKey);
    if (answer.kind === 'roots') {
      host.useRoots(answer.roots.map(({ uri }) => uri));
      return undefined;
    }
    // The user's answer comes to a call whose folders are known.
    const isAnswer = context.mcpReq.inputResponses !== undefined;
    return host.needsRoots() && !isAnswer && namesRoots(server, context)
      ? inputRequired({ inputRequests: { [rootsKey]: inputRequired.listRoots() } })
      : undefined;
  }

  /** Returns the question for the user or the reply that ends the call; undefined if the call may run. */
  #ask(
    server: McpServer,
    plan: Plan,
    context: ServerContext,
  ): CallToolResult | InputRequiredResult | undefined {
    const rule = this.#options.confirm();
    if (!this.#agreed.mustAsk(plan, rule)) {
      return undefined;
    }
    const question = keyOf(plan);
    const answer = inputResponse(context.mcpReq.inputResponses, question);
    if (answer.kind !== 'elicit') {
      return canAsk(server, context)
        ? inputRequired({
            inputRequests: { [question]: inputRequired.elicit(questionOf(plan, this.#options.language)) },
          })
        : refusal(cannotAsk(plan, rule));
    }
    if (answer.action !== 'accept') {
      return refusal((answer.action === 'decline' ? declined : unanswered)(plan, rule));
    }
    this.#agreed.add(plan);
    return undefined;
  }

  /** Returns a signal that is aborted when the client cancels a call, but not when it disconnects. */
  #cancellationOf({ mcpReq: { signal } }: ServerContext): AbortSignal {
    const controller = new AbortController();
    const abort = (): void => {
      if (!this.#isLeaving) {
        controller.abort();
      }
    };
    signal.addEventListener('abort', abort);
    if (signal.aborted) {
      abort();
    }
    return controller.signal;
  }
}

class Progress {
  readonly #context: ServerContext;
  readonly #options: McpOptions;
  readonly #timer: NodeJS.Timeout;
  #task: Task | undefined;
  /** In percent. It must grow with each message and never reaches 100, which the result stands for. */
  #last = 0;
  readonly #patience = new AbortController();
  readonly #isSlice: boolean;
  #beats = 0;

  /** @param isSlice whether the call is to be answered soon, even if its client listens */
  constructor(context: ServerContext, options: McpOptions, isSlice: boolean) {
    this.#context = context;
    this.#options = options;
    this.#isSlice = isSlice;
    this.#timer = setInterval(() => this.#beat(), heartbeat).unref();
  }

  /** Aborted when the client needs its reply. */
  get patience(): AbortSignal {
    return this.#patience.signal;
  }

  show(task: Task): void {
    this.#task = task;
    this.#send();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  get #token(): string | number | undefined {
    return this.#context.mcpReq._meta?.progressToken;
  }

  #beat(): void {
    this.#send();
    if ((this.#isSlice || this.#token === undefined) && ++this.#beats === longestSilence) {
      this.#patience.abort();
    }
  }

  #send(): void {
    const { mcpReq } = this.#context;
    const progressToken = this.#token;
    if (progressToken === undefined) {
      return;
    }
    const known = Math.min(this.#task?.progress ?? 0, 99);
    this.#last = Math.max(known, this.#last + (100 - this.#last) / 1000);
    const message = this.#task
      ? this.#options.progressText(this.#task)
      : inLanguage(this.#options.language ?? english, () => l10n.t('preparing'));
    mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress: this.#last, total: 100, message },
      })
      .catch(this.#options.onError);
  }
}

/** Returns the arguments of a tool for clients. The call itself checks them, and says what a refusal cost. */
function described({ schema }: Tool): ReturnType<typeof toStandardJsonSchema> {
  const { '~standard': standard } = toStandardJsonSchema(schema);
  return { '~standard': { ...standard, validate: (value: unknown) => ({ value: value ?? {} }) } };
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function resultOf({ text, isError, pictures }: Reply, isWithoutPictures: boolean): CallToolResult {
  return {
    content: [
      { type: 'text', text },
      ...(isWithoutPictures ? [] : pictures).map(({ data, mediaType }) => ({
        type: 'image' as const,
        data: Buffer.from(data).toString('base64'),
        mimeType: mediaType,
      })),
    ],
    isError,
  };
}
