import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SecondEnter } from '../ask/secondEnter.ts';
import { oneLine, plainText } from '../window/plainText.ts';

/** The position of a question among those of its command, from 1. */
export interface StepPosition {
  step: number;
  total: number;
  /** Keeps the answered box open; without it a box closes with its answer. */
  answered?: AnsweredInput;
}

/** Where to go after a question. */
export type Direction = 'next' | 'again' | 'back' | 'backTwice';

const moves: Record<Direction, number> = { next: 1, again: 0, back: -1, backTwice: -2 };

const onlyQuestion: StepPosition = { step: 1, total: 1 };

export type Step = (position: StepPosition) => Promise<Direction>;

/**
 * Asks one question after another. The list is computed again after each, since an answer may make another question
 * unnecessary.
 *
 * @throws vscode.CancellationError when the user dismissed one
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
      index = Math.max(0, index + moves[direction]);
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

  /** Canceled when the user dismisses the box. */
  get dismissed(): vscode.CancellationToken {
    return this.#dismissal.token;
  }

  keep(input: vscode.QuickInput): void {
    input.enabled = false;
    input.busy = true;
    this.#input = input;
    this.#onHide = input.onDidHide(() => this.#dismissal.cancel());
  }

  /** @throws vscode.CancellationError when the user dismissed the box before the next one */
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
  buttons?: readonly vscode.QuickInputButton[];
  /** Returns the item for a typed text; undefined for a text that has none. */
  typed?: (text: string) => T | undefined;
  /** Shown below the box. */
  prompt?: string;
  /** Shown there once Enter has nothing to choose. */
  noneText?: string;
}

export type Reply<T> =
  | { kind: 'answer'; value: T }
  | { kind: 'back' }
  | { kind: 'button'; button: vscode.QuickInputButton; value: T };

/**
 * Asks for a text, and says while it is typed why it is invalid.
 *
 * @throws vscode.CancellationError when the user dismissed it
 */
export async function askText(question: TextQuestion, position = onlyQuestion): Promise<Reply<string>> {
  const input = vscode.window.createInputBox();
  input.value = question.value ?? '';
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  input.password = question.password ?? false;
  input.buttons = [...backButton(position), ...(question.buttons ?? [])];
  return ask<Reply<string>>(input, question.title, position, (reply) => [
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
      input.validationMessage = isBack ? undefined : question.invalid(input.value);
      if (input.validationMessage === undefined) {
        reply(isBack ? { kind: 'back' } : { kind: 'button', button, value: input.value });
      }
    }),
  ]);
}

/** Asks for one of several items. @throws vscode.CancellationError when the user dismissed it */
export async function askPick<T extends vscode.QuickPickItem>(
  question: PickQuestion<T>,
  position = onlyQuestion,
): Promise<Reply<T>> {
  const input = vscode.window.createQuickPick<T>();
  input.items = question.items;
  input.placeholder = question.placeholder;
  input.prompt = question.prompt;
  if (question.active) {
    input.activeItems = [question.active];
  }
  input.buttons = [...backButton(position), ...(question.buttons ?? [])];
  const { typed } = question;
  return ask<Reply<T>>(input, question.title, position, (reply) => {
    const accept = (answer: (value: T) => Reply<T>): void => {
      const [value] = input.activeItems;
      if (value) {
        reply(answer(value));
      } else {
        input.prompt = question.noneText ?? question.prompt;
      }
    };
    return [
      ...(typed
        ? [
            input.onDidChangeValue((text) => {
              const item = typed(text);
              const others = question.items.filter(({ label }) => label !== item?.label);
              input.items = item ? [{ ...item, alwaysShow: true }, ...others] : question.items;
            }),
          ]
        : []),
      input.onDidAccept(() => accept((value) => ({ kind: 'answer', value }))),
      input.onDidTriggerButton((button) =>
        button === vscode.QuickInputButtons.Back
          ? reply({ kind: 'back' })
          : accept((value) => ({ kind: 'button', button, value })),
      ),
    ];
  });
}

