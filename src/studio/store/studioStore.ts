import type { Draft } from '../protocol/draft.ts';
import type { StudioInput, StudioModel, StudioState, StudioTarget, StudioTask } from '../protocol/state.ts';
import { type Host, HostError, type HostEvent } from './host.ts';
import { messageOf } from '../../common/messageOf.ts';

/** The state from which the whole page is drawn. */
export interface StudioStoreState {
  draft: Draft;
  /** Known input images by id; the draft lists those in use. */
  inputs: ReadonlyMap<string, StudioInput>;
  models: readonly StudioModel[];
  defaultModel: string;
  defaults: StudioState['defaults'];
  /** Known tasks by id: those of the draft, and those of the history that were opened. */
  tasks: ReadonlyMap<string, StudioTask>;
  target: StudioTarget;
  isConnected: boolean;
  /** Whether the draft is being sent, by this page or an earlier one. */
  isSending: boolean;
  /** Whether keys are labeled for macOS, by the system of the page, which may differ from that of the host. */
  isMac: boolean;
  /** The last problem, until it is dismissed. */
  problem: string | undefined;
  /** Buttons below the problem. */
  errorActions: readonly ErrorAction[];
}

/** A button that fixes a problem. */
export interface ErrorAction {
  title: string;
  run: () => Promise<void>;
}

/** Holds the state of the page; each change of the draft is sent to the host at once. */
export class StudioStore {
  readonly #host: Host;
  readonly #listeners = new Set<() => void>();
  #state: StudioStoreState;
  /** The draft that was sent to the host last. */
  #told: Draft;

  constructor(initial: StudioState, host: Host) {
    const { inputs, tasks, ...rest } = initial;
    this.#host = host;
    this.#state = {
      ...rest,
      inputs: new Map(inputs.map((input) => [input.id, input])),
      tasks: new Map(tasks.map((task) => [task.id, task])),
      isMac: navigator.userAgent.includes('Mac'),
      problem: undefined,
      errorActions: [],
    };
    this.#told = initial.draft;
    host.onEvent((event) => this.#receive(event));
  }

  get state(): StudioStoreState {
    return this.#state;
  }

  /** @returns a function that removes the listener */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes parts of the draft. */
  change(changes: Partial<Draft>): void {
    this.#set({ draft: { ...this.#state.draft, ...changes } });
    // Sent without waiting for the previous reply, because hiding the tab loses what was not sent.
    this.#tell(changes).catch((error: unknown) => this.#fail(error));
  }

  /** Changes the view that is restored with the draft. */
  updateView(changes: Partial<Draft['view']>): void {
    this.change({ view: { ...this.#state.draft.view, ...changes } });
  }

  /** Appends images to the inputs of the draft. */
  addInputs(inputs: readonly StudioInput[]): void {
    const { draft } = this.#state;
    this.#know(inputs);
    this.change({
      inputs: [...draft.inputs, ...inputs.map(({ id }) => id).filter((id) => !draft.inputs.includes(id))],
    });
  }

  /** Shows a task that was just started from this draft, above the earlier ones. */
  #taskStarted(task: string): void {
    const { draft } = this.#state;
    this.#set({ draft: { ...draft, tasks: [task, ...draft.tasks.filter((id) => id !== task)] } });
    this.updateView({ stage: 'results', selected: null, zoom: null, compare: null });
  }

  /** Replaces the draft with one that the host restored from an old task. */
  replace(draft: Draft, inputs: readonly StudioInput[], task: StudioTask): void {
    this.#know(inputs);
    this.#set({ draft, tasks: new Map([...this.#state.tasks, [task.id, task]]) });
  }

  /** Runs an action and shows the problem if it fails. */
  async attempt(action: () => Promise<void>): Promise<void> {
    this.dismissProblem();
    try {
      await action();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns the buttons that the host offers for a failure. */
  errorActionsFor(error: unknown): ErrorAction[] {
    if (!(error instanceof HostError)) {
      return [];
    }
    return error.errorActions.map((title, errorAction) => ({
      title,
      run: async () =>
        this.attempt(async () => {
          await this.#host.ask('runErrorAction', { failure: error.id, errorAction });
        }),
    }));
  }

  dismissProblem(): void {
    this.#set({ problem: undefined, errorActions: [] });
  }

  /**
   * Sends the draft and waits until the host has stored it.
   *
   * @throws HostError when the host cannot store it
   */
  async saved(): Promise<void> {
    // All of it, so that a change that was refused fails again; except for the tasks, which the host adds itself.
    const { tasks: _, ...changes } = this.#state.draft;
    await this.#tell(changes);
  }

  async #tell(changes: Partial<Draft>): Promise<void> {
    const { draft } = this.#state;
    this.#told = draft;
    const target = await this.#host.ask('saveDraft', { changes });
    if (this.#told === draft) {
      this.#set({ target });
    }
  }

  #fail(error: unknown): void {
    this.#set({
      problem: messageOf(error),
      errorActions: this.errorActionsFor(error),
    });
  }

  #know(inputs: readonly StudioInput[]): void {
    this.#set({
      inputs: new Map([...this.#state.inputs, ...inputs.map((input) => [input.id, input] as const)]),
    });
  }

  #receive(event: HostEvent): void {
    switch (event.kind) {
      case 'tasks': {
        const tasks = new Map(this.#state.tasks);
        for (const id of event.removed) {
          tasks.delete(id);
        }
        for (const task of event.tasks) {
          tasks.set(task.id, task);
        }
        this.#set({ tasks });
        break;
      }
      case 'settings': {
        const { kind: _, ...settings } = event;
        this.#set(settings);
        break;
      }
      case 'sending':
        this.#set({ isSending: event.isSending });
        break;
      case 'taskStarted':
        this.#taskStarted(event.task);
        break;
      case 'newDraft':
        this.#know(event.inputs);
        this.change(event.changes);
        break;
    }
  }

  #set(changes: Partial<StudioStoreState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** Returns the model of the draft, or the default one. */
export function modelOf({ draft, models, defaultModel }: StudioStoreState): StudioModel | undefined {
  const wanted = draft.model || defaultModel;
  return models.find(({ id }) => id === wanted) ?? models[0];
}

/** Returns the input images of the draft, in order. */
export function inputsOf({ draft, inputs }: StudioStoreState): StudioInput[] {
  return draft.inputs.flatMap((id) => inputs.get(id) ?? []);
}

/** Returns the tasks of the draft, newest first. */
export function tasksOf({ draft, tasks }: StudioStoreState): StudioTask[] {
  return draft.tasks.flatMap((id) => tasks.get(id) ?? []);
}

/** Returns how many images to ask for: at most as many as the model makes. */
export function countOf(
  { count }: Pick<Draft, 'count'>,
  { maxCount }: Pick<StudioModel, 'maxCount'>,
): number {
  return Math.min(count, maxCount);
}
