import type * as vscode from 'vscode';
import { proposedPrompt } from '../../references/proposedPrompt.ts';
import { wantedSize } from '../../references/wantedSize.ts';
import type { MissingImage } from './missingImages.ts';

/** A missing image, as it would be made: to exactly the place where it belongs. */
export interface Proposal {
  /** Where it belongs. */
  file: vscode.Uri;
  /** May be empty: then nothing tells what it shows. */
  prompt: string;
  /** `<width>x<height>`, if the document says so. */
  size?: string;
}

export function proposalFor({ reference, file }: MissingImage): Proposal {
  const size = wantedSize(reference, file.path);
  return {
    file,
    prompt: proposedPrompt(reference.words, file.path),
    ...(size && { size: `${size.width}x${size.height}` }),
  };
}
