// Room: the tools that agents call in VS Code: what a person is asked before, and what the agent gets.
// Never: rules of a call: they are the same for every door.

import * as vscode from 'vscode';
import { AgentCalls } from '../../agents/agentCalls.ts';
import { AgreedServices } from '../../agents/agreement.ts';
import type { Plan } from '../../agents/agentHost.ts';
import type { ToolName } from '../../agents/tools.ts';
import { ellipsize } from '../../common/text.ts';
import { offer } from '../failures/errorText.ts';
import { describeTaskFailure } from '../failures/taskFailures.ts';
import { modelName } from '../paint/models.ts';
import { costAheadText, imagesText } from '../questions/costText.ts';
import { imageCount } from '../../tasks/files/onTwoGrounds.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import type { TaskNotices } from '../taskList/taskNotices.ts';
import type { ServiceNames } from '../window/serviceNames.ts';
import type { Settings } from '../window/settings.ts';
import { oneLine } from '../window/plainText.ts';
import { confirmRule } from './agentSettings.ts';
import { EditorHost, type EditorHostServices } from './editorHost.ts';
import { PreparedCalls } from './preparedCalls.ts';

export interface AgentToolServices extends EditorHostServices {
  settings: Settings;
  names: ServiceNames;
  notices: TaskNotices;
}

export class AgentTools {
  readonly #services: AgentToolServices;
  readonly #calls: AgentCalls;
  /** What the person agreed to in this window. */
  readonly #agreed = new AgreedServices();
  readonly #prepared = new PreparedCalls();

  constructor(services: AgentToolServices) {
    this.#services = services;
    this.#calls = new AgentCalls(new EditorHost(services));
  }

  /** Says what a call is about to do, and asks where `limner.agents.confirm` says so, or a file is replaced. */
  async prepare(tool: ToolName, { input }: { input: unknown }): Promise<vscode.PreparedToolInvocation> {
    // What is refused says so once it runs.
    const plan = await this.#calls.plan(tool, input).catch(() => undefined);
    const isAsked = plan !== undefined && this.#agreed.mustAsk(plan, confirmRule(this.#services.settings));
    this.#prepared.add(nameOf(tool, input), { plan, isAsked });
    if (!plan) {
      return {
        invocationMessage:
          tool === 'limner_list_tasks'
            ? vscode.l10n.t('Listing image tasks')
            : vscode.l10n.t('Asking Limner'),
      };
    }
    const { images, path } = plan;
    return {
      invocationMessage: new vscode.MarkdownString(
        images > 0 ? vscode.l10n.t('Making {0}: ', imagesText(images)) : vscode.l10n.t('Limner works on: '),
      ).appendText(path),
      ...(isAsked && {
        confirmationMessages: {
          title:
            images > 0
              ? vscode.l10n.t('Make {0} with Limner?', imagesText(images))
              : vscode.l10n.t('Replace {0}?', path),
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
    let followed: vscode.Disposable | undefined;
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
          followed ??= this.#services.notices.follow(id);
        },
      });
      if (controller.signal.aborted && taskId !== undefined) {
        void this.#tellCancelled(taskId);
      }
      if (first !== undefined && taskId !== undefined && first !== taskId) {
        void this.#tellHeld(first, taskId);
      }
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(text),
        ...pictures.map(({ data, mediaType }) => vscode.LanguageModelDataPart.image(data, mediaType)),
      ]);
    } finally {
      cancellation.dispose();
      followed?.dispose();
    }
  }

  /** Returns what a person should know before; what an agent wrote comes last, and pushes nothing out of sight. */
  #details({ call: { input }, path, request, replaces }: Plan): vscode.MarkdownString {
    const size = 'size' in input ? input.size : undefined;
    const lines = [
      ...(replaces
        ? [vscode.l10n.t('This replaces a file. What it holds now is kept by Limner for 30 days.')]
        : []),
      ...(request ? this.#orderLines(request) : [vscode.l10n.t('This costs nothing.')]),
      ...sizeLines(size, request?.size),
      ...(request?.quality === undefined ? [] : [vscode.l10n.t('Quality: {0}', shortened(request.quality))]),
      vscode.l10n.t('File: {0}', shortened(path)),
      ...('images' in input && input.images
        ? [vscode.l10n.t('Of: {0}', shortened(input.images.join(', ')))]
        : []),
      ...('prompt' in input ? [`"${shortened(input.prompt)}"`] : []),
    ];
    return lines.reduce(
      (text, line) => text.appendText(line).appendMarkdown('\n\n'),
      new vscode.MarkdownString(),
    );
  }

  /** Says what is sent, and what it costs. */
  #orderLines(request: TaskRequest): string[] {
    const { names, models } = this.#services;
    const { model: id, free } = request;
    const model = models.configured().find((one) => one.id === id);
    const cost = costAheadText([request]);
    return [
      free
        ? vscode.l10n.t('Free (demo)')
        : vscode.l10n.t('This may be billed: {0}.', imagesText(imageCount(request))),
      ...(cost === undefined ? [] : [vscode.l10n.t('It costs {0}.', cost)]),
      vscode.l10n.t('Model: {0} ({1})', model ? modelName(model) : shortened(id), names.inUse),
    ];
  }

  /** Tells the person that only they can have the second of two images sent, which the agent's chat waited for. */
  async #tellHeld(first: string, second: string): Promise<void> {
    const { engine, notices } = this.#services;
    const { store } = await engine.get();
    const task = store.get(first);
    if (task && store.get(second)?.held) {
      await notices.saved(task, false);
    }
  }

  /** Tells the person what became of a call that an agent's chat cancelled, with the button that takes it up again. */
  async #tellCancelled(taskId: string): Promise<void> {
    const { store } = await this.#services.engine.get();
    const task = store.get(taskId);
    if (task?.status === 'stopped' && task.error) {
      const { message, actions } = describeTaskFailure(task.error, task);
      await offer(vscode.window.showInformationMessage, message, ...actions);
    }
  }
}

/** Says which size the file gets, and which one is asked of the service where that is another one. */
function sizeLines(size: string | undefined, sent = ''): string[] {
  const [wanted, asked] = [size ?? sent, sent].map((one) => one.replace('x', ' × '));
  if (!wanted) {
    return [];
  }
  return [
    !asked || asked === wanted
      ? vscode.l10n.t('Size: {0}', wanted)
      : vscode.l10n.t('Size: {0}, sent as {1}', wanted, asked),
  ];
}

/** The longest that is shown of what an agent wrote, in UTF-16 units. */
const longestShown = 500;

function shortened(text: string): string {
  return ellipsize(oneLine(text), longestShown);
}

/** Returns by what a call is known from when it is prepared until it is made. */
function nameOf(tool: ToolName, input: unknown): string {
  return JSON.stringify([tool, input]);
}
