import * as l10n from '@vscode/l10n';
import { sentencesText } from '../../common/text.ts';
import { damageIn, isWhole } from '../../common/taskStatus.ts';
import type { CutoutReport, FinishFacts, ReasonToLeaveAlone } from '../../images/formats/finish.ts';
import type { TaskResult } from '../task/task.ts';
import { told } from './told.ts';

export function leftAloneText(why: ReasonToLeaveAlone): string {
  switch (why) {
    case 'animated':
      return l10n.t('Animated images stay as they are.');
    case '16bit':
      return l10n.t('Images with 16 bits per channel stay as they are.');
    case '12bit':
      return l10n.t('Images with 12 bits per channel stay as they are.');
    case 'cmyk':
      return l10n.t('Images with CMYK colors stay as they are.');
  }
}

/** Returns notes about the finishing of an image, besides its size and background. */
export function finishNotes({
  untouched,
  scaled,
  untrimmed,
  flattened,
  lostColours,
  lostCredentials,
  embedded,
  notSmaller,
  damage,
}: Omit<FinishFacts, 'got' | 'cutout'>): string[] {
  const notes: (string | false | undefined)[] = [
    damage !== undefined && l10n.t('The original is damaged: {0}.', told(damage)),
    untouched !== undefined && untouched !== 'nothingToDo' && leftAloneText(untouched),
    scaled === 'up' && l10n.t('Scaled up. This adds no detail.'),
    untrimmed && l10n.t('Nothing to trim: either no pixel is transparent or all are.'),
    flattened !== undefined && l10n.t('Transparent areas were filled with {0}.', flattened),
    notSmaller && l10n.t('The new file is not smaller than the original.'),
    lostColours && l10n.t("The colors may look different: the format can't store their color space."),
    lostCredentials && l10n.t('The Content Credentials were removed: they are only valid for the original.'),
    embedded === 'credentials' &&
      l10n.t('The prompt was not embedded: the image keeps its Content Credentials.'),
    embedded === 'metadata' && l10n.t('The prompt was not embedded: the image keeps its own metadata.'),
  ];
  return notes.filter((note) => typeof note === 'string');
}

/** Returns what the check of a cutout found, in one sentence each. */
export function reasonTexts({ reasons }: CutoutReport): string[] {
  return reasons.map(({ text }) => told(text));
}

/** Says what the check of a cutout found; undefined if it is good. */
export function cutoutNote(report: CutoutReport): string | undefined {
  const why = sentencesText(reasonTexts(report));
  switch (report.verdict) {
    case 'good':
      // Remarks don't make it doubtful.
      return why === '' ? undefined : why;
    case 'doubtful':
      return l10n.t('Check the removed background: {0}', why);
    case 'bad':
      return report.keptAnyway
        ? l10n.t('The background was removed although the check failed: {0}', why)
        : l10n.t('The background was not removed: {0}', why);
  }
}

export function savedAsReceived(problem: string): string {
  return l10n.t('Saved as received: {0}', told(problem));
}

/** Returns notes about how a saved image was made, besides its size and damage. */
export function imageNotes({ finished, lostCredentials }: TaskResult): string[] {
  if (finished && 'problem' in finished) {
    return [savedAsReceived(finished.problem)];
  }
  const cutout = finished?.cutout && cutoutNote(finished.cutout);
  const { damage: _, ...facts } = finished ?? {};
  const notes = finishNotes({ ...facts, ...(lostCredentials && { lostCredentials }) });
  return [...(cutout === undefined ? [] : [cutout]), ...notes];
}

/** Says that a saved image is truncated or damaged as received; undefined if it is not. */
export function damageText(result: TaskResult): string | undefined {
  if (result.state !== 'saved' || isWhole(result)) {
    return undefined;
  }
  if (result.seemsCut) {
    return l10n.t('The image appears to be truncated. It was saved as received.');
  }
  return result.damage === undefined
    ? l10n.t('The original is damaged: {0}.', told(damageIn(result) ?? ''))
    : l10n.t('The image appears to be damaged: {0}. It was saved as received.', told(result.damage));
}
