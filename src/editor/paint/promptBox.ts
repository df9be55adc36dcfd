import * as vscode from 'vscode';
import { oneLine, plainText } from '../window/plainText.ts';
import { ask } from './inputSteps.ts';

/** What the box shows and begins with. */
export interface PromptQuestion {
  /** What Enter will do: with which model, how many, how large, where to, at which service. */
  title: string;
  /** What the prompt is to say, below the box. */
  prompt: string;
  placeholder: string;
  value: string;
  /** Prompts that are offered while the box is empty, newest first. */
  earlier: readonly string[];
  buttons: readonly vscode.QuickInputButton[];
}

/** The prompt, trimmed, or the button that was pressed and what was typed by then. */
export interface PromptReply {
  prompt: string;
  button?: vscode.QuickInputButton;
}

type EarlierPrompt = vscode.QuickPickItem & { prompt?: string };

/**
 * Asks for a prompt. An earlier one that is chosen is only put into the box: nothing is sent before Enter is pressed on
 * a text.
 *
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function askPrompt(question: PromptQuestion): Promise<PromptReply> {
  const input = vscode.window.createQuickPick<EarlierPrompt>();
  input.value = question.value;
  input.prompt = question.prompt;
  input.placeholder = question.placeholder;
  input.buttons = question.buttons;
  const earlier = earlierItems(question.earlier);
  const offer = (): void => {
    input.items = input.value === '' ? earlier : [];
  };
  offer();
  return ask<PromptReply>(input, question.title, { step: 1, total: 1 }, (reply) => [
    input.onDidChangeValue(offer),
    input.onDidAccept(() => {
      const text = input.value.trim();
      const chosen = input.activeItems[0]?.prompt;
      if (text !== '') {
        reply({ prompt: text });
      } else if (chosen === undefined) {
        input.prompt = vscode.l10n.t('Enter a prompt.');
      } else {
        input.value = chosen;
        offer();
      }
    }),
    input.onDidTriggerButton((button) => reply({ prompt: input.value, button })),
  ]);
}

function earlierItems(prompts: readonly string[]): EarlierPrompt[] {
  const heading = { label: vscode.l10n.t('Earlier Prompts'), kind: vscode.QuickPickItemKind.Separator };
  return prompts.length === 0
    ? []
    : [
        heading,
        ...prompts.map((prompt) => ({
          // Else "$(name)" would become an icon.
          label: plainText(prompt).replaceAll('$(', '$\u200b('),
          prompt: oneLine(prompt),
        })),
      ];
}
