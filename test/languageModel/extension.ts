import { setTimeout } from 'node:timers/promises';
import * as vscode from 'vscode';

/** How much the model takes in one request, in tokens: each is four UTF-16 units. */
const maxInputTokens = 600;
const tokenLength = 4;

const model: vscode.LanguageModelChatInformation = {
  id: 'echo',
  name: 'Echo',
  family: 'echo',
  version: '1',
  maxInputTokens,
  maxOutputTokens: 1000,
  capabilities: {},
};

/** Offers the model once the user has signed in. */
export function activate({ subscriptions }: vscode.ExtensionContext): void {
  const changed = new vscode.EventEmitter<void>();
  let isSignedIn = false;
  const become = (signedIn: boolean) => (): void => {
    isSignedIn = signedIn;
    changed.fire();
  };
  subscriptions.push(
    changed,
    vscode.commands.registerCommand('languageModel.signIn', become(true)),
    vscode.commands.registerCommand('languageModel.signOut', become(false)),
    vscode.lm.registerLanguageModelChatProvider('limner-test', {
      onDidChangeLanguageModelChatInformation: changed.event,
      provideLanguageModelChatInformation: () => (isSignedIn ? [model] : []),
      provideLanguageModelChatResponse: async (_, messages, __, progress, token) => {
        const texts = messages.map(textOf);
        const tokens = texts.reduce((sum, text) => sum + countTokens(text), 0);
        if (tokens > maxInputTokens) {
          throw new Error(`${tokens} tokens are too many.`);
        }
        await answer(
          texts.at(-1) ?? '',
          (part) => progress.report(new vscode.LanguageModelTextPart(part)),
          token,
        );
      },
      provideTokenCount: async (_, text) => countTokens(typeof text === 'string' ? text : textOf(text)),
    }),
  );
}

/** Answers as the text itself says. */
async function answer(
  text: string,
  say: (part: string) => void,
  token: vscode.CancellationToken,
): Promise<void> {
  if (text.includes('without permission')) {
    throw vscode.LanguageModelError.NoPermissions();
  }
  if (text.includes('without quota')) {
    throw vscode.LanguageModelError.Blocked('Nothing is left for today');
  }
  if (text.includes('without end')) {
    while (!token.isCancellationRequested) {
      say('More and more. ');
      await setTimeout(1);
    }
  }
  if (text.includes('without an answer')) {
    // Whatever the token says.
    await new Promise(() => {});
  }
  if (text.includes('without words')) {
    return;
  }
  const [first = ''] = text.split('\n');
  say("Sure! Here's the improved prompt:\n\n");
  say('**"');
  say(`${first.replace('# ', '')}, at dawn`);
  say('"**\n');
}

function countTokens(text: string): number {
  return Math.ceil(text.length / tokenLength);
}

function textOf({ content }: vscode.LanguageModelChatRequestMessage): string {
  return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
}
