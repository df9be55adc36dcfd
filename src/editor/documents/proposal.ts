import * as vscode from 'vscode';
import { inTurns } from '../../common/clock.ts';
import { proposedPrompt, wantedSize } from '../../references/references.ts';
import type { TaskRequest } from '../../tasks/task.ts';
import type { WantedImage } from './wantedImages.ts';

/** Where an address stands for more images, its places are known by their words alone. */
const mostOthers = 50;

/** An image that a document needs, as it would be made. */
export interface Proposal {
  /** Tells it from the others of its document. Places that ask for the same have one. */
  id: string;
  /** What a person knows it by: the path of the file, or the address of the placeholder. */
  label: string;
  /** May be empty: then nothing tells what it shows. */
  prompt: string;
  /** `<width>x<height>`, if the document says so. */
  size?: string;
  /** It is the same picture as others of the list, for other screens. */
  isCandidate?: true;
  /** Where it is saved. */
  folder: vscode.Uri;
  /** The setting's, unless the document names the file. */
  fileName?: string;
  /** Where the image's address is written once it is saved. */
  reference?: NonNullable<TaskRequest['reference']>;
}

/** Returns the prompt that a placeholder's surroundings propose; places that say the same show the same image. */
export function wordsFor(image: WantedImage): string {
  const { words } = image.reference;
  if (image.kind === 'missing') {
    return proposedPrompt(words, image.file.path);
  }
  const { address } = image.reference;
  const name = /^(?:https?:)?\/\//iu.test(address) ? '' : address;
  const title = words.title ?? image.asked.words;
  return proposedPrompt({ ...words, ...(title !== undefined && { title }) }, name);
}

/** Returns the images of a kind that documents want, in their order, each once. */
export async function proposalsOf(
  wanted: readonly (readonly [Pick<vscode.TextDocument, 'uri'>, WantedImage])[],
  kind: WantedImage['kind'],
): Promise<Proposal[]> {
  const proposals = new Map<string, Proposal>();
  for await (const [document, image] of inTurns(wanted.filter(([, one]) => one.kind === kind))) {
    const proposal = proposalFor(document, image);
    // On many disks, names that differ in their case are one.
    const key = proposal.id.toLowerCase();
    const before = proposals.get(key);
    proposals.set(key, before && (!before.isCandidate || proposal.isCandidate) ? before : proposal);
  }
  return withOtherWords([...proposals.values()]);
}

export function proposalFor({ uri }: Pick<vscode.TextDocument, 'uri'>, image: WantedImage): Proposal {
  const { reference } = image;
  const prompt = wordsFor(image);
  const candidate = reference.isCandidate && { isCandidate: reference.isCandidate };
  if (image.kind === 'missing') {
    const { file } = image;
    const size = wantedSize(reference, file.path);
    return {
      id: file.toString(),
      label: vscode.workspace.asRelativePath(file),
      prompt,
      folder: vscode.Uri.joinPath(file, '..'),
      fileName: file.path.slice(file.path.lastIndexOf('/') + 1),
      ...(size && { size: `${size.width}x${size.height}` }),
      ...candidate,
    };
  }
  const { address } = reference;
  const size = image.asked.size ?? wantedSize(reference, address);
  return {
    id: `${uri.toString()} ${address} ${prompt}`,
    label: address,
    prompt,
    folder: image.folder,
    ...(size && { size: `${size.width}x${size.height}` }),
    ...candidate,
    reference: { document: uri.toString(), address, words: prompt },
  };
}

/** Says of proposals what the others of their addresses say: their places are known by that once their words change. */
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
