import * as vscode from 'vscode';
import { oneLine, plainText } from '../window/plainText.ts';

/** The position of a question among those of its command, from 1. */
export interface Place {
  step: number;
  total: number;
  /** Keeps the answered box open; without it a box closes with its answer. */
  answered?: AnsweredInput;
}

/** Where to go after a question: to the next, the previous, or the first one. */
export type Direction = 'next' | 'back' | 'first';

export type Step = (place: Place) => Promise<Direction>;

/**
 * Asks one question after another. The list is computed again after each, since an answer may make another question
 * unnecessary.
 *
 * @throws vscode.CancellationError when the person dismissed one
 */
export async function walk(steps: () => readonly Step[]): Promise<void> {
  const answered = new AnsweredInput();
  try {
    let index = 0;
    for (;;) {
      const all = steps();
      const step = all[index];
      if (!step) {
        return;
      }
      const direction = await step({ step: index + 1, total: all.length, answered });
      index = { next: index + 1, back: Math.max(0, index - 1), first: 0 }[direction];
    }
  } finally {
    answered.close();
  }
}

/**
 * The box that was answered last stays open until the next one takes its place: between two boxes the focus would go
 * to what is below them, and a webview that gets it keeps it.
 */
export class AnsweredInput {
  readonly #dismissal = new vscode.CancellationTokenSource();
  #input: vscode.QuickInput | undefined;
  #onHide: vscode.Disposable | undefined;

  /** Cancelled when the person dismisses the box. */
  get dismissed(): vscode.CancellationToken {
    return this.#dismissal.token;
  }

  keep(input: vscode.QuickInput): void {
    input.enabled = false;
    input.busy = true;
    this.#input = input;
    this.#onHide = input.onDidHide(() => this.#dismissal.cancel());
  }

  /** @throws vscode.CancellationError when the person dismissed the box before the next one */
  replaceBy(next: vscode.QuickInput): void {
    if (this.dismissed.isCancellationRequested) {
      throw new vscode.CancellationError();
    }
    // Else it would be told as dismissed by the next one.
    this.#onHide?.dispose();
    next.show();
    this.close();
  }

  close(): void {
    this.#onHide?.dispose();
    this.#input?.dispose();
  }
}

export interface TextQuestion {
  title: string;
  /** Shown below the box. */
  prompt: string;
  value?: string;
  placeholder?: string;
  password?: boolean;
  buttons?: readonly vscode.QuickInputButton[];
  /** Returns why the text cannot be used; undefined when it can. */
  invalid(text: string): string | undefined;
}

export interface PickQuestion<T extends vscode.QuickPickItem> {
  title: string;
  placeholder: string;
  items: readonly T[];
  /** The item that is offered first. */
  active?: T | undefined;
}

export type Reply<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'back' }
  | { kind: 'button'; button: vscode.QuickInputButton; value: T };

/**
 * Asks for a text, and says while it is typed why it is invalid.
 *
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function askText(question: TextQuestion, place: Place): Promise<Reply<string>> {
  const input = vscode.window.createInputBox();
  input.value = question.value ?? '';
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  input.buttons = [...backButton(place), ...(question.buttons ?? [])];
  return ask<Reply<string>>(input, question.title, place, (reply) => [
    input.onDidChangeValue((text) => {
      input.validationMessage = question.invalid(text);
    }),
    input.onDidAccept(() => {
      input.validationMessage = question.invalid(input.value);
      if (input.validationMessage === undefined) {
        reply({ kind: 'answer', value: input.value });
      }
    }),
    input.onDidTriggerButton((button) => {
      const isBack = button === vscode.QuickInputButtons.Back;
      reply(isBack ? { kind: 'back' } : { kind: 'button', button, value: input.value });
    }),
  ]);
}

/**
 * Asks for one of several items.
 *
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function askPick<T extends vscode.QuickPickItem>(
  question: PickQuestion<T>,
  place: Place,
): Promise<Reply<T>> {
  const input = vscode.window.createQuickPick<T>();
  input.items = question.items;
  input.placeholder = question.placeholder;
  if (question.active) {
    input.activeItems = [question.active];
  }
  input.buttons = backButton(place);
  return ask<Reply<T>>(input, question.title, place, (reply) => [
    input.onDidAccept(() => {
      const [value] = input.activeItems;
      if (value) {
        reply({ kind: 'answer', value });
      }
    }),
    input.onDidTriggerButton(() => reply({ kind: 'back' })),
  ]);
}

/** The texts, buttons and initial value of the prompt box. */
export interface PromptQuestion {
  /** Says what Enter will do: the model, the number and size of images, the folder and the service. */
  title: string;
  /** Tells what to write in the prompt; shown below the box. */
  prompt: string;
  placeholder: string;
  value: string;
  /** Prompts that are offered while the box is empty, newest first. */
  earlier: readonly string[];
  buttons: () => readonly vscode.QuickInputButton[];
  onDidChangeButtons: vscode.Event<void>;
  /** The button that does nothing without a text. */
  needsText: vscode.QuickInputButton | undefined;
}

