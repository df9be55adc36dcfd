import * as vscode from 'vscode';
import { plainText } from '../window/plainText.ts';
import type { Proposal } from '../documents/proposal.ts';
import { askText } from '../paint/inputSteps.ts';
import { imagesText } from '../questions/costText.ts';

interface Item extends vscode.QuickPickItem {
  proposal: Proposal;
}

const editButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: vscode.l10n.t('Change Prompt'),
});

/** Returns in words what images would cost; undefined where no price says it. */
type CostText = (proposals: readonly Proposal[]) => string | undefined;

/**
 * Lists images with their prompts, which can be changed, and returns those that are to be made.
 *
 * @throws vscode.CancellationError when the person dismissed it
 */
export async function chooseProposals(
  title: string,
  given: readonly Proposal[],
  costText: CostText,
): Promise<Proposal[]> {
  const proposals = given.map((proposal) => ({ ...proposal }));
  let chosen = new Set(proposals.filter(({ prompt, isCandidate }) => prompt !== '' && !isCandidate));
  let active: Proposal | undefined;
  for (;;) {
    const reply = await ask(title, proposals, chosen, active, costText);
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

type Reply = { kind: 'make'; chosen: Proposal[] } | { kind: 'edit'; chosen: Proposal[]; edited: Proposal };

async function ask(
  title: string,
  proposals: readonly Proposal[],
  chosen: ReadonlySet<Proposal>,
  active: Proposal | undefined,
  costText: CostText,
): Promise<Reply> {
  const list = vscode.window.createQuickPick<Item>();
  list.title = title;
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.items = proposals.map((proposal) => ({
    label: plainText(proposal.label),
    description: [
      proposal.size?.replace('x', ' × ') ?? '',
      ...(proposal.isCandidate ? [vscode.l10n.t('the same picture for other screens')] : []),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    detail: proposal.prompt === '' ? vscode.l10n.t('No prompt yet') : plainText(proposal.prompt),
    buttons: [editButton()],
    proposal,
  }));
  list.selectedItems = list.items.filter(({ proposal }) => chosen.has(proposal));
  list.activeItems = list.items.filter(({ proposal }) => proposal === active);
  const tellCount = (): void => {
    const count = list.selectedItems.length;
    const cost = costText(list.selectedItems.map(({ proposal }) => proposal));
    list.placeholder =
      cost !== undefined && count > 0
        ? vscode.l10n.t('Enter makes {0}, which costs {1}.', imagesText(count), cost)
        : count === 1
          ? vscode.l10n.t('Enter makes 1 image, which may be billed.')
          : vscode.l10n.t('Enter makes {0} images. Each image may be billed.', count);
  };
  tellCount();
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const chosenNow = (): Proposal[] => list.selectedItems.map(({ proposal }) => proposal);
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
async function askPrompt({ label, prompt }: Proposal): Promise<string | undefined> {
  try {
    const reply = await askText(
      {
        title: plainText(label),
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
