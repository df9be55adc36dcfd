// Room: the tools for agents as an MCP server, on standard input and output.
// Never: `vscode`, what a call does.

import { once } from 'node:events';
import {
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import type { AgentCalls } from '../../agents/agentCalls.ts';
import type { AgentHost, Plan, Reply } from '../../agents/agentHost.ts';
import { checkLinks, isWithin, placeOf } from '../../agents/places.ts';
import { type Tool, tools } from '../../agents/tools.ts';
import { ellipsize } from '../../common/text.ts';
import { messageOf } from '../../common/messageOf.ts';
import type { Task } from '../../tasks/task.ts';

/** When a person is asked through the client before a call is sent. */
export interface ConfirmRule {
  when: 'always' | 'session' | 'above';
  /** With `above`: calls for more images ask. */
  above: number;
}

export interface McpOptions {
  calls: AgentCalls;
  host: AgentHost;
  version: string;
  confirm: ConfirmRule;
  /** Returns how many images of a call may be billed. */
  imagesOf: (plan: Plan) => number;
  /** Returns the state of a task in a few words. */
  progressText: (task: Task) => string;
  onError: (error: unknown) => void;
}

/** How often a client hears of a call that is not getting further, in milliseconds: many give up after a minute. */
const heartbeat = 10_000;
/** Most images in the list of resources. */
const maxListed = 50;

const instructions =
  'Limner paints images into the project as files. Generating and editing may be billed for each image; finishing and listing are free. Look at the picture in the result, and prefer limner_edit_image over generating anew.';

/** Serves the tools until the client is gone. Calls that are open then leave their tasks to the next process. */
export async function serveTools(options: McpOptions): Promise<void> {
  const session = new Session(options);
  const ended = Promise.race(['end', 'close'].map(async (event) => once(process.stdin, event)));
  // Before the SDK hears of it, which cancels what is open.
  process.stdin.once('end', () => session.leave());
  const handle = serveStdio(() => session.server(), { onerror: options.onError });
  await ended;
  await handle.close();
}

class Session {
  readonly #options: McpOptions;
  /** The person agreed already to a call that costs something. */
  #hasAgreed = false;
  #isLeaving = false;

  constructor(options: McpOptions) {
    this.#options = options;
  }

  /** Notes that the client is gone: what ends now was not cancelled. */
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
          inputSchema: toStandardJsonSchema(tool.schema),
          annotations: annotationsOf(tool),
        },
        async (input: unknown, context: ServerContext) => this.#call(server, tool, input, context),
      );
    }
    server.registerResource(
      'images',
      new ResourceTemplate('file:///{+path}', { list: async () => ({ resources: await listImages(host) }) }),
      { title: 'Images', description: 'Images of the project that Limner made' },
      async (uri) => ({ contents: [await readImage(host, uri.href)] }),
    );
    return server;
  }

  async #call(
    server: McpServer,
    tool: Tool,
    input: unknown,
    context: ServerContext,
  ): Promise<CallToolResult | InputRequiredResult> {
    const { calls } = this.#options;
    // A call that is refused says so when it runs.
    const planned = await calls.plan(tool.name, input).catch(() => undefined);
    const plan = planned && { ...planned, images: this.#options.imagesOf(planned) };
    if (plan && this.#mustAsk(plan)) {
      const question = keyOf(plan);
      const answer = inputResponse(context.mcpReq.inputResponses, question);
      if (answer.kind !== 'elicit') {
        return canAsk(server, context)
          ? inputRequired({ inputRequests: { [question]: inputRequired.elicit(questionOf(plan)) } })
          : refusal(cannotAsk(plan, this.#options.confirm));
      }
      if (answer.action !== 'accept') {
        return refusal("The person declined. Don't call the tool again unless they ask for it.");
      }
      this.#hasAgreed ||= plan.images > 0;
    }
    const progress = new Progress(context, this.#options);
    const signal = this.#cancellationOf(context);
    try {
      return resultOf(
        await calls.run(tool.name, input, { signal, onProgress: (task) => progress.show(task), plan }),
      );
    } finally {
      progress.dispose();
    }
  }

  /** Returns what is aborted when the client cancels a call, but not when it is gone. */
  #cancellationOf({ mcpReq: { signal } }: ServerContext): AbortSignal {
    const controller = new AbortController();
    const abort = (): void => {
      if (!this.#isLeaving) {
        controller.abort();
      }
    };
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
    }
    return controller.signal;
  }

  #mustAsk({ images, replaces }: Plan): boolean {
    const { when, above } = this.#options.confirm;
    switch (when) {
      case 'always':
        return images > 0 || replaces;
      case 'session':
        return (images > 0 && !this.#hasAgreed) || replaces;
      case 'above':
        return images > above || replaces;
    }
  }
}

/** Tells a client that wants to know how a call gets further. */
class Progress {
  readonly #context: ServerContext;
  readonly #options: McpOptions;
  readonly #timer: NodeJS.Timeout;
  #task: Task | undefined;
  /** It must grow with each message. */
  #last = 0;

  constructor(context: ServerContext, options: McpOptions) {
    this.#context = context;
    this.#options = options;
    this.#timer = setInterval(() => this.#send(), heartbeat).unref();
  }

  show(task: Task): void {
    this.#task = task;
    this.#send();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #send(): void {
    const { mcpReq } = this.#context;
    const progressToken = mcpReq._meta?.progressToken;
    if (progressToken === undefined) {
      return;
    }
    this.#last = Math.max(this.#task?.progress ?? 0, this.#last + 0.01);
    const message = this.#task ? this.#options.progressText(this.#task) : 'preparing';
    mcpReq
      .notify({
        method: 'notifications/progress',
        params: { progressToken, progress: this.#last, total: 100, message },
      })
      .catch(this.#options.onError);
  }
}

function annotationsOf({ name }: Tool): {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  openWorldHint: boolean;
} {
  return {
    readOnlyHint: name === 'limner_list_tasks',
    destructiveHint: false,
    openWorldHint: name === 'limner_generate_image' || name === 'limner_edit_image',
  };
}

/** Whether a client can put a question to the person. */
function canAsk(server: McpServer, { mcpReq }: ServerContext): boolean {
  const envelope: Record<string, unknown> = { ...mcpReq.envelope };
  const declared = envelope[CLIENT_CAPABILITIES_META_KEY] ?? server.server.getClientCapabilities();
  return typeof declared === 'object' && declared !== null && 'elicitation' in declared;
}

/** Says what can be done where a call needs an agreement that the client can't ask for. */
function cannotAsk({ replaces }: Plan, { when, above }: ConfirmRule): string {
  const step = replaces
    ? 'choose a path where no file is.'
    : when === 'above'
      ? `make at most ${above} images in one call.`
      : 'tell the person that LIMNER_AGENTS_CONFIRM=above in the environment of this server leaves it to the client to approve calls.';
  return `This call needs the person's agreement, and this client can't ask for it.\nCost: none. Nothing was sent.\nWhat to do: ${step}`;
}

/** Returns the name of a question, which an answer is for as long as the call would do the same. */
function keyOf({ images, replaces }: Plan): string {
  return `agree-${images}${replaces ? '-replace' : ''}`;
}

function questionOf({ call, path, images, replaces }: Plan): Parameters<typeof inputRequired.elicit>[0] {
  const lines = [
    ...(images > 0 ? [`Make ${images === 1 ? '1 image' : `${images} images`} with Limner?`] : []),
    ...(images > 0 ? ['Each image may be billed.'] : []),
    `File: ${inOneLine(path)}`,
    ...(replaces ? ['This replaces a file. What it holds now is kept by Limner for 30 days.'] : []),
    ...detailsOf(call.input),
  ];
  return { message: lines.join('\n'), requestedSchema: { type: 'object', properties: {} } };
}

/** Says what else is sent, in lines that what an agent wrote cannot end. */
function detailsOf(input: Plan['call']['input']): string[] {
  return [
    ...('images' in input ? said('Images that are sent', input.images.join(', ')) : []),
    ...('mask' in input ? said('Mask that is sent', input.mask) : []),
    ...('size' in input ? said('Size', input.size) : []),
    ...('model' in input ? said('Model', input.model) : []),
    ...('prompt' in input ? said('Prompt', input.prompt) : []),
  ];
}

function said(name: string, value: string | undefined): string[] {
  return value === undefined ? [] : [`${name}: ${inOneLine(value)}`];
}

/** The longest that is shown of what an agent wrote, in UTF-16 units. */
const longestShown = 500;

function inOneLine(text: string): string {
  return ellipsize(text.replaceAll(/[\s\p{Cc}\p{Bidi_Control}]+/gu, ' ').trim(), longestShown);
}

function refusal(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true };
}

function resultOf({ text, isError, pictures, files }: Reply): CallToolResult {
  return {
    content: [
      { type: 'text', text },
      ...pictures.map(({ data, mediaType }) => ({
        type: 'image' as const,
        data: Buffer.from(data).toString('base64'),
        mimeType: mediaType,
      })),
      ...files.map(({ uri, path, mediaType }) => ({
        type: 'resource_link' as const,
        uri,
        name: path,
        mimeType: mediaType,
      })),
    ],
    isError,
  };
}

async function listImages(host: AgentHost): Promise<{ uri: string; name: string; mimeType: string }[]> {
  const [{ store }, roots] = await Promise.all([host.engine(), host.roots()]);
  const isHere = (folder: string): boolean => isWithin(folder, roots);
  return store
    .listWithin({ isWithin: isHere, ids: new Set() }, { limit: maxListed })
    .flatMap(({ results }) =>
      results.flatMap(({ state, discarded, uri, mediaType = 'image/png' }) =>
        state === 'saved' && !discarded && uri !== undefined
          ? [{ uri, name: host.nameOf(uri), mimeType: mediaType }]
          : [],
      ),
    );
}

/** @throws Error when it is no image of the workspace */
async function readImage(
  host: AgentHost,
  uri: string,
): Promise<{ uri: string; mimeType: string; blob: string }> {
  const place = placeOf(uri, await host.roots());
  await checkLinks(place);
  const bytes = await host.read(place.uri).catch((error: unknown) => {
    throw new Error(messageOf(error), { cause: error });
  });
  if (!bytes) {
    throw new Error(`The file "${place.path}" does not exist.`);
  }
  const extension = place.fileName.slice(place.fileName.lastIndexOf('.') + 1).toLowerCase();
  const mimeType = `image/${extension === 'jpg' ? 'jpeg' : extension}`;
  return { uri, mimeType, blob: Buffer.from(bytes).toString('base64') };
}
