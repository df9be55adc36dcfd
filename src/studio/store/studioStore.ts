// Room: the one state of the page, and its line to the host.
// Never: views.

import * as l10n from '@vscode/l10n';
import type { Draft, ResultReference } from '../protocol/draft.ts';
import type { MaskHistory, MaskOperation } from '../protocol/maskOperations.ts';
import type { StudioInput, StudioModel, StudioState, StudioTask } from '../protocol/state.ts';
import { type Host, HostError, type HostEvent } from './host.ts';
import { messageOf } from '../../common/messageOf.ts';
import { likeImage } from './imageSize.ts';
import { canHaveMask, fitted, labelOf, push, redone, undone } from './maskHistory.ts';
import { type Act, UndoStack } from './undoStack.ts';

/** The state of the studio and its host, which every view gets. */
export interface StudioContext {
  store: StudioStore;
  host: Host;
}

/** The context of a view that depends on the model. */
export interface ModelFieldProps extends StudioContext {
  model: StudioModel;
}

/** The state from which the whole page is drawn. */
export interface StudioStoreState extends Omit<StudioState, 'inputs' | 'tasks' | 'replaced'> {
  /** Known input images by id; the draft lists those in use. */
  inputs: ReadonlyMap<string, StudioInput>;
  /** Known tasks by id: those of the draft, and those of the history that were opened. */
  tasks: ReadonlyMap<string, StudioTask>;
  /** Whether keys are labeled for macOS, by the system of the page, which may differ from that of the host. */
  isMac: boolean;
  /** Results that are selected to act on all of them; a range begins at the first. */
  selection: readonly ResultReference[];
  /** The last problem, until it is dismissed. */
  problem: StudioProblem | undefined;
  /** What screen readers read out now. */
  announcement?: string;
}

/** A failure, with the buttons that fix it. */
export interface StudioProblem {
  message: string;
  errorActions: readonly { title: string; run: () => Promise<void> }[];
}

/** Holds the state of the page; each change of the draft is sent to the host at once. */
export class StudioStore {
  readonly #host: Host;
  readonly #listeners = new Set<() => void>();
  #state: StudioStoreState;
  /** The draft that was sent to the host last. */
  #sent: Draft;
  /** Everything done here that can be undone. */
  readonly acts: UndoStack;

