import { posix } from 'node:path';
import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { isCutout, isSpacer, sizeFor, wordsFor } from '../../pages/find/references.ts';
import type { TaskRequest } from '../../engine/task/task.ts';
import type { PaintArguments } from '../generate/paintArguments.ts';
import type { ProposedImage } from '../generate/painting.ts';
import type { WantedImage } from './wantedImages.ts';

/** Length of the text around an image, to either side, in UTF-16 units. */
const nearby = 300;

/** Maximum number of other places to record for an address; with more, places are known by their words alone. */
const mostOthers = 50;

export interface Proposal {
  /** Identifies it in its document. Places that ask for the same image share it. */
  id: string;
  /** Name for the user: the path of the file, or the address of the placeholder. */
  label: string;
  /** Empty if the document doesn't describe the image. */
  prompt: string;
  /** `<width>x<height>`, if the document says so. */
  size?: string;
  /** Whether its background is to be transparent. */
  isCutout?: boolean;
  /** The parts that the style of new images decides. */
  styled?: Pick<ProposedImage, 'isSizeOfStyle'> & {
    given: Pick<PaintArguments, 'style' | 'model' | 'size' | 'fit' | 'quality'>;
  };
  /** Whether it is the same picture as others of the list, for other screens. */
  isCandidate?: true;
  /** A file that the address may mean: then nothing needs to be generated. */
  elsewhere?: string;
  /** Whether it only fills space. */
  isSpacer?: true;
  /** Of a search in the workspace. */
  group?: ProposalGroup;
  /** The text around the image, if it has no prompt. */
  around?: string;
  folder: vscode.Uri;
  /** By default, the setting's. */
  fileName?: string;
  /** Place for the image's address once it is saved. */
  reference?: NonNullable<TaskRequest['reference']>;
}

/** Images that the documents of a folder want. */
export interface ProposalGroup {
  /** For the user. */
  folder: string;
  /** Whether most images that the folder's documents name don't exist: they are probably elsewhere. */
  isSuspicious: boolean;
}

/**
 * Returns the images of some kinds that documents want, in order, without duplicates.
 *
 * @param wanted with whether the document's folder is suspicious, if the images are to be in groups
 */
export async function proposalsOf(
  wanted: readonly (readonly [
    document: Pick<vscode.TextDocument, 'uri' | 'getText'>,
    image: WantedImage,
    isSuspicious?: boolean,
  ])[],
  ...kinds: readonly WantedImage['kind'][]
): Promise<Proposal[]> {
  const proposals = new Map<string, Proposal>();
  const asked = wanted.filter(([, one]) => kinds.includes(one.kind));
  for await (const [document, image, isSuspicious] of inTurns(asked)) {
    const { reference } = image;
    const proposal: Proposal = proposalFor(document, image);
    if (isSuspicious !== undefined) {
      const folder = `${posix.dirname(vscode.workspace.asRelativePath(document.uri))}/`;
      proposal.group = { folder, isSuspicious: isSuspicious && image.kind !== 'placeholder' };
    }
    if (proposal.prompt === '') {
      proposal.around = textAround(document.getText(), reference);
    }
    // Many file systems ignore case.
    const key = proposal.id.toLowerCase();
    const before = proposals.get(key);
    proposals.set(key, before && (!before.isCandidate || proposal.isCandidate) ? before : proposal);
  }
  return withOtherWords([...proposals.values()]);
}

function textAround(text: string, { start, end }: WantedImage['reference']): string {
  return text.slice(Math.max(0, start - nearby), end + nearby).toWellFormed();
}

export function proposalFor({ uri }: Pick<vscode.TextDocument, 'uri'>, image: WantedImage): Proposal {
  const { reference } = image;
  const prompt = wordsFor(image);
  const size = sizeFor(image);
  const marks = {
    ...(reference.isCandidate && { isCandidate: reference.isCandidate }),
    ...(isSpacer(image) && { isSpacer: true as const }),
    ...(isCutout(image) && { isCutout: true }),
  };
  if (image.kind !== 'placeholder') {
    const { file } = image;
    return {
      id: file.toString(),
      label: vscode.workspace.asRelativePath(file),
      prompt,
      folder: vscode.Uri.joinPath(file, '..'),
      fileName: file.path.slice(file.path.lastIndexOf('/') + 1),
      ...(image.kind === 'elsewhere' && {
        elsewhere: vscode.workspace.asRelativePath(image.files[0]),
      }),
      ...(size && { size: `${size.width}x${size.height}` }),
      ...marks,
    };
  }
  const { address } = reference;
  return {
    id: `${uri.toString()} ${address} ${prompt}`,
    label: address,
    prompt,
    folder: image.folder,
    ...(size && { size: `${size.width}x${size.height}` }),
    ...marks,
    reference: { document: uri.toString(), address, words: prompt },
  };
}

/** Adds the words of the other places of the same address, which identify a place whose words change. */
function withOtherWords(proposals: readonly Proposal[]): Proposal[] {
  const words = new Map<string, string[]>();
  const wordsAt = ({ document, address }: NonNullable<Proposal['reference']>): string[] => {
    const key = `${document} ${address}`;
    const known = words.get(key) ?? [];
    words.set(key, known);
    return known;
  };
  for (const { reference } of proposals) {
    if (reference?.words !== undefined) {
      wordsAt(reference).push(reference.words);
    }
  }
  return proposals.map((proposal) => {
    const { reference } = proposal;
    const known = reference ? wordsAt(reference) : [];
    return reference && known.length <= mostOthers + 1
      ? {
          ...proposal,
          reference: { ...reference, otherWords: known.filter((other) => other !== reference.words) },
        }
      : proposal;
  });
}
