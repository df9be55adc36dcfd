import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainText } from '../window/plainText.ts';
import type { Proposal, ProposalGroup } from '../documents/proposal.ts';
import { askedFormat } from '../../engine/task/fileNames.ts';
import { imagesText } from '../../engine/messages/costText.ts';
import { PaidSelection } from '../ask/paidSelection.ts';
import { askText } from '../generate/inputSteps.ts';

interface Item extends vscode.QuickPickItem {
  /** Undefined for the heading of a group. */
  proposal?: Proposal;
  /** Changes whether the background is to be transparent, where the format can be. */
  background?: vscode.QuickInputButton | undefined;
}

const editButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('edit'),
  tooltip: l10n.t('Change Prompt'),
});

const backgroundButton = ({ isCutout }: Proposal): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon(isCutout === true ? 'circle-filled' : 'circle-outline'),
  tooltip: isCutout === true ? l10n.t('Keep Background') : l10n.t('Make Background Transparent'),
});

const writeButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('sparkle'),
  tooltip: l10n.t('Write Prompts'),
});

export interface ListServices {
  /** Says what images cost, and at which service; undefined while no service is set. */
  runText: (proposals: readonly Proposal[]) => string | undefined;
  /** Whether a language model can write prompts. */
  canWrite: () => Promise<boolean>;
  /** Has it write prompts into images that have none. Tells the user what fails. */
  write: (proposals: readonly Proposal[]) => Promise<void>;
}

/** Longer lists are for looking first: nothing of them is selected. */
const mostPreselected = 20;
/** Words for images of something real, which no model can generate, in the languages in which most pages are written. */
const real =
  /(?<!\p{L})(?:screen ?(?:shot|cast|grab|capture)|capture d écran|captura de pantalla|bildschirmfoto|скриншот|logo(?:type|mark)?|favicon|touch icon|qr ?(?:code)?|bar ?code|(?:flow ?)?chart|graph|graphique|diagram|\p{L}*diagramme?|diagrama|schema|wireframe|badge|signature)s?(?!\p{L})|截图|截圖|截屏|スクリーンショット|ロゴ|스크린샷|로고|二维码/iu;

/** Whether an image is one that the user most likely wants generated. */
function isLikely({ prompt, label, isCandidate, isSpacer, elsewhere, group }: Proposal): boolean {
  const words = `${prompt} ${label}`.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replaceAll(/[^\p{L}]+/gu, ' ');
  return (
    prompt !== '' &&
    !isCandidate &&
    !isSpacer &&
    !group?.isSuspicious &&
    elsewhere === undefined &&
    !real.test(words)
  );
}

/**
 * Lists images with their prompts, which the user can change, and returns the chosen ones.
 *
 * @throws vscode.CancellationError if the user dismisses the list
 */
export async function chooseProposals(
  title: string,
  given: readonly Proposal[],
  services: ListServices,
): Promise<Proposal[]> {
  const proposals = given.map((proposal) => ({ ...proposal }));
  const isShort = proposals.length <= mostPreselected;
  let chosen = new Set(isShort ? proposals.filter(isLikely) : []);
  let active: Proposal | undefined;
  for (;;) {
    const empty = proposals.filter(({ prompt }) => prompt === '');
    const canWrite = empty.length > 0 && (await services.canWrite());
    const reply = await ask(title, proposals, chosen, active, canWrite, services);
    if (reply.kind === 'make') {
      return reply.chosen;
    }
    chosen = new Set(reply.chosen);
    if (reply.kind === 'write') {
      await services.write(empty);
      continue;
    }
    if (reply.kind === 'background') {
      active = reply.changed;
      active.isCutout = active.isCutout !== true;
      continue;
    }
    active = reply.edited;
    const prompt = await askPrompt(reply.edited);
    if (prompt !== undefined) {
      reply.edited.prompt = prompt;
      chosen.add(reply.edited);
    }
  }
}

type Reply =
  | { kind: 'make'; chosen: Proposal[] }
  | { kind: 'write'; chosen: Proposal[] }
  | { kind: 'background'; chosen: Proposal[]; changed: Proposal }
  | { kind: 'edit'; chosen: Proposal[]; edited: Proposal };