  constructor(initial: StudioState, host: Host) {
    const { inputs, tasks, replaced, ...rest } = initial;
    this.#host = host;
    this.#state = {
      ...rest,
      inputs: new Map(inputs.map((input) => [input.id, input])),
      tasks: new Map(tasks.map((task) => [task.id, task])),
      isMac: navigator.userAgent.includes('Mac'),
      selection: [],
      problem: undefined,
    };
    this.#sent = initial.draft;
    this.acts = this.#actsOfMask(replaced?.parts.mask ?? initial.draft.mask);
    if (replaced) {
      const act = this.#actOf(startOf(inputsOf(this.#state)), replaced.parts, replaced.parts);
      this.acts.push({ ...act, ...(replaced.isUnsent && { isShown: true }) });
    }
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
    this.#set({ draft: { ...this.#state.draft, ...changes }, ...(changes.tasks && { selection: [] }) });
    // Sent without waiting for the previous reply, because hiding the tab loses what was not sent.
    this.#send(changes).catch((error: unknown) => this.#fail(error));
  }

  /** Changes the view that is restored with the draft. */
  updateView(changes: Partial<Draft['view']>): void {
    this.change({ view: { ...this.#state.draft.view, ...changes } });
  }

  /** Changes parts of the draft in a way that can be undone. @param label and `isShown` as in `Act` */
  act(label: string, changes: Partial<Draft>, isShown = false): void {
    const act = this.#actOf(label, changes);
    this.change(changes);
    this.done({ ...act, ...(isShown && { isShown }) });
  }

  /** Paints on the mask. The first paint chooses a size at which everything outside the mask can be kept. */
  paint(operation: MaskOperation): void {
    const wasMasked = isMasked(this.#state);
    const { size: sizeBefore, mask } = this.#state.draft;
    this.change({ mask: push(mask, operation) });
    const painting = this.#paintingOf(operation);
    const size = wasMasked ? undefined : keptOutsideOf(this.#state)?.size;
    if (size === undefined) {
      this.acts.push(painting);
    } else {
      this.change({ size });
      const swapSize = (from: string, to: string): void => {
        if (this.#state.draft.size === from) {
          this.change({ size: to });
        }
      };
      this.acts.push({
        ...painting,
        undo: () => {
          painting.undo();
          swapSize(size, sizeBefore);
        },
        redo: () => {
          painting.redo();
          swapSize(sizeBefore, size);
        },
      });
    }
    this.dismissProblem();
  }

  /** Chooses whether to keep everything outside the mask. */
  keepOutside(keepOutside: boolean): void {
    this.change({ keepOutside });
    const size = keptOutsideOf(this.#state)?.size;
    if (size !== undefined) {
      this.change({ size });
    }
  }

  /** Fits the mask to the first input image, which may clear it. @returns the fitted mask */
  fitMask(): MaskHistory {
    const { mask } = this.#state.draft;
    const next = fitted(mask, inputsOf(this.#state));
    if (next !== mask) {
      this.change({ mask: next });
      for (const added of next.operations.filter((operation) => !mask.operations.includes(operation))) {
        this.acts.push(this.#paintingOf(added));
      }
    }
    return next;
  }

  /** Remembers and announces an act that was just done. */
  done(act: Act): void {
    this.acts.push(act);
    this.#set({ problem: undefined });
    this.announce(sentence(act.label));
  }

  /** Undoes the last act. */
  async undo(): Promise<void> {
    await this.attempt(async () => {
      const act = await this.acts.undo();
      if (act) {
        this.announce(l10n.t('Undone: {0}', act.label));
      }
    });
  }

  /** Does again what was undone last. */
  async redo(): Promise<void> {
    await this.attempt(async () => {
      const act = await this.acts.redo();
      if (act) {
        this.announce(l10n.t('Redone: {0}', act.label));
      }
    });
  }

  /** Has a text read out by screen readers. */
  announce(text: string): void {
    // A repeated text must differ to be read out again.
    this.#set({ announcement: this.#state.announcement === text ? `${text}\u00a0` : text });
  }

  /** Selects these results, and no others. */
  select(selection: readonly ResultReference[]): void {
    this.#set({ selection });
    this.announce(selection.length > 0 ? l10n.t('{0} selected', selection.length) : l10n.t('None selected'));
  }

  /** Appends images to the inputs of the draft. */
  addInputs(inputs: readonly StudioInput[]): void {
    const { draft } = this.#state;
    const added = inputs.filter(({ id }) => !draft.inputs.includes(id));
    this.#addKnownInputs(inputs);
    if (added.length > 0) {
      this.act(l10n.t('added {0}', namesOf(added)), {
        inputs: [...draft.inputs, ...added.map(({ id }) => id)],
      });
    }
  }

  /**
   * Puts an image in the place of an input of the draft. A size that was the one of the first input follows it; says so,
   * and where the mask doesn't fit any more.
   */
  replaceInput(id: string, input: StudioInput): void {
    const { draft } = this.#state;
    const [before] = inputsOf(this.#state);
    const wasMasked = isMasked(this.#state);
    const others = draft.inputs.filter((other) => other !== input.id);
    this.#addKnownInputs([input]);
    if (id === input.id) {
      return;
    }
    const inputs = others.map((other) => (other === id ? input.id : other));
    const changed = { ...this.#state, draft: { ...draft, inputs } };
    const [first] = inputsOf(changed);
    const model = modelOf(changed) ?? { sizes: [] };
    const isSizeOf = before && first && draft.size === likeImage(before, model);
    const size = isSizeOf ? likeImage(first, model) : draft.size;
    const removed = wasMasked && !isMasked(changed) ? draft.mask.size : undefined;
    const reloaded = removed
      ? l10n.t(
          'reloaded {0}; the mask was for {1} and was removed',
          input.name,
          `${removed.width} × ${removed.height}`,
        )
      : l10n.t('reloaded {0}', input.name);
    const isResized = size !== draft.size;
    const label = isResized
      ? l10n.t('{0}; the size is now {1}', reloaded, size.replace('x', ' × '))
      : reloaded;
    const changes = { inputs, mask: fitted(draft.mask, inputsOf(changed)), ...(isResized && { size }) };
    const act = this.#actOf(label, changes);
    this.change(changes);
    this.done({ ...act, ...((removed || isResized) && { isShown: true }) });
  }

  /** Replaces the draft with one that the host restored from an old task. */
  replace(draft: Draft, inputs: readonly StudioInput[], task: StudioTask): void {
    const act = this.#actOf(l10n.t('restored from history'), draft);
    this.#addKnownInputs(inputs);
    this.#set({ draft, tasks: new Map([...this.#state.tasks, [task.id, task]]), selection: [] });
    this.done(act);
  }

  /** Runs an action and shows the problem if it fails. */
  async attempt(action: () => Promise<unknown>): Promise<void> {
    this.dismissProblem();
    try {
      await action();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns a failure in words, with the buttons that the host offers for it. */
  problemOf(error: unknown): StudioProblem {
    const message = messageOf(error);
    if (!(error instanceof HostError)) {
      return { message, errorActions: [] };
    }
    const { id: failure } = error;
    const errorActions = error.errorActions.map((title, errorAction) => ({
      title,
      run: async () => this.attempt(async () => this.#host.ask('runErrorAction', { failure, errorAction })),
    }));
    return { message, errorActions };
  }

  dismissProblem(): void {
    this.#set({ problem: undefined });
  }

  /**
   * Sends the draft and waits until the host has stored it.
   *
   * @throws HostError when the host cannot store it
   */
  async saved(): Promise<void> {
    // All of it, so that a change that was refused fails again; except for the tasks, which the host adds itself.
    const { tasks: _, ...changes } = this.#state.draft;
    await this.#send(changes);
  }

  async #send(changes: Partial<Draft>): Promise<void> {
    const { draft } = this.#state;
    this.#sent = draft;
    const target = await this.#host.ask('saveDraft', { changes });
    if (this.#sent === draft) {
      this.#set({ target });
    }
  }

  /**
   * Starts a new draft, with a button that undoes it where that replaces what was never sent, or takes results out of
   * sight; then says where they are.
   */
  #startOver(changes: Partial<Draft>, isUnsent: boolean): void {
    const { draft } = this.#state;
    const hidesResults = changes.tasks && draft.tasks.some((id) => !changes.tasks?.includes(id));
    const start = startOf(inputsOf({ ...this.#state, draft: { ...draft, inputs: changes.inputs ?? [] } }));
    const label = hidesResults ? l10n.t('{0}; the earlier results are in the history', start) : start;
    const act = this.#actOf(label, changes);
    this.change(changes);
    this.done({ ...act, ...((hidesResults || isUnsent) && { isShown: true }) });
  }

  /** Returns the act of changing these parts of the draft. @param before the parts as they were; unless given, as they are */
  #actOf(label: string, changes: Partial<Draft>, before?: Partial<Draft>): Act {
    // The mask follows the images.
    const parts = new Set([...Object.keys(changes), ...(changes.inputs ? ['mask'] : [])]);
    const known = new Set([...this.#state.draft.tasks, ...(changes.tasks ?? [])]);
    let other = before ?? this.#partsOf(parts);
    const swap = (): void => {
      const now = this.#partsOf(parts);
      const { tasks } = this.#state.draft;
      // Tasks that were started since stay.
      const started = tasks.filter((id) => !known.has(id));
      this.change({ ...other, ...(other.tasks && { tasks: [...new Set([...started, ...other.tasks])] }) });
      other = now;
    };
    return { label, undo: swap, redo: swap };
  }

  #partsOf(parts: ReadonlySet<string>): Partial<Draft> {
    return Object.fromEntries(Object.entries(this.#state.draft).filter(([part]) => parts.has(part)));
  }

  #paintingOf(operation: MaskOperation): { label: string; undo: () => void; redo: () => void } {
    const show = (mask: MaskHistory): void => {
      // Where it is seen.
      this.change({ mask, view: { ...this.#state.draft.view, stage: 'mask' } });
    };
    return {
      label: labelOf(operation),
      undo: () => show(undone(this.#state.draft.mask)),
      redo: () => show(redone(this.#state.draft.mask)),
    };
  }

  /** Returns what was painted before this page was opened. */
  #actsOfMask({ operations, done }: MaskHistory): UndoStack {
    const acts = operations.map((operation) => this.#paintingOf(operation));
    return new UndoStack(acts.slice(0, done), acts.slice(done).toReversed());
  }

  #fail(error: unknown): void {
    this.#set({ problem: this.problemOf(error) });
  }

  #addKnownInputs(inputs: readonly StudioInput[]): void {
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
      case 'inputs':
        this.#addKnownInputs(event.inputs);
        break;
      case 'settings': {
        const { kind: _, ...settings } = event;
        this.#set(settings);
        break;
      }
      case 'sending':
        this.#set({ isSending: event.isSending });
        break;
      case 'taskStarted': {
        const { draft } = this.#state;
        const tasks = [event.task, ...draft.tasks.filter((id) => id !== event.task)];
        this.#set({ draft: { ...draft, tasks } });
        this.updateView({ stage: 'results', selected: null, zoom: null, compare: null });
        break;
      }
      case 'newDraft':
        this.#addKnownInputs(event.inputs);
        this.#startOver(event.changes, event.isUnsent);
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

/** Returns the label of starting a new draft on these images. */
function startOf(inputs: readonly StudioInput[]): string {
  return inputs.length > 0 ? l10n.t('started over with {0}', namesOf(inputs)) : l10n.t('started over');
}

/** Returns the label of an act as it stands alone. */
export function sentence(label: string): string {
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
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

/** Whether something is painted on the first input image. */
export function isMasked(state: StudioStoreState): boolean {
  const inputs = inputsOf(state);
  return inputs.length > 0 && canHaveMask(fitted(state.draft.mask, inputs));
}

/**
 * Returns the first input image where everything outside its mask is to be kept, and the size to ask for, at which that
 * is most likely.
 */
export function keptOutsideOf(state: StudioStoreState): { input: StudioInput; size: string } | undefined {
  const model = modelOf(state);
  const [input] = inputsOf(state);
  const isKept =
    state.draft.keepOutside && isMasked(state) && model?.family === 'image' && model.mask !== 'none';
  return isKept && input ? { input, size: likeImage(input, model) } : undefined;
}

/** Returns the names of images, for a sentence. */
export function namesOf(inputs: readonly StudioInput[]): string {
  return inputs.map(({ name }) => name).join(', ');
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
