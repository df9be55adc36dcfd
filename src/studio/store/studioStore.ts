import type { Draft } from '../protocol/draft.ts';
import type { StudioInput, StudioModel, StudioState, StudioTarget, StudioTask } from '../protocol/state.ts';
import { type Host, HostError, type HostEvent } from './host.ts';

/** What the panel shows: everything follows from it. */
export interface WorkState {
  draft: Draft;
  /** Known input images, by id; the draft says which ones are used. */
  inputs: ReadonlyMap<string, StudioInput>;
  models: readonly StudioModel[];
  defaultModel: string;
  defaults: StudioState['defaults'];
  /** Known tasks, by id: those of this piece of work, and those of the history that were looked at. */
  tasks: ReadonlyMap<string, StudioTask>;
  target: StudioTarget;
  isConnected: boolean;
  /** Whether the draft is being sent, be it for an earlier page. */
  isSending: boolean;
  /** `Cmd` instead of `Ctrl` on labels of keys: the screen's system, which the host may not share. */
  isMac: boolean;
  /** What went wrong last, until it is dismissed. */
  problem: string | undefined;
  /** Buttons under it. */
  remedies: readonly Remedy[];
}

/** A button that mends what went wrong. */
export interface Remedy {
  title: string;
  run: () => Promise<void>;
}

/** The state of the panel and the ways in which it changes; each change of the draft is told to the host at once. */
export class Work {
  readonly #host: Host;
  readonly #listeners = new Set<() => void>();
  #state: WorkState;
  /** The draft that the host was told last. */
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
      remedies: [],
    };
    this.#told = initial.draft;
    host.onEvent((event) => this.#receive(event));
  }

  get state(): WorkState {
    return this.#state;
  }

  /** @returns what ends it */
  onDidChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Changes parts of the draft. */
  change(changes: Partial<Draft>): void {
    this.#set({ draft: { ...this.#state.draft, ...changes } });
    // Not after the answer to the last change: a tab that is hidden takes with it what was not told.
    this.#tell(changes).catch((error: unknown) => this.#fail(error));
  }

  /** Changes what the panel wants to find again. */
  look(changes: Partial<Draft['view']>): void {
    this.change({ view: { ...this.#state.draft.view, ...changes } });
  }

  /** Takes images as inputs of the draft, after those that are there. */
  addInputs(inputs: readonly StudioInput[]): void {
    const { draft } = this.#state;
    this.#know(inputs);
    this.change({
      inputs: [...draft.inputs, ...inputs.map(({ id }) => id).filter((id) => !draft.inputs.includes(id))],
    });
  }

  /** Shows a task that was just begun for this piece of work, above those that were there. */
  #begun(task: string): void {
    const { draft } = this.#state;
    this.#set({ draft: { ...draft, tasks: [task, ...draft.tasks.filter((id) => id !== task)] } });
    this.look({ stage: 'results', selected: null, zoom: null, compare: null });
  }

  /** Takes over a draft that the host has made of an old task. */
  replace(draft: Draft, inputs: readonly StudioInput[], task: StudioTask): void {
    this.#know(inputs);
    this.#set({ draft, tasks: new Map([...this.#state.tasks, [task.id, task]]) });
  }

  /** Runs what may fail, and shows how. */
  async attempt(action: () => Promise<void>): Promise<void> {
    this.dismissProblem();
    try {
      await action();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** The buttons that mend a failure, as the host knows them. */
  remediesFor(error: unknown): Remedy[] {
    if (!(error instanceof HostError)) {
      return [];
    }
    return error.remedies.map((title, remedy) => ({
      title,
      run: async () =>
        this.attempt(async () => {
          await this.#host.ask('mend', { failure: error.id, remedy });
        }),
    }));
  }

  dismissProblem(): void {
    this.#set({ problem: undefined, remedies: [] });
  }

  /**
   * Settles when the host has the draft as it is.
   *
   * @throws Error with the host's words when it could not keep it
   */
  async saved(): Promise<void> {
    // All of it, so that a change that was refused is refused here once more; but for the tasks, of which the host knows first.
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
      problem: error instanceof Error ? error.message : String(error),
      remedies: this.remediesFor(error),
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
      case 'begun':
        this.#begun(event.task);
        break;
      case 'begin':
        this.#know(event.inputs);
        this.change(event.changes);
        break;
    }
  }

  #set(changes: Partial<WorkState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

/** The model that is meant. */
export function modelOf({ draft, models, defaultModel }: WorkState): StudioModel | undefined {
  const wanted = draft.model || defaultModel;
  return models.find(({ id }) => id === wanted) ?? models[0];
}

/** The input images of the draft, in order. */
export function inputsOf({ draft, inputs }: WorkState): StudioInput[] {
  return draft.inputs.flatMap((id) => inputs.get(id) ?? []);
}

/** The tasks of this piece of work, newest first. */
export function tasksOf({ draft, tasks }: WorkState): StudioTask[] {
  return draft.tasks.flatMap((id) => tasks.get(id) ?? []);
}

/** How many pictures are asked for: as many as are wanted and the model gives. */
export function countOf(
  { count }: Pick<Draft, 'count'>,
  { maxCount }: Pick<StudioModel, 'maxCount'>,
): number {
  return Math.min(count, maxCount);
}
