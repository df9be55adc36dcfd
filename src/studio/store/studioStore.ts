import * as l10n from '@vscode/l10n';
import type { Draft, ResultReference } from '../protocol/draft.ts';
import type { MaskHistory, MaskOperation } from '../protocol/maskOperations.ts';
import type { StudioInput, StudioModel, StudioState, StudioTask } from '../protocol/state.ts';
import { type Host, HostError, type HostNews } from './host.ts';
import { messageOf } from '../../common/limnerError.ts';
import { likeImage } from './imageSize.ts';
import { canHaveMask, canRedo, canUndo, fitted, labelOf, push, redone, undone } from './maskHistory.ts';
import { type Act, UndoStack } from './undoStack.ts';
import { sizeText } from '../../common/text.ts';

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
  /** Known input images by ID; the draft lists those in use. */
  inputs: ReadonlyMap<string, StudioInput>;
  /** Known tasks by ID: those of the draft, and opened ones of the history. */
  tasks: ReadonlyMap<string, StudioTask>;
  /** Whether keys are labeled for macOS. The page's system decides, which may differ from the host's. */
  isMac: boolean;
  /** Selected results; a range begins at the first. */
  selection: readonly ResultReference[];
  /** The last problem, until it is dismissed. */
  problem: StudioProblem | undefined;
  /** The text that screen readers read out now. */
  announcement?: string;
}

export interface StudioProblem {
  message: string;
  errorActions: readonly { title: string; run: () => Promise<void> }[];
}

