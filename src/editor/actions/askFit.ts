import * as vscode from 'vscode';
import { type Finish, finishProblem } from '../../images/formats/finish.ts';
import { finishOf, type FinishWishes, trimOf, wishesProblem } from '../../images/formats/finishWishes.ts';
import { askPick, askText, type Direction, type Place, type Reply, walk } from '../paint/inputSteps.ts';
import { plainText } from '../window/plainText.ts';

/** What is done where an image keeps its own size; `trim` cuts off what is transparent around its subject. */
interface OwnSizeItem extends vscode.QuickPickItem {
  change: 'trim' | NonNullable<FinishWishes['multiples']>;
}

interface FitItem extends vscode.QuickPickItem {
  fit: FinishWishes['fit'];
  fill?: string;
  /** What is asked next: a color, the part that stays, or the margin up to which an image is trimmed. */
  asks?: 'fill' | 'focus' | 'trim';
}

type Focus = NonNullable<FinishWishes['focus']>;

/**
 * Asks for the size of an image, and how it gets that; or, where it keeps its own, whether it is trimmed or rounded up.
 *
 * @param subject what is fitted, in short
 * @throws vscode.CancellationError when the person dismissed a question
 */
export async function askFit(subject: string): Promise<Finish> {
  const title = plainText(vscode.l10n.t('Fit {0}', subject));
  let size = '';
  let own: OwnSizeItem['change'] = 'trim';
  let way: FitItem | undefined;
  let [fill, margin] = ['#ffffff', '5%'];
  let focus: Focus = { x: 0.5, y: 0.5 };
  const isTrimOnly = (): boolean => size === '' && own === 'trim';
  const asks = (): FitItem['asks'] => (isTrimOnly() ? 'trim' : way?.asks);
  const wishes = (): FinishWishes => ({
    size,
    ...(size === '' && own !== 'trim' && { multiples: own }),
    ...(!isTrimOnly() && { fit: way?.fit, fill: asks() === 'fill' ? fill.trim() : way?.fill }),
    ...(asks() === 'focus' && { focus }),
    ...(asks() === 'trim' && { trim: trimOf(margin) }),
  });
  const askSize = async (place: Place): Promise<Direction> => {
    const question = {
      title,
      prompt: vscode.l10n.t(
        'Size in pixels, for example 1200x630; empty to keep its own, and trim it or round it up. A new file is made; it costs nothing.',
      ),
      placeholder: '1200x630',
      value: size,
      invalid: (text: string) =>
        text.trim() === '' ? undefined : finishProblem(finishOf({ size: text.trim() })),
    };
    return after(await askText(question, place), (text) => {
      size = text.trim();
    });
  };
  const askOwnSize = async (place: Place): Promise<Direction> => {
    const placeholder = vscode.l10n.t('What becomes of its own size?');
    return after(await askPick({ title, placeholder, items: ownSizeItems() }, place), ({ change }) => {
      own = change;
    });
  };
  const askWay = async (place: Place): Promise<Direction> => {
    const placeholder =
      size === ''
        ? vscode.l10n.t('How does an image get the larger size?')
        : vscode.l10n.t('How does an image of another shape become {0}?', size);
    return after(await askPick({ title, placeholder, items: fitItems() }, place), (item) => {
      way = item;
    });
  };
  const askColor = async (place: Place): Promise<Direction> => {
    const question = {
      title,
      prompt: vscode.l10n.t('Color around the image, for example #ff8800'),
      value: fill,
      invalid: (text: string) => wishesProblem({ fill: text.trim() }),
    };
    return after(await askText(question, place), (text) => {
      fill = text;
    });
  };
  const askFocus = async (place: Place): Promise<Direction> => {
    const placeholder = vscode.l10n.t('Which part stays?');
    return after(await askPick({ title, placeholder, items: focusItems() }, place), (item) => {
      ({ focus } = item);
    });
  };
  const askMargin = async (place: Place): Promise<Direction> => {
    const question = {
      title,
      prompt: vscode.l10n.t('Margin around the subject, for example 8px or 5%'),
      value: margin,
      invalid: (text: string) => finishProblem(finishOf({ ...wishes(), trim: trimOf(text) })),
    };
    return after(await askText(question, place), (text) => {
      margin = text;
    });
  };
  const details = { fill: askColor, focus: askFocus, trim: askMargin };
  await walk(() => {
    const next = asks();
    return [
      askSize,
      ...(size === '' ? [askOwnSize] : []),
      ...(isTrimOnly() ? [] : [askWay]),
      ...(next ? [details[next]] : []),
    ];
  });
  return finishOf(wishes());
}

function after<T>(reply: Reply<T>, take: (value: T) => void): Direction {
  if (reply.kind !== 'answer') {
    return 'back';
  }
  take(reply.value);
  return 'next';
}

function ownSizeItems(): OwnSizeItem[] {
  return [
    {
      label: vscode.l10n.t('Trim…'),
      description: vscode.l10n.t('cuts off what is transparent around the subject, up to a margin'),
      change: 'trim',
    },
    { label: vscode.l10n.t('Round Up to Multiples of 16…'), change: 16 },
    { label: vscode.l10n.t('Round Up to Powers of 2…'), change: 'powerOfTwo' },
  ];
}

function fitItems(): FitItem[] {
  return [
    {
      label: vscode.l10n.t('Crop'),
      description: vscode.l10n.t('covers the size and cuts off what is too much'),
      fit: 'crop',
    },
    { label: vscode.l10n.t('Crop to a Part…'), fit: 'crop', asks: 'focus' },
    { label: vscode.l10n.t('Pad with Transparency'), fit: 'pad', fill: 'transparent' },
    { label: vscode.l10n.t('Pad with the Pixels at the Edge'), fit: 'pad', fill: 'edge' },
    { label: vscode.l10n.t('Pad with a Color…'), fit: 'pad', asks: 'fill' },
    {
      label: vscode.l10n.t('Trim and Pad with Transparency…'),
      description: vscode.l10n.t('cuts off what is transparent around the subject, up to a margin'),
      fit: 'pad',
      fill: 'transparent',
      asks: 'trim',
    },
    {
      label: vscode.l10n.t('Stretch'),
      description: vscode.l10n.t('changes the proportions'),
      fit: 'stretch',
    },
  ];
}

function focusItems(): (vscode.QuickPickItem & { focus: Focus })[] {
  const rows = [
    [vscode.l10n.t('Top Left'), vscode.l10n.t('Top'), vscode.l10n.t('Top Right')],
    [vscode.l10n.t('Left'), vscode.l10n.t('Middle'), vscode.l10n.t('Right')],
    [vscode.l10n.t('Bottom Left'), vscode.l10n.t('Bottom'), vscode.l10n.t('Bottom Right')],
  ];
  return rows.flatMap((labels, row) =>
    labels.map((label, column) => ({ label, focus: { x: column / 2, y: row / 2 } })),
  );
}