/** Returns the entries of the list, those of a group below its heading. */
function itemsFor(proposals: readonly Proposal[]): Item[] {
  const groups = Map.groupBy(proposals, ({ group }) => group?.folder);
  return [...groups.values()].flatMap((all) => headingOf(all[0]?.group).concat(all.map(itemFor)));
}

function headingOf(group: ProposalGroup | undefined): Item[] {
  return group
    ? [
        {
          label: group.isSuspicious
            ? l10n.t("{0} – another folder? Most of its images don't exist.", plainText(group.folder))
            : plainText(group.folder),
          kind: vscode.QuickPickItemKind.Separator,
        },
      ]
    : [];
}

function itemFor(proposal: Proposal): Item {
  const format = proposal.fileName === undefined ? undefined : askedFormat(proposal.fileName)?.format;
  const background = format === 'jpeg' ? undefined : backgroundButton(proposal);
  return {
    label: plainText(proposal.label),
    description: [
      proposal.size?.replace('x', ' × ') ?? '',
      ...(proposal.isCutout === true ? [l10n.t('transparent')] : []),
      ...(proposal.elsewhere === undefined
        ? []
        : [l10n.t('exists elsewhere: {0}', plainText(proposal.elsewhere))]),
      ...(proposal.isCandidate ? [l10n.t('the same image for other screens')] : []),
    ]
      .filter((part) => part !== '')
      .join(' · '),
    detail: proposal.prompt === '' ? l10n.t('No prompt yet') : plainText(proposal.prompt),
    buttons: [...(background ? [background] : []), editButton()],
    proposal,
    background,
  };
}

async function ask(
  title: string,
  proposals: readonly Proposal[],
  chosen: ReadonlySet<Proposal>,
  active: Proposal | undefined,
  canWrite: boolean,
  { runText }: ListServices,
): Promise<Reply> {
  const list = vscode.window.createQuickPick<Item>();
  const needed = proposals.filter(({ elsewhere }) => elsewhere === undefined);
  const whole = needed.length > 0 ? runText(needed) : undefined;
  list.title = whole === undefined ? title : l10n.t('{0} · all: {1}', title, whole);
  list.canSelectMany = true;
  list.ignoreFocusOut = true;
  list.matchOnDescription = true;
  list.matchOnDetail = true;
  list.items = itemsFor(proposals);
  const chosenOf = (items: readonly Item[]): Proposal[] =>
    items.flatMap(({ proposal }) => (proposal ? [proposal] : []));
  list.selectedItems = list.items.filter(({ proposal }) => proposal && chosen.has(proposal));
  list.activeItems = list.items.filter(({ proposal }) => proposal && proposal === active);
  const chosenNow = (): Proposal[] => chosenOf(list.selectedItems);
  const selection = new PaidSelection(list, () => runText(chosenNow()) ?? imagesText(chosenNow().length));
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const subscriptions = [
    selection,
    list.onDidTriggerItemButton(({ item: { proposal, background }, button }) => {
      if (proposal && button === background) {
        resolve({ kind: 'background', chosen: chosenNow(), changed: proposal });
      } else if (proposal) {
        resolve({ kind: 'edit', chosen: chosenNow(), edited: proposal });
      }
    }),
    list.onDidAccept(() => {
      const empty = chosenNow().find(({ prompt }) => prompt === '');
      if (empty) {
        resolve({ kind: 'edit', chosen: chosenNow(), edited: empty });
      } else if (selection.accepts()) {
        resolve({ kind: 'make', chosen: chosenNow() });
      }
    }),
    list.onDidHide(() => reject(new vscode.CancellationError())),
  ];
  if (canWrite) {
    list.buttons = [writeButton()];
    subscriptions.push(list.onDidTriggerButton(() => resolve({ kind: 'write', chosen: chosenNow() })));
  }
  list.show();
  try {
    return await promise;
  } finally {
    vscode.Disposable.from(...subscriptions, list).dispose();
  }
}

/** @returns undefined if the user goes back without a change */
async function askPrompt({ label, prompt }: Proposal): Promise<string | undefined> {
  try {
    const reply = await askText(
      {
        title: plainText(label),
        prompt: l10n.t('Describe the image'),
        value: prompt,
        invalid: (text) => (text.trim() === '' ? l10n.t('The prompt is empty.') : undefined),
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