/** The trimmed prompt, or the button that was pressed together with the text as it stands. */
export interface PromptReply {
  prompt: string;
  button?: vscode.QuickInputButton;
}

type EarlierPrompt = vscode.QuickPickItem & { prompt?: string };

/**
 * Asks for a prompt. Choosing an earlier one only puts it into the box; Enter on a text accepts that text.
 *
 * @param answered the box that this one follows; it is kept open once it is answered, too
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function askPrompt(question: PromptQuestion, answered: AnsweredInput): Promise<PromptReply> {
  const input = vscode.window.createQuickPick<EarlierPrompt>();
  input.value = question.value;
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  const { buttons, onDidChangeButtons, needsText } = question;
  const offerButtons = (): void => {
    input.buttons = buttons();
  };
  offerButtons();
  const earlier = earlierItems(question.earlier);
  const none: readonly EarlierPrompt[] = [];
  let offered = none;
  const offer = (): void => {
    const items = input.value === '' ? earlier : none;
    if (items !== offered) {
      // The window draws its list anew.
      input.items = offered = items;
    }
  };
  offer();
  const requireText = (): void => {
    input.prompt = vscode.l10n.t('Enter a prompt.');
  };
  return ask<PromptReply>(input, question.title, { step: 1, total: 1, answered }, (reply) => [
    onDidChangeButtons(offerButtons),
    input.onDidChangeValue(offer),
    input.onDidAccept(() => {
      const text = input.value.trim();
      const chosen = input.activeItems[0]?.prompt;
      if (text !== '') {
        reply({ prompt: text });
      } else if (chosen === undefined) {
        requireText();
      } else {
        input.value = chosen;
        offer();
      }
    }),
    input.onDidTriggerButton((button) => {
      if (button === needsText && input.value.trim() === '') {
        requireText();
      } else {
        reply({ prompt: input.value, button });
      }
    }),
  ]);
}

function earlierItems(prompts: readonly string[]): EarlierPrompt[] {
  const heading = { label: vscode.l10n.t('Earlier Prompts'), kind: vscode.QuickPickItemKind.Separator };
  return prompts.length === 0
    ? []
    : [
        heading,
        ...prompts.map((prompt) => ({
          // Otherwise "$(name)" would become an icon.
          label: plainText(prompt).replaceAll('$(', '$\u200b('),
          prompt: oneLine(prompt),
        })),
      ];
}

/** Returns the Back button, except for the first question. */
export function backButton({ step }: Place): vscode.QuickInputButton[] {
  return step > 1 ? [vscode.QuickInputButtons.Back] : [];
}

/**
 * Shows an input until it has its reply.
 *
 * @param listen subscribes to the input; what it calls `reply` with is the result
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function ask<R>(
  input: vscode.QuickInput,
  title: string,
  { step, total, answered }: Place,
  listen: (reply: (reply: R) => void) => readonly vscode.Disposable[],
): Promise<R> {
  const { promise, resolve, reject } = Promise.withResolvers<R>();
  input.title = title;
  if (total > 1) {
    input.step = step;
    input.totalSteps = total;
  }
  input.ignoreFocusOut = true;
  const subscriptions = [input.onDidHide(() => reject(new vscode.CancellationError())), ...listen(resolve)];
  const box = answered ?? new AnsweredInput();
  try {
    box.replaceBy(input);
    const reply = await promise;
    box.keep(input);
    return reply;
  } catch (error) {
    input.dispose();
    throw error;
  } finally {
    vscode.Disposable.from(...subscriptions).dispose();
    if (!answered) {
      box.close();
    }
  }
}

/** Takes an answer and continues with the next question, or goes back. */
export function taken<T>(reply: Reply<T>, take: (value: T) => void): Direction {
  if (reply.kind === 'back') {
    return 'back';
  }
  take(reply.value);
  return 'next';
}
