import { randomBytes } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as v from 'valibot';
import * as vscode from 'vscode';
import { spokenLanguage } from '../../engine/messages/language.ts';
import type { Engine } from '../../engine/run/engine.ts';
import type { Draft } from '../../studio/protocol/draft.ts';
import { type StudioMessage, studioRequest } from '../../studio/protocol/messages.ts';
import type { ReplacedDraft, StudioState, StudioTask } from '../../studio/protocol/state.ts';
import { taskOnBlack } from '../../engine/task/twoBackgrounds.ts';
import type { Task } from '../../engine/task/task.ts';
import type { LanguageModels } from '../generate/promptWriter.ts';
import type { TaskNotices } from '../taskList/taskNotices.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { plainText } from '../window/plainText.ts';
import type { ErrorAction } from '../window/offers.ts';
import { describeFailure, refuse } from '../ask/refusal.ts';
import { answerRequest, type StudioFailure, type StudioHandlers } from './answerRequest.ts';
import { stylesFolder } from '../../engine/operations/style.ts';
import { type DraftFile, isUnsent } from './draftFile.ts';
import type { DraftInputs } from './draftInputs.ts';
import { InputWatch } from './inputWatch.ts';
import { PageVersions, studioPage } from './studioPage.ts';
import type { StudioImages } from './studioImages.ts';
import type { studioSettings } from './studioSettings.ts';
import { studioTask } from './studioTask.ts';
import type { TargetPreview } from './targetPreview.ts';

/** State that outlives a panel in its window. */
export interface PanelSession {
  readonly panel: Promise<StudioPanel> | undefined;
  /** Whether the draft is being sent, possibly for a closed page: it isn't sent twice. */
  isSending: boolean;
}

export interface StudioPanelOptions {
  draft: DraftFile;
  inputs: DraftInputs;
  images: StudioImages;
  target: TargetPreview;
  settings: () => ReturnType<typeof studioSettings>;
  languageModels: Pick<LanguageModels, 'onDidChange'>;
  engine: EngineHost;
  notices: TaskNotices;
  log: vscode.LogOutputChannel;
}

/**
 * The open panel. It gives its webview a page with the whole state, answers its requests, and reports changed tasks and
 * settings. Hiding destroys a webview, so its next page is prepared at that moment.
 */
export class StudioPanel implements vscode.Disposable {
  readonly draft: DraftFile;
  readonly inputs: DraftInputs;
  readonly images: StudioImages;
  readonly target: TargetPreview;
  readonly #options: StudioPanelOptions;
  readonly #session: PanelSession;
  readonly #panel: vscode.WebviewPanel;
  readonly #subscriptions: { dispose(): void }[] = [];
  readonly #errorActions = new Map<number, readonly ErrorAction[]>();
  readonly #changed = new Set<string>();
  readonly #watch = new InputWatch(() => void this.#tellInputs());
  #isTelling = false;
  /** Replaced parts of the draft, until the page that can undo it is gone. */
  #replaced: ReplacedDraft | undefined;
  /** Page count: answers to earlier pages are dropped. */
  #page = 0;
  readonly #versions = new PageVersions();
  #isDisposed = false;

