import type { Dimensions } from '../../images/formats/dimensions.ts';
import type { CutoutReport, FinishFacts } from '../../images/formats/finish.ts';
import type { TaskRequest, TaskResult } from '../../tasks/task.ts';

const untouchedRemarks = {
  animated: 'Animated images stay as they are.',
  '16bit': 'Images with 16 bits per channel stay as they are.',
  '12bit': 'Images with 12 bits per channel stay as they are.',
  cmyk: 'Images with CMYK colors stay as they are.',
  nothingToDo: undefined,
};

/** Returns what a person should know about what was done to an image, besides its size. */
export function finishRemarks({
  scaled,
  untouched,
  untrimmed,
  flattened,
  lostColours,
  lostCredentials,
  embedded,
  notSmaller,
  damage,
  cutout,
}: Omit<FinishFacts, 'got'>): string[] {
  const told: (string | false | undefined)[] = [
    damage !== undefined && `The original is damaged: ${damage}.`,
    cutout && cutoutRemark(cutout),
    untouched && untouchedRemarks[untouched],
    scaled === 'up' && 'Scaled up: details were invented.',
    untrimmed && 'There is nothing to trim: no pixel is transparent, or all are.',
    flattened !== undefined && `Transparency became ${flattened}.`,
    notSmaller && 'The new file is not smaller than the original.',
    lostColours && 'The colors may look different: the format cannot hold what they mean.',
    lostCredentials && 'The Content Credentials were left out: they hold for the original only.',
    embedded === 'credentials' &&
      'The prompt was not embedded: the image has Content Credentials, which are kept.',
    embedded === 'metadata' &&
      'The prompt was not embedded: the image has metadata of its own, which is kept.',
  ];
  return told.filter((remark) => typeof remark === 'string');
}

function cutoutRemark({ verdict, reasons }: CutoutReport): string | undefined {
  const why = reasons.map(({ text }) => text).join(' ');
  switch (verdict) {
    case 'good':
      return undefined;
    case 'doubtful':
      return `Look at the removed background: ${why}`;
    case 'bad':
      return `The background was not removed: ${why}`;
  }
}

/** Returns what a person should know about the size and the making of a saved image of a task. */
export function savedRemarks(
  { size, finish }: TaskRequest,
  { finished, width, height, lostCredentials }: TaskResult,
): string[] {
  if (finished && 'problem' in finished) {
    return [`${finished.problem} It was saved as received.`];
  }
  const saved = width === undefined || height === undefined ? undefined : { width, height };
  const asked = finish?.size ? sizeText(finish.size) : size?.replace('x', ' × ');
  const got = finished?.got ?? saved;
  const facts = { ...finished, ...(lostCredentials && { lostCredentials }) };
  return [...sizeRemarks(asked, got, saved), ...finishRemarks(facts)];
}

/** Tells the three sizes where one differs from another. */
function sizeRemarks(
  asked: string | undefined,
  got: Dimensions | undefined,
  saved: Dimensions | undefined,
): string[] {
  if (!got || !saved) {
    return [];
  }
  const known = [...(asked === undefined ? [] : [asked]), sizeText(got), sizeText(saved)];
  if (new Set(known).size === 1) {
    return [];
  }
  const start = asked === undefined ? 'Got' : `Asked for ${asked}, got`;
  return [`${start} ${sizeText(got)}, saved ${sizeText(saved)}.`];
}

export function sizeText({ width, height }: Dimensions): string {
  return `${width} × ${height}`;
}