/** The state of the page. Each change of the draft is sent to the host at once. */
export class StudioStore {
  readonly #host: Host;
  readonly #listeners = new Set<() => void>();
  #state: StudioStoreState;
  #sent: Draft;
  #isFitChosen = false;
  #silence: StudioProblem | undefined;
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
      const { repair } = replaced.parts;
      const isOtherRepair = repair !== undefined && repair?.uri !== initial.draft.repair?.uri;
      const label = isOtherRepair ? closedRepair() : startOf(inputsOf(this.#state));
      const act = this.#actOf(label, replaced.parts, replaced.parts);
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

  change(changes: Partial<Draft>): void {
    this.#set({ draft: { ...this.#state.draft, ...changes }, ...(changes.tasks && { selection: [] }) });
    // Sent without waiting for the previous reply, because hiding the tab loses unsent changes.
    this.#send(changes).catch((error: unknown) => this.#fail(error));
  }

  /** Changes the view, which is restored with the draft. */
  updateView(changes: Partial<Draft['view']>): void {
    this.change({ view: { ...this.#state.draft.view, ...changes } });
  }

  /** Takes a size that was entered. Crops images to it, since models rarely make just any size, unless a fit was chosen. */
  wantExactly(size: string): void {
    const isOpen = this.#state.draft.fit === 'off' && !this.#isFitChosen;
    this.change({ size, ...(isOpen && { fit: 'crop' }) });
  }

  chooseFit(fit: Draft['fit']): void {
    this.#isFitChosen = true;
    this.change({ fit });
  }

  /**
   * Chooses a style, which also sets what it decides. What the one before had set is as it was without it, so that it
   * doesn't stay on for another kind of image.
   */
  chooseStyle(name: string): void {
    const { draft, styles, defaults } = this.#state;
    const partsOf = (style: string): Partial<Draft> => styles.find((one) => one.name === style)?.parts ?? {};
    const { size, fit, quality } = defaults;
    const usual = { size, fit, quality, model: '', modelService: '', transparent: false };
    const current = new Map<string, unknown>(Object.entries(draft));
    const before = new Map<string, unknown>(Object.entries(partsOf(draft.style)));
    const reset = Object.entries(usual).filter(
      ([part]) => before.has(part) && before.get(part) === current.get(part),
    );
    const label =
      name === ''
        ? l10n.t('took the style off')
        : l10n.t({
            message: 'chose the style {0}',
            args: [name],
            comment: ['Names an act, as in "Undone: chose the style icons"'],
          });
    this.act(label, { ...Object.fromEntries(reset), ...partsOf(name), style: name });
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

  /** Shows the repair of a file's transparency, from its start or as it was left. */
  repair(uri: string): void {
    const { repair, view } = this.#state.draft;
    if (repair?.uri !== uri) {
      this.closeRepair();
      this.change({ repair: { uri, operations: [], done: 0 } });
    }
    this.change({ view: { ...view, stage: 'repair' } });
  }

  /** Closes the repair. An undo brings back strokes that weren't saved. */
  closeRepair(isSaved = false): void {
    const { repair, view } = this.#state.draft;
    if (!repair) {
      return;
    }
    const changes = {
      repair: null,
      view: { ...view, stage: view.stage === 'repair' ? ('results' as const) : view.stage },
    };
    if (isSaved || !canUndo(repair)) {
      this.change(changes);
      return;
    }
    const act = this.#actOf(closedRepair(), { repair: null });
    this.change(changes);
    this.done({
      ...act,
      isShown: true,
      undo: async () => {
        await act.undo();
        this.updateView({ stage: 'repair' });
      },
    });
  }

  paintRepair(operation: MaskOperation): void {
    const { repair } = this.#state.draft;
    this.change({ repair: repair && push(repair, operation) });
    this.dismissProblem();
  }

  /** Whether a repair is shown, which has undo steps of its own. */
  get isRepairing(): boolean {
    const { repair, view } = this.#state.draft;
    return repair !== null && view.stage === 'repair';
  }

  /** Undoes or redoes a step of the repair, and announces it. */
  stepRepair(way: 'undo' | 'redo'): void {
    const { repair } = this.#state.draft;
    const step = repair?.operations[way === 'undo' ? repair.done - 1 : repair.done];
    if (!repair || !step || !(way === 'undo' ? canUndo(repair) : canRedo(repair))) {
      return;
    }
    this.change({ repair: way === 'undo' ? undone(repair) : redone(repair) });
    this.announce(
      way === 'undo' ? l10n.t('Undone: {0}', labelOf(step)) : l10n.t('Redone: {0}', labelOf(step)),
    );
  }

  /** Remembers and announces an act that was just done. */
  done(act: Act): void {
    this.acts.push(act);
    this.#set({ problem: undefined });
    this.announce(sentence(act.label));
  }

  async undo(): Promise<void> {
    await this.attempt(async () => {
      const act = await this.acts.undo();
      if (act) {
        this.announce(l10n.t('Undone: {0}', act.label));
      }
    });
  }

  async redo(): Promise<void> {
    await this.attempt(async () => {
      const act = await this.acts.redo();
      if (act) {
        this.announce(l10n.t('Redone: {0}', act.label));
      }
    });
  }

  /** Lets screen readers read out a text. */
  announce(text: string): void {
    // A repeated text must differ to be read out again.
    this.#set({ announcement: this.#state.announcement === text ? `${text}\u00a0` : text });
  }

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
   * Replaces an input of the draft. If the size was that of the first input, it follows the new image; says so, and
   * whether the mask no longer fits.
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
      ? l10n.t('reloaded {0}; the mask was for {1} and was removed', input.name, sizeText(removed))
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

  async attempt(action: () => Promise<unknown>): Promise<void> {
    this.dismissProblem();
    try {
      await action();
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Returns a displayable failure, with the buttons that the host offers for it. */
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

  /** Sends the draft and waits until the host has stored it. @throws HostError when the host can't store it */
  async saved(): Promise<void> {
    // Sends the whole draft, so that a refused change fails again, but without the tasks, which the host adds itself.
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
   * Starts a new draft. Offers to undo that if it replaces unsent work or hides results, and then says where they are.
   */
  #startOver(changes: Partial<Draft>, isUnsent: boolean): void {
    const { draft } = this.#state;
    const hidesResults = changes.tasks && draft.tasks.some((id) => !changes.tasks?.includes(id));
    const start = startOf(inputsOf({ ...this.#state, draft: { ...draft, inputs: changes.inputs ?? [] } }));
    const label = hidesResults ? l10n.t('{0}; the earlier results are in the history', start) : start;
    const act = this.#actOf(label, changes);
    this.#isFitChosen = false;
    this.change(changes);
    this.done({ ...act, ...((hidesResults || isUnsent) && { isShown: true }) });
  }

  /**
   * Returns the act of changing these parts of the draft.
   *
   * @param before their previous values; the current ones by default
   */
  #actOf(label: string, changes: Partial<Draft>, before?: Partial<Draft>): Act {
    // The mask depends on the images.
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
      // Shows the change.
      this.change({ mask, view: { ...this.#state.draft.view, stage: 'mask' } });
    };
    return {
      label: labelOf(operation),
      undo: () => show(undone(this.#state.draft.mask)),
      redo: () => show(redone(this.#state.draft.mask)),
    };
  }

  /** Returns the acts of painting from before this page was opened. */
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

  #receive(event: HostNews): void {
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
      case 'silence':
        this.#tellSilence(event.isSilent);
        break;
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
      case 'repair':
        this.repair(event.uri);
        break;
      case 'newDraft':
        this.#addKnownInputs(event.inputs);
        this.#startOver(event.changes, event.isUnsent);
        break;
    }
  }

  #tellSilence(isSilent: boolean): void {
    const { problem } = this.#state;
    if (isSilent) {
      const message = l10n.t(
        'Limner no longer answers this tab: VS Code may have restarted its extensions. Run "Limner: Open Studio" to go on. The draft and all tasks are kept.',
      );
      this.#silence = { message, errorActions: [] };
      this.#set({ problem: this.#silence });
    } else if (problem !== undefined && problem === this.#silence) {
      this.dismissProblem();
    }
  }

  #set(changes: Partial<StudioStoreState>): void {
    this.#state = { ...this.#state, ...changes };
    for (const listener of this.#listeners) {
      listener();
    }
  }
}

function startOf(inputs: readonly StudioInput[]): string {
  return inputs.length > 0 ? l10n.t('started over with {0}', namesOf(inputs)) : l10n.t('started over');
}

export function sentence(label: string): string {
  return `${label.charAt(0).toUpperCase()}${label.slice(1)}`;
}

/** Returns the model of the draft if the service in use has it, or else the default one. */
export function modelOf({ draft, models, defaultModel }: StudioStoreState): StudioModel | undefined {
  const model = models.find(({ id }) => id === draft.model);
  return model ?? models.find(({ id }) => id === defaultModel) ?? models[0];
}

export function inputsOf({ draft, inputs }: StudioStoreState): StudioInput[] {
  return draft.inputs.flatMap((id) => inputs.get(id) ?? []);
}

/** Whether the first input image is painted on. */
export function isMasked(state: StudioStoreState): boolean {
  const inputs = inputsOf(state);
  return inputs.length > 0 && canHaveMask(fitted(state.draft.mask, inputs));
}

/**
 * Returns the first input image if everything outside its mask is to be kept, and the size at which that is most
 * likely.
 */
export function keptOutsideOf(state: StudioStoreState): { input: StudioInput; size: string } | undefined {
  const model = modelOf(state);
  const [input] = inputsOf(state);
  const isKept =
    state.draft.keepOutside && isMasked(state) && model?.family === 'image' && model.mask !== 'none';
  return isKept && input ? { input, size: likeImage(input, model) } : undefined;
}

/** Returns the task whose social card is shown, if one is. */
export function cardTaskOf({ draft: { view }, tasks }: StudioStoreState): StudioTask | undefined {
  const { selected, showsCard, stage } = view;
  const task = selected && showsCard && stage === 'results' ? tasks.get(selected.task) : undefined;
  const image = task?.images.find(({ index }) => index === (selected?.index ?? 0));
  return task?.socialCard && image?.url !== undefined ? task : undefined;
}

/** Joins the names of images for a sentence. */
export function namesOf(inputs: readonly StudioInput[]): string {
  return inputs.map(({ name }) => name).join(', ');
}

export function tasksOf({ draft, tasks }: StudioStoreState): StudioTask[] {
  return draft.tasks.flatMap((id) => tasks.get(id) ?? []);
}

/** Returns how many images to ask for, limited by the model. */
export function countOf(
  { count }: Pick<Draft, 'count'>,
  { maxCount }: Pick<StudioModel, 'maxCount'>,
): number {
  return Math.min(count, maxCount);
}

function closedRepair(): string {
  return l10n.t('closed the repair without saving');
}
