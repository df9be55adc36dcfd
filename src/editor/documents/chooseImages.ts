import * as vscode from 'vscode';
import { plainText } from '../window/plainText.ts';
import { askText } from '../paint/inputSteps.ts';

/** An image that may be made, with the prompt that is proposed. */
export interface Proposal {
  /** What it is called in the list. */
  name: string;
  /** Its size and whatever else is decided. */
  facts: string;
  /** May be empty: then it is made only once there is one. */
  prompt: string;
}

interface Item<P extends Proposal> extends vscode.QuickPickItem {
  proposal: P;
}

const editButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: vscode.l10n.t('Change Prompt'),
});

/**
 * Lists images with their prompts, which can be changed, and returns those that are to be made.
 *
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function chooseImages<P extends Proposal>(title: string, proposals: readonly P[]): Promise<P[]> {
  let chosen = new Set(proposals.filter(({ prompt }) => prompt !== ''));
  let active: P | undefined;
  for (;;) {
    const reply = await ask(title, proposals, chosen, active);
    if (reply.kind === 'make') {
      return reply.chosen;
    }
    chosen = new Set(reply.chosen);
    active = reply.edited;
    const prompt = await askPrompt(reply.edited);
    if (prompt !== undefined) {
      reply.edited.prompt = prompt;
      chosen.add(reply.edited);
    }
  }
}

type Reply<P> = { kind: 'make'; chosen: P[] } | { kind: 'edit'; chosen: P[]; edited: P };

async function ask<P extends Proposal>(
  title: string,
  proposals: readonly P[],
  chosen: ReadonlySet<P>,
  active: P | undefined,
): Promise<Reply<P>> {
  const list = vscode.window.createQuickPick<Item<P>>();
  list.title = title;
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.items = proposals.map((proposal) => ({
    label: plainText(proposal.name),
    description: proposal.facts,
    detail: proposal.prompt === '' ? vscode.l10n.t('No prompt yet') : plainText(proposal.prompt),
    buttons: [editButton()],
    proposal,
  }));
  list.selectedItems = list.items.filter(({ proposal }) => chosen.has(proposal));
  list.activeItems = list.items.filter(({ proposal }) => proposal === active);
  const tellCount = (): void => {
    const count = list.selectedItems.length;
    list.placeholder =
      count === 1
        ? vscode.l10n.t('Enter makes 1 image, which may be billed.')
        : vscode.l10n.t('Enter makes {0} images. Each image may be billed.', count);
  };
  tellCount();
  const { promise, resolve, reject } = Promise.withResolvers<Reply<P>>();
  const chosenNow = (): P[] => list.selectedItems.map(({ proposal }) => proposal);
  const subscriptions = [
    list.onDidChangeSelection(tellCount),
    list.onDidTriggerItemButton(({ item }) =>
      resolve({ kind: 'edit', chosen: chosenNow(), edited: item.proposal }),
    ),
    list.onDidAccept(() => {
      const empty = chosenNow().find(({ prompt }) => prompt === '');
      if (empty) {
        resolve({ kind: 'edit', chosen: chosenNow(), edited: empty });
      } else if (list.selectedItems.length > 0) {
        resolve({ kind: 'make', chosen: chosenNow() });
      }
    }),
    list.onDidHide(() => reject(new vscode.CancellationError())),
  ];
  list.show();
  try {
    return await promise;
  } finally {
    vscode.Disposable.from(...subscriptions, list).dispose();
  }
}

/** @returns undefined when the person went back without a change */
async function askPrompt({ name, prompt }: Proposal): Promise<string | undefined> {
  try {
    const reply = await askText(
      {
        title: plainText(name),
        prompt: vscode.l10n.t('Describe the image'),
        value: prompt,
        invalid: (text) => (text.trim() === '' ? vscode.l10n.t('The prompt is empty.') : undefined),
      },
      { step: 2, total: 2 },
    );
    return reply.kind === 'answer' ? reply.value.trim() : undefined;
  } catch (error) {
    if (error instanceof vscode.CancellationError) {
      return undefined;
    }
    throw error;
  }
}