  constructor(
    panel: vscode.WebviewPanel,
    session: PanelSession,
    options: StudioPanelOptions,
    handlersOf: (studio: StudioPanel) => StudioHandlers,
  ) {
    const { draft, engine, notices, languageModels } = options;
    this.draft = draft;
    this.inputs = options.inputs;
    this.images = options.images;
    this.target = options.target;
    this.#options = options;
    this.#session = session;
    this.#panel = panel;
    panel.iconPath = new vscode.ThemeIcon('symbol-color');
    panel.webview.options = {
      enableScripts: true,
      localResourceRoots: this.images.roots,
    };
    const handlers = handlersOf(this);
    this.watchInputs();
    this.#subscriptions.push(
      this.#watch,
      panel.webview.onDidReceiveMessage(async (message: unknown) => {
        const request = v.safeParse(studioRequest, message);
        if (!request.success) {
          return;
        }
        if (this.#versions.isOutdated(request.output)) {
          if (request.output.method === 'opened') {
            await this.setPage();
          }
          return;
        }
        const page = this.#page;
        const answer = await answerRequest(handlers, request.output, (error, id) => this.#fail(error, id));
        if (page === this.#page && !this.#isDisposed) {
          this.post(answer);
        } else if (answer.kind === 'failure') {
          // No page is left to show it.
          void vscode.window.showErrorMessage(plainText(answer.message));
        }
        if (!panel.visible && !this.#isDisposed) {
          // The webview was hidden after its last message.
          await this.setPage();
        }
      }),
      panel.onDidChangeViewState(() => {
        if (!panel.visible) {
          this.#replaced = undefined;
          void this.setPage();
        }
      }),
      panel.onDidDispose(() => this.dispose()),
      notices.leaveTo((id) => {
        const { tasks, view } = draft.draft;
        return panel.visible && view.stage === 'results' && tasks.includes(id);
      }),
      vscode.workspace.onDidCreateFiles(() => this.changed(draft.draft.tasks)),
      vscode.workspace.onDidDeleteFiles(() => this.changed(draft.draft.tasks)),
      vscode.workspace.onDidRenameFiles(() => this.changed(draft.draft.tasks)),
      languageModels.onDidChange(() => void this.tellSettings()),
      ...watchStyles(() => void this.tellSettings()),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration('limner')) {
          void this.tellSettings();
        }
      }),
    );
    if (engine.opened) {
      this.#follow(engine.opened);
    } else {
      this.#subscriptions.push(engine.onDidOpen((opened) => this.#follow(opened)));
    }
  }

  /** Adds started tasks to the draft, in case the webview closes first. @returns the ID of the first */
  async taskStarted(...started: readonly (Task | undefined)[]): Promise<string | null> {
    const ids = started.flatMap((task) => task?.id ?? []);
    const [first] = ids;
    if (first === undefined) {
      return null;
    }
    const { tasks } = this.draft.draft;
    // Its request was sent, even if the draft can't be kept.
    await this.draft.change({ tasks: [...ids, ...tasks.filter((id) => !ids.includes(id))] }).catch(() => {});
    for (const task of ids.toReversed()) {
      await this.#tellShown({ kind: 'taskStarted', task });
    }
    return first;
  }

  /**
   * Sends the draft, but not again before that has ended.
   *
   * @throws LimnerError `invalid_request` while it is being sent
   */
  async send(submit: () => Promise<string | null>): Promise<string | null> {
    if (this.#session.isSending) {
      throw refuse('invalid_request', l10n.t("The request is already being sent and isn't sent twice."));
    }
    this.#session.isSending = true;
    try {
      await this.#tellShown({ kind: 'sending', isSending: true });
      return await submit();
    } finally {
      this.#session.isSending = false;
      await this.#tellShown({ kind: 'sending', isSending: false });
    }
  }

  changed(ids: readonly string[]): void {
    for (const id of ids) {
      this.#changed.add(id);
    }
    void this.#tell();
  }

  /**
   * Changes the draft so that the next page can undo it.
   *
   * @param before the draft until then
   * @param isShown whether the page says so
   */
  async replaceDraft(before: Draft, changes: Partial<Draft>, isShown = isUnsent(before)): Promise<void> {
    const parts = Object.fromEntries(Object.entries(before).filter(([part]) => part in changes));
    this.#replaced = { parts, isUnsent: isShown };
    await this.draft.change(changes);
    this.watchInputs();
  }

  watchInputs(): void {
    this.#watch.watch(this.inputs.originals);
  }

  /** Reports all that may have changed since the page's state was collected. */
  tellAll(): void {
    this.changed(this.draft.draft.tasks);
    void this.#tellInputs();
    void this.tellSettings();
  }

  async runErrorAction(failure: number, action: number): Promise<void> {
    await this.#errorActions.get(failure)?.[action]?.run();
  }

  async tellSettings(): Promise<void> {
    if (this.isVisible) {
      this.target.forget();
      const target = await this.target.refresh();
      this.post({ kind: 'settings', ...(await this.#options.settings()), target });
    }
  }

  get isVisible(): boolean {
    return this.#panel.visible;
  }

  get hasPage(): boolean {
    return this.#panel.webview.html !== '';
  }

  reveal(): void {
    this.#panel.reveal();
  }

  post(message: StudioMessage): void {
    void this.#panel.webview.postMessage(message);
  }

  /** Gives the webview a new page with the current state. */
  async setPage(): Promise<void> {
    const { webview } = this.#panel;
    const page = ++this.#page;
    this.#errorActions.clear();
    const state = await this.#state();
    if (page !== this.#page || this.#isDisposed) {
      return;
    }
    this.#versions.give(page);
    webview.html = studioPage({
      script: this.images.codeUrl('studio.js'),
      style: this.images.codeUrl('studio.css'),
      cspSource: webview.cspSource,
      nonce: randomBytes(16).toString('base64'),
      language: vscode.env.language,
      title: 'Limner Studio',
      data: { page, state, texts: spokenLanguage().texts },
    });
  }

  dispose(): void {
    this.#isDisposed = true;
    vscode.Disposable.from(...this.#subscriptions).dispose();
  }

  /** Sends a message to the visible page, possibly of another panel. */
  async #tellShown(message: StudioMessage): Promise<void> {
    const panel = await this.#session.panel;
    if (panel?.isVisible) {
      panel.post(message);
    }
  }

  async #tellInputs(): Promise<void> {
    if (this.isVisible) {
      this.post({ kind: 'inputs', inputs: await this.inputs.used() });
    }
  }

  #fail(error: unknown, id: number): StudioFailure | undefined {
    const failure = describeFailure(this.#options.log, error);
    if (!failure) {
      return undefined;
    }
    const { message, actions } = failure;
    this.#errorActions.set(id, actions);
    return { message, errorActions: actions.map(({ title }) => title) };
  }

  async #state(): Promise<StudioState> {
    const { draft } = this.draft;
    const replaced = this.#replaced;
    const [tasks, known, settings] = await Promise.all([
      this.#tasks([...new Set([...draft.tasks, ...(replaced?.parts.tasks ?? [])])]),
      this.inputs.used(replaced?.parts.inputs),
      this.#options.settings(),
    ]);
    const { isSending } = this.#session;
    return {
      draft,
      inputs: known,
      tasks,
      ...settings,
      target: this.target.known,
      isSending,
      ...(replaced && { replaced }),
    };
  }

  /** Returns the existing ones of these tasks; none while the engine is being opened. */
  async #tasks(ids: readonly string[]): Promise<StudioTask[]> {
    const store = this.#options.engine.opened?.store;
    const tasks = ids.flatMap((id) => store?.get(id) ?? []);
    return Promise.all(tasks.map(async (task) => studioTask(this.images, task)));
  }

  #follow({ store }: Engine): void {
    this.#subscriptions.push(
      store.onDidChange((ids) => {
        this.changed(ids);
        void this.#addOnBlack(store, ids);
      }),
    );
    this.changed(this.draft.draft.tasks);
    // They may have started while no panel was open.
    void this.#addOnBlack(store, this.draft.draft.tasks);
  }

  /** Adds the tasks that put images of shown ones on black, and others of shown batches. */
  async #addOnBlack(store: Engine['store'], ids: readonly string[]): Promise<void> {
    const { tasks } = this.draft.draft;
    const shown = tasks.flatMap((id) => store.get(id)?.request.batch?.id ?? []);
    const isOfShown = (task: Task | undefined): boolean =>
      shown.filter((id) => id === task?.request.batch?.id).length > 1;
    const others = ids.filter((id) => !tasks.includes(id)).map((id) => store.get(id));
    await this.taskStarted(...others.filter(isOfShown));
    for (const id of ids.filter((changed) => tasks.includes(changed))) {
      const task = store.get(id);
      const next = store.get((task && taskOnBlack(task)) ?? '');
      await (next && !tasks.includes(next.id) && this.taskStarted(next));
    }
  }

  /** Reports the changed tasks in one message. Changes during it go into the next one. */
  async #tell(): Promise<void> {
    if (this.#isTelling) {
      return;
    }
    this.#isTelling = true;
    try {
      while (this.isVisible && this.#changed.size > 0) {
        const ids = [...this.#changed];
        this.#changed.clear();
        const tasks = await this.#tasks(ids);
        const there = new Set(tasks.map(({ id }) => id));
        this.post({ kind: 'tasks', tasks, removed: ids.filter((id) => !there.has(id)) });
        if (tasks.some(({ standing }) => standing === 'ended')) {
          // Its files may have taken the name of the next one.
          await this.tellSettings();
        }
      }
    } finally {
      this.#isTelling = false;
    }
  }
}

/** Calls back whenever the styles of the workspace have changed. */
function watchStyles(changed: () => void): vscode.Disposable[] {
  const watcher = vscode.workspace.createFileSystemWatcher(`**/${stylesFolder}/*.json`);
  return [watcher, watcher.onDidCreate(changed), watcher.onDidChange(changed), watcher.onDidDelete(changed)];
}
