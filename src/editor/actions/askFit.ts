import * as vscode from 'vscode';
import { type Finish, finishProblem } from '../../images/formats/finish.ts';
import { finishOf, type FinishWishes } from '../../images/formats/finishWishes.ts';
import { askPick, askText, type Direction, type Place, type Reply, walk } from '../paint/inputSteps.ts';
import { plainText } from '../window/plainText.ts';

interface FitItem extends vscode.QuickPickItem {
  fit: FinishWishes['fit'];
  fill?: string;
  /** Whether what is transparent around a subject is cut off, up to a margin. */
  isTrimmed?: true;
}

/**
 * Asks for the size of an image, and how it gets that; or, where it keeps its own, only for the margin around its subject.
 *
 * @param subject what is fitted, in short
 * @throws vscode.CancellationError when the person dismissed a question
 */
export async function askFit(subject: string): Promise<Finish> {
  const title = plainText(vscode.l10n.t('Fit {0}', subject));
  let size = '';
  let way: FitItem | undefined;
  let margin = '5%';
  const wishes = (): FinishWishes => ({
    size,
    ...(size !== '' && { fit: way?.fit, fill: way?.fill }),
    ...((size === '' || way?.isTrimmed) && { trim: trimOf(margin) }),
  });
  const askSize = async (place: Place): Promise<Direction> => {
    const question = {
      title,
      prompt: vscode.l10n.t(
        'Size in pixels, for example 1200x630; empty to trim only. A new file is made; it costs nothing.',
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
  const askWay = async (place: Place): Promise<Direction> => {
    const placeholder = vscode.l10n.t('How does an image of another shape become {0}?', size);
    return after(await askPick({ title, placeholder, items: fitItems() }, place), (item) => {
      way = item;
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
  await walk(() => [
    askSize,
    ...(size === '' ? [] : [askWay]),
    ...(size === '' || way?.isTrimmed ? [askMargin] : []),
  ]);
  return finishOf(wishes());
}

function after<T>(reply: Reply<T>, take: (value: T) => void): Direction {
  if (reply.kind !== 'answer') {
    return 'back';
  }
  take(reply.value);
  return 'next';
}

/** Reads a margin in pixels or percent; what is none is no number of pixels. */
function trimOf(text: string): NonNullable<Finish['trim']> {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*(px|%)?$/u.exec(text.trim()) ?? [];
  return { margin: Number(number), unit: unit === '%' ? '%' : 'px' };
}

function fitItems(): FitItem[] {
  return [
    {
      label: vscode.l10n.t('Crop'),
      description: vscode.l10n.t('covers the size and cuts off what is too much'),
      fit: 'crop',
    },
    { label: vscode.l10n.t('Pad with Transparency'), fit: 'pad', fill: 'transparent' },
    { label: vscode.l10n.t('Pad with the Pixels at the Edge'), fit: 'pad', fill: 'edge' },
    { label: vscode.l10n.t('Pad with White'), fit: 'pad', fill: '#ffffff' },
    {
      label: vscode.l10n.t('Trim and Pad with Transparency…'),
      description: vscode.l10n.t('cuts off what is transparent around the subject, up to a margin'),
      fit: 'pad',
      fill: 'transparent',
      isTrimmed: true,
    },
    {
      label: vscode.l10n.t('Stretch'),
      description: vscode.l10n.t('changes the proportions'),
      fit: 'stretch',
    },
  ];
}
