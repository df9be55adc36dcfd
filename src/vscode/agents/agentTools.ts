import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { AgentCalls } from '../../agents/tools/agentCalls.ts';
import { AgreedServices, requestsOf } from '../../agents/tools/agreement.ts';
import type { Plan } from '../../agents/tools/agentHost.ts';
import type { SetCall, ToolCall, ToolName } from '../../agents/tools/tools.ts';
import { ellipsize, listText } from '../../common/text.ts';
import { modelName } from '../generate/models.ts';
import { imagesText } from '../../engine/messages/costText.ts';
import { requestText } from '../taskList/costText.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import type { TaskNotices } from '../taskList/taskNotices.ts';
import type { Settings } from '../window/settings.ts';
import { oneLine } from '../window/plainText.ts';
import { confirmRule } from './agentSettings.ts';
import { EditorHost, type EditorHostServices } from './editorHost.ts';
import { PreparedCalls } from './preparedCalls.ts';

export interface AgentToolServices extends EditorHostServices {
  settings: Settings;
  notices: TaskNotices;
}

export class AgentTools {
  readonly #services: AgentToolServices;
  readonly #calls: AgentCalls;
  readonly #agreed = new AgreedServices();
  readonly #prepared = new PreparedCalls();

  constructor(services: AgentToolServices) {
    this.#services = services;
    this.#calls = new AgentCalls(new EditorHost(services));
  }

  /** Describes a call that is about to run, and asks if `limner.agents.confirm` requires it or a file is replaced. */
  async prepare(tool: ToolName, { input }: { input: unknown }): Promise<vscode.PreparedToolInvocation> {
    // A refused call explains itself once it runs.
    const plan = await this.#calls.plan(tool, input).catch(() => undefined);
    const isAsked = plan !== undefined && this.#agreed.mustAsk(plan, confirmRule(this.#services.settings));
    this.#prepared.add(nameOf(tool, input), { plan, isAsked });
    if (!plan) {
      return {
        invocationMessage: l10n.t('Asking Limner'),
      };
    }
    const { images, path } = plan;
    return {
      invocationMessage: new vscode.MarkdownString(
        images > 0 ? l10n.t('Generating {0}: ', imagesText(images)) : l10n.t('Finishing: '),
      ).appendText(path),
      ...(isAsked && {
        confirmationMessages: {
          title:
            images > 0
              ? l10n.t('Generate {0} with Limner?', imagesText(images))
              : l10n.t('Replace {0}?', path),
          message: this.#details(plan),
        },
      }),
    };
  }

  async invoke(
    tool: ToolName,
    { input }: { input: unknown },
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const { plan, isAsked } = this.#prepared.take(nameOf(tool, input));
    if (isAsked && plan) {
      this.#agreed.add(plan);
    }
    const controller = new AbortController();
    let first: string | undefined;
    const followed = new Map<string, vscode.Disposable>();
    const cancellation = token.onCancellationRequested(() => controller.abort());
    if (token.isCancellationRequested) {
      controller.abort();
    }
    try {
      const { text, pictures, taskId } = await this.#calls.run(tool, input, {
        signal: controller.signal,
        plan,
        onProgress: ({ id }) => {
          first ??= id;
          if (id === first || tool === 'limner_generate_set') {
            followed.set(id, followed.get(id) ?? this.#services.notices.follow(id));
          }
        },
      });
      if (first !== undefined && taskId !== undefined && first !== taskId) {
        void this.#tellHeld(first, taskId);
      }
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(text),
        ...pictures.map(({ data, mediaType }) => vscode.LanguageModelDataPart.image(data, mediaType)),
      ]);
    } finally {
      cancellation.dispose();
      for (const one of followed.values()) {
        one.dispose();
      }
    }
  }

  /** Returns the details for the user. The agent's own text comes last, so that it can't push anything out of sight. */
  #details(plan: Plan): vscode.MarkdownString {
    const { call, path, request, replaces } = plan;
    const { input } = call;
    const size = 'size' in input ? input.size : undefined;
    const lines = [
      ...(replaces ? [l10n.t('This replaces a file. Limner keeps its current contents for 30 days.')] : []),
      ...(request ? this.#orderLines(request, requestsOf(plan)) : [l10n.t('This costs nothing.')]),
      ...sizeLines(size, request?.size),
      ...(request?.quality === undefined ? [] : [l10n.t('Quality: {0}', shortened(request.quality))]),
      ...(request?.style ? [l10n.t('Style: {0}', shortened(request.style.name))] : []),
      ...(call.tool === 'limner_generate_set'
        ? partLines(plan, call)
        : [l10n.t('File: {0}', shortened(path)), ...inputLines(call.input)]),
    ];
    return lines.reduce(
      (text, line) => text.appendText(line).appendMarkdown('\n\n'),
      new vscode.MarkdownString(),
    );
  }

  #orderLines({ model: id }: TaskRequest, requests: readonly TaskRequest[]): string[] {
    const model = this.#services.models.configured().find((one) => one.id === id);
    return [requestText(requests), l10n.t('Model: {0}', model ? modelName(model) : shortened(id))];
  }

  /** Tells the user that only they can send the second of two images, which the agent's chat waited for. */
  async #tellHeld(first: string, second: string): Promise<void> {
    const { engine, notices } = this.#services;
    const { store } = await engine.get();
    const task = store.get(first);
    if (task && store.get(second)?.held) {
      await notices.saved(task, false);
    }
  }
}

/** Lists the images of a set that would be made. */
function partLines({ parts = [] }: Plan, { input }: SetCall): string[] {
  return input.images
    .filter((_, index) => (parts[index]?.images ?? 0) > 0)
    .map(({ path, prompt }) => `${shortened(path)}: "${shortened(prompt)}"`);
}

function inputLines(input: Exclude<ToolCall, SetCall>['input']): string[] {
  return [
    ...('images' in input && input.images
      ? [l10n.t('Input images: {0}', shortened(listText(input.images, vscode.env.language)))]
      : []),
    ...('prompt' in input ? [`"${shortened(input.prompt)}"`] : []),
  ];
}

/** Names the size of the file and, if different, the size to request from the service. */
function sizeLines(size: string | undefined, sent = ''): string[] {
  const [wanted, asked] = [size ?? sent, sent].map((one) => one.replace('x', ' × '));
  if (!wanted) {
    return [];
  }
  return [
    !asked || asked === wanted
      ? l10n.t('Size: {0}', wanted)
      : l10n.t('Size: {0}, sent as {1}', wanted, asked),
  ];
}

/** Maximum length of an agent's text, in UTF-16 units. */
const longestShown = 500;

function shortened(text: string): string {
  return ellipsize(oneLine(text), longestShown);
}

/** Returns the key that identifies a call between its preparation and its execution. */
function nameOf(tool: ToolName, input: unknown): string {
  return JSON.stringify([tool, input]);
}