/** The texts, buttons and initial value of the prompt box. */
export interface PromptQuestion {
  /** Says what Enter will do: the model, the number and size of images, the folder and the service. */
  title: string;
  /** Tells what to write in the prompt; shown below the box. */
  prompt: string;
  placeholder: string;
  value: string;
  /** Whether the user typed that value. */
  isTyped: boolean;
  /** A prompt that was typed but not sent; offered first while the box is empty. */
  unsent: string | undefined;
  /** Prompts that are offered then, too, newest first. */
  earlier: readonly string[];
  /** Called with the text at each change. */
  onDidType: (text: string) => void;
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
 * @throws vscode.CancellationError when the user dismissed it
 */
export async function askPrompt(question: PromptQuestion, answered: AnsweredInput): Promise<PromptReply> {
  const input = vscode.window.createQuickPick<EarlierPrompt>();
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  const { buttons, onDidChangeButtons, needsText, unsent } = question;
  const offerButtons = (): void => {
    input.buttons = buttons();
  };
  offerButtons();
  const earlier = [
    ...promptItems(l10n.t('Not Sent'), unsent === undefined ? [] : [unsent]),
    ...promptItems(
      l10n.t('Earlier Prompts'),
      question.earlier.filter((prompt) => prompt !== unsent),
    ),
  ];
  const none: readonly EarlierPrompt[] = [];
  let offered = none;
  const offer = (text: string): void => {
    const items = text === '' ? earlier : none;
    if (items !== offered) {
      // The window draws its list anew.
      input.items = offered = items;
      // Enter alone, which may still be that of the command, chooses none.
      input.activeItems = [];
    }
  };
  offer(question.value);
  const requireText = (): void => {
    input.prompt = l10n.t('Enter a prompt.');
  };
  /** A text that nobody typed. */
  let unread = question.isTyped ? undefined : question.value;
  const enter = new SecondEnter(() => {
    if (input.value === unread) {
      input.prompt = l10n.t('Press Enter again to send this prompt.');
    }
  });
  const asking = ask<PromptReply>(input, question.title, { ...onlyQuestion, answered }, (reply) => [
    enter,
    onDidChangeButtons(offerButtons),
    input.onDidChangeValue((text) => {
      offer(text);
      question.onDidType(text);
      input.prompt = question.prompt;
    }),
    input.onDidAccept(() => {
      const text = input.value.trim();
      const chosen = input.activeItems[0]?.prompt;
      if (text !== '') {
        if (input.value !== unread || enter.press()) {
          reply({ prompt: text });
        }
      } else if (chosen === undefined) {
        requireText();
      } else {
        input.value = unread = chosen;
        enter.reset();
        input.prompt = question.prompt;
        offer(chosen);
        question.onDidType(chosen);
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
  if (question.value !== '') {
    // A value that a box is shown with is selected, so that one letter would replace it.
    input.value = question.value;
  }
  return asking;
}

function promptItems(label: string, prompts: readonly string[]): EarlierPrompt[] {
  const heading = { label, kind: vscode.QuickPickItemKind.Separator };
  return prompts.length === 0
    ? []
    : [
        heading,
        ...prompts.map((prompt) => ({
          label: plainText(prompt),
          prompt: oneLine(prompt),
        })),
      ];
}

/** Returns the Back button, except for the first question. */
export function backButton({ step }: StepPosition): vscode.QuickInputButton[] {
  return step > 1 ? [vscode.QuickInputButtons.Back] : [];
}

/**
 * Shows an input until it has its reply.
 *
 * @param listen subscribes to the input; what it calls `reply` with is the result
 * @throws vscode.CancellationError when the user dismissed it
 */
export async function ask<R>(
  input: vscode.QuickInput,
  title: string,
  { step, total, answered }: StepPosition,
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
export function takeAnswer<T>(reply: Reply<T>, take: (value: T) => void): Direction {
  if (reply.kind === 'back') {
    return 'back';
  }
  take(reply.value);
  return 'next';
}
