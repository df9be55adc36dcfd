import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { type Finish, finishProblem } from '../../images/formats/finish.ts';
import { finishOf, type FinishWishes, trimOf, wishesProblem } from '../../images/formats/finishWishes.ts';
import {
  askPick,
  askText,
  type Direction,
  type StepPosition,
  type Reply,
  type Step,
  walk,
} from '../generate/inputSteps.ts';
import { plainText } from '../window/plainText.ts';
import { told } from '../../engine/messages/told.ts';

/** Change of an image that keeps its own size; `trim` removes the transparency around its subject. */
interface OwnSizeItem extends vscode.QuickPickItem {
  change: 'trim' | NonNullable<FinishWishes['multiples']>;
}

interface FitItem extends vscode.QuickPickItem {
  fit: FinishWishes['fit'];
  fill?: string;
  /** Next question: a color, the part to keep, or the margin around the subject. */
  asks?: 'fill' | 'focus' | 'trim';
}

type Focus = NonNullable<FinishWishes['focus']>;

/**
 * Asks for the size of an image and how to reach it or, for an image that keeps its size, whether to trim it or round
 * it up.
 *
 * @param subject short description of the images
 * @throws vscode.CancellationError when the user dismissed a question
 */
export async function askFit(subject: string): Promise<Finish> {
  const questions = new FitQuestions(plainText(l10n.t('Fit {0}', subject)));
  await walk(() => questions.steps);
  return finishOf(questions.wishes);
}

class FitQuestions {
  readonly #title: string;
  #size = '';
  #own: OwnSizeItem['change'] = 'trim';
  #fit: FitItem | undefined;
  #fill = '#ffffff';
  #focus: Focus = { x: 0.5, y: 0.5 };
  #margin = '5%';

  constructor(title: string) {
    this.#title = title;
  }

  /** Returns the remaining questions, as far as the answers determine them. */
  get steps(): Step[] {
    const last = { fill: this.#askColor, focus: this.#askFocus, trim: this.#askMargin, none: undefined }[
      this.#detail ?? 'none'
    ];
    return [
      this.#askSize,
      ...(this.#size === '' ? [this.#askOwnSize] : []),
      ...(this.#isTrimOnly ? [] : [this.#askFit]),
      ...(last ? [last] : []),
    ];
  }

  get wishes(): FinishWishes {
    const detail = this.#detail;
    return {
      size: this.#size,
      ...(this.#size === '' && this.#own !== 'trim' && { multiples: this.#own }),
      ...(!this.#isTrimOnly && {
        fit: this.#fit?.fit,
        fill: detail === 'fill' ? this.#fill : this.#fit?.fill,
      }),
      ...(detail === 'focus' && { focus: this.#focus }),
      ...(detail === 'trim' && { trim: trimOf(this.#margin) }),
    };
  }

  get #isTrimOnly(): boolean {
    return this.#size === '' && this.#own === 'trim';
  }

  get #detail(): FitItem['asks'] {
    return this.#isTrimOnly ? 'trim' : this.#fit?.asks;
  }

  readonly #askSize = async (place: StepPosition): Promise<Direction> => {
    const question = {
      title: this.#title,
      prompt: l10n.t(
        'Size in pixels, for example 1200x630. Leave empty to trim the image or round its size up. Creates a new file at no cost.',
      ),
      placeholder: '1200x630',
      value: this.#size,
      invalid: (text: string) =>
        text.trim() === '' ? undefined : problemTold(finishProblem(finishOf({ size: text.trim() }))),
    };
    return after(await askText(question, place), (text) => {
      this.#size = text.trim();
    });
  };

  readonly #askOwnSize = async (place: StepPosition): Promise<Direction> => {
    const placeholder = l10n.t('How should its size change?');
    const question = { title: this.#title, placeholder, items: ownSizeItems() };
    return after(await askPick(question, place), ({ change }) => {
      this.#own = change;
    });
  };

  readonly #askFit = async (place: StepPosition): Promise<Direction> => {
    const placeholder =
      this.#size === ''
        ? l10n.t('How should the image fill the larger size?')
        : l10n.t('How should an image of another shape become {0}?', this.#size);
    return after(await askPick({ title: this.#title, placeholder, items: fitItems() }, place), (item) => {
      this.#fit = item;
    });
  };

  readonly #askColor = async (place: StepPosition): Promise<Direction> => {
    const question = {
      title: this.#title,
      prompt: l10n.t('Color around the image, for example #ff8800'),
      value: this.#fill,
      invalid: (text: string) => problemTold(wishesProblem({ fill: text.trim() })),
    };
    return after(await askText(question, place), (text) => {
      this.#fill = text.trim();
    });
  };

  readonly #askFocus = async (place: StepPosition): Promise<Direction> => {
    const placeholder = l10n.t('Which part should be kept?');
    const question = { title: this.#title, placeholder, items: focusItems() };
    return after(await askPick(question, place), ({ focus }) => {
      this.#focus = focus;
    });
  };

  readonly #askMargin = async (place: StepPosition): Promise<Direction> => {
    const question = {
      title: this.#title,
      prompt: l10n.t('Margin around the subject, for example 8px or 5%'),
      value: this.#margin,
      invalid: (text: string) => problemTold(finishProblem(finishOf({ ...this.wishes, trim: trimOf(text) }))),
    };
    return after(await askText(question, place), (text) => {
      this.#margin = text;
    });
  };
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
      label: l10n.t('Trim…'),
      description: l10n.t('removes the transparency around the subject, up to a margin'),
      change: 'trim',
    },
    { label: l10n.t('Round Up to Multiples of 16…'), change: 16 },
    { label: l10n.t('Round Up to Powers of 2…'), change: 'powerOfTwo' },
  ];
}

function fitItems(): FitItem[] {
  return [
    {
      label: l10n.t('Crop'),
      description: l10n.t('covers the size and crops the rest'),
      fit: 'crop',
    },
    { label: l10n.t('Crop to a Part…'), fit: 'crop', asks: 'focus' },
    { label: l10n.t('Pad with Transparency'), fit: 'pad', fill: 'transparent' },
    { label: l10n.t('Pad with the Pixels at the Edge'), fit: 'pad', fill: 'edge' },
    { label: l10n.t('Pad with a Color…'), fit: 'pad', asks: 'fill' },
    {
      label: l10n.t('Trim and Pad with Transparency…'),
      description: l10n.t('removes the transparency around the subject, up to a margin'),
      fit: 'pad',
      fill: 'transparent',
      asks: 'trim',
    },
    {
      label: l10n.t('Stretch'),
      description: l10n.t('changes the proportions'),
      fit: 'stretch',
    },
  ];
}

function focusItems(): (vscode.QuickPickItem & { focus: Focus })[] {
  const rows = [
    [l10n.t('Top Left'), l10n.t('Top'), l10n.t('Top Right')],
    [l10n.t('Left'), l10n.t('Middle'), l10n.t('Right')],
    [l10n.t('Bottom Left'), l10n.t('Bottom'), l10n.t('Bottom Right')],
  ];
  return rows.flatMap((labels, row) =>
    labels.map((label, column) => ({ label, focus: { x: column / 2, y: row / 2 } })),
  );
}

/** Says what is wrong with a typed value, if anything is. */
function problemTold(problem: string | undefined): string | undefined {
  return problem === undefined ? undefined : told(problem);
}
