import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { largestFinished, readRegular, requireSize } from '../../common/regularFile.ts';
import { messageOf } from '../../common/limnerError.ts';
import type { Codecs } from '../../images/finish/codecs.ts';
import type { Finished, FinishSources } from '../../images/finish/finish.ts';
import type { Finish, ReasonToLeaveAlone } from '../../images/formats/finish.ts';
import { refuse } from '../ask/refusal.ts';
import { nameOf, readOwn } from '../window/files.ts';
import { told } from '../../engine/messages/told.ts';

/** @throws LimnerError as `finishBytes` */
export async function finishFile(codecs: Codecs, file: vscode.Uri, how: Finish): Promise<Finished> {
  return finishBytes(codecs, nameOf(file), readToFinish(file), how);
}

export async function readToFinish(file: vscode.Uri): Promise<Uint8Array> {
  if (file.scheme === 'file') {
    return readRegular(file.fsPath, largestFinished);
  }
  const { size } = await vscode.workspace.fs.stat(file);
  requireSize(size, largestFinished);
  return readOwn(file);
}

/**
 * Finishes an image for a user.
 *
 * @param name of its file
 * @param bytes may be handed over, as for `Codecs.finish`
 * @throws LimnerError `unsupported_image` if that fails, or if Limner doesn't change images of this kind
 */
export async function finishBytes(
  codecs: Codecs,
  name: string,
  bytes: PromiseLike<Uint8Array> | Uint8Array,
  how: Finish,
  sources: FinishSources = {},
): Promise<Finished> {
  let finished: Finished;
  try {
    finished = await codecs.finish(await bytes, how, sources);
  } catch (error) {
    throw refuse(
      'unsupported_image',
      l10n.t("{0} can't be finished: {1} Nothing was changed.", name, told(messageOf(error))),
    );
  }
  const { untouched } = finished;
  if (untouched !== undefined && untouched !== 'nothingToDo') {
    throw refuse('unsupported_image', leftAloneText(untouched, name));
  }
  return finished;
}

export function leftAloneText(reason: ReasonToLeaveAlone, name: string): string {
  switch (reason) {
    case 'animated':
      return l10n.t('{0} is animated. Limner leaves such images alone.', name);
    case '16bit':
      return l10n.t('{0} has 16 bits per channel. Limner leaves such images alone.', name);
    case '12bit':
      return l10n.t('{0} has 12 bits per channel. Limner leaves such images alone.', name);
    case 'cmyk':
      return l10n.t('{0} has CMYK colors. Limner leaves such images alone.', name);
  }
}
