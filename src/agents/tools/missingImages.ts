import { isSameFile, wayBelow, wayInto } from '../../common/fileUris.ts';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import { ellipsize } from '../../common/text.ts';
import { askedFormat, renderFileName } from '../../engine/task/fileNames.ts';
import type { TextEdit } from '../../pages/cards/cardImage.ts';
import { languageOf } from '../../pages/find/languages.ts';
import type { NamedFile, WantedImage } from '../../pages/find/wantedImages.ts';
import type { Reference } from '../../pages/scan/reference.ts';
import type { AgentHost, AgentPage } from './agentHost.ts';
import { refusalCost } from './replyText.ts';
import type { FindInput, PlaceInput } from './tools.ts';
import { usable, type WorkspaceFiles } from './workspaceFiles.ts';
import type { WorkspaceFile } from './workspacePaths.ts';

type Host = Pick<AgentHost, 'pages'>;

/** Most images that are listed of a document. */
const mostListed = 50;
/** Most lines that are named of one image. */
const mostLines = 10;
/** Most that is shown of the words of an image, in UTF-16 units. */
const longestWords = 200;

/** Reads documents once one is asked for: most agents never do. */
const pages = async () => import('../../pages/find/references.ts');

/**
 * Lists the images that a document names and that are missing or placeholders, one a line. Places that show the same
 * image share a line.
 *
 * @throws LimnerError `invalid_request` when the document can't be read
 */
export async function findMissing(host: Host, files: WorkspaceFiles, { file }: FindInput): Promise<string> {
  const place = await documentAt(files, file);
  const page = await usable(file, async () => (await host.pages()).read(place.uri));
  if (page === 'lossy') {
    throw lossy(place);
  }
  const all = await wantedIn(page, page.references, place);
  const wanted = [...Map.groupBy(all, ({ key }) => key).values()];
  const lineOf = lineNumbers(page);
  const taken = new Set<string>();
  const lines: string[] = [];
  for (const places of wanted.slice(0, mostListed)) {
    const first = places.find(({ reference }) => !reference.isCandidate) ?? places[0];
    if (first) {
      lines.push(`${linesText([places], lineOf)} ${await lineFor(first, page, place, taken)}`);
    }
  }
  if (lines.length === 0) {
    return `${place.path} names no missing image and no placeholder.`;
  }
  const more = wanted.length - lines.length;
  return [
    `${place.path} (lines, what is wrong, address → file to make, size, whether it probably needs transparent: true, proposed prompt):`,
    ...lines,
    ...(more > 0 ? [`and ${more} more, once these are there.`] : []),
  ].join('\n');
}

/**
 * Writes the address of an existing image into the places of a placeholder or a missing image, as the document names its
 * other images.
 *
 * @throws LimnerError `invalid_request` when that is not possible; the document is unchanged then
 */
export async function replacePlaceholder(
  host: Host,
  files: WorkspaceFiles,
  { file, placeholder, image: path, line }: PlaceInput,
): Promise<string> {
  const place = await documentAt(files, file);
  const image = await files.image(path);
  let [count, isNamed] = [0, false];
  const editsFor = async (page: AgentPage): Promise<readonly TextEdit[]> => {
    const lineOf = lineNumbers(page);
    const isMeant = ({ reference }: Wanted): boolean => line === undefined || lineOf(reference) === line;
    const named = page.references.filter(({ address }) => address === placeholder);
    const groups = Map.groupBy(await wantedIn(page, named, place), ({ key }) => key);
    const [meant = [], ...others] = [...groups.values()].filter((places) => places.some(isMeant));
    if (others.length > 0) {
      throw refused(
        line === undefined
          ? `"${placeholder}" stands for several images, in the lines ${linesText(groups.values(), lineOf)}: call again with line.`
          : `"${placeholder}" stands for several images in line ${line}: edit the document yourself.`,
      );
    }
    const places = meant.filter(isMeant);
    const edits = await Promise.all(places.map(async (one) => editFor(page, one, image.uri)));
    const needed = edits.filter(({ text }) => text !== placeholder);
    count = needed.length;
    isNamed = edits.length > 0 || (await names(page, image.uri));
    return needed;
  };
  const change = await usable(file, async () => (await host.pages()).change(place.uri, editsFor));
  if (change === 'lossy') {
    throw lossy(place);
  }
  if (change === 'same' && !isNamed) {
    const where = line === undefined ? '' : `line ${line} of `;
    throw refused(
      `There is no placeholder "${placeholder}" in ${where}${place.path}. limner_find_missing_images lists those that there are.`,
    );
  }
  const done =
    change === 'same'
      ? `${place.path} names ${image.path} already. Nothing was changed.\nIt has no placeholder "${placeholder}".`
      : `${place.path} now names ${image.path} in ${count === 1 ? '1 place' : `${count} places`}.`;
  return `${done}\n${refusalCost('no')}`;
}

/** Returns an existing document of the project itself. @throws LimnerError `invalid_request` */
async function documentAt(files: WorkspaceFiles, file: string): Promise<WorkspaceFile> {
  const place = await files.document(file);
  const { foreignFolders } = await pages();
  if (place.path.split('/').some((name) => foreignFolders.includes(name))) {
    throw refused(`"${place.path}" is in a folder of other software.`);
  }
  return place;
}

interface Wanted {
  image: WantedImage;
  reference: Reference;
  words: string;
  /** The same for places that show the same image. */
  key: string;
}

/** @throws LimnerError `invalid_request` when the document is in no language that is read, or too long */
async function wantedIn(
  page: AgentPage,
  references: readonly Reference[],
  place: WorkspaceFile,
): Promise<Wanted[]> {
  const { document } = page;
  const { maxLength, wantedAmong, wordsFor } = await pages();
  if (languageOf(document.languageId, document.uri.path) === undefined) {
    throw refused(
      `${place.path} can't be read: Limner reads Markdown, HTML, components, styles, scripts, JSON, and AsciiDoc.`,
    );
  }
  if (document.getText().length > maxLength) {
    throw refused(`${place.path} can't be read: it is longer than ${maxLength} characters.`);
  }
  return (await wantedAmong(references, async (one) => page.at(one))).map((image) => {
    const { reference } = image;
    const words = wordsFor(image);
    // Many file systems ignore case.
    const key =
      image.kind === 'placeholder' ? `${reference.address} ${words}` : image.file.path.toLowerCase();
    return { image, reference, words, key };
  });
}

/** @param taken the files to make so far */
async function lineFor(
  { image, reference: { address }, words }: Wanted,
  { document, fileName }: AgentPage,
  place: WorkspaceFile,
  taken: Set<string>,
): Promise<string> {
  const { isCutout, isSpacer, sizeFor } = await pages();
  const way = wayInto(place.root, place.uri) ?? '';
  const root = document.uri.path.slice(0, -way.length);
  const pathOf = ({ path }: NamedFile): string =>
    place.path.slice(0, -way.length) + (wayBelow(root, path) ?? path);
  if (image.kind === 'elsewhere') {
    return `elsewhere ${address} → exists as ${image.files.map(pathOf).join(' or ')}`;
  }
  const size = sizeFor(image);
  const path =
    image.kind === 'missing' ? pathOf(image.file) : freePath(pathOf(image.folder), fileName, words, taken);
  return [
    `${image.kind} ${address} → ${path}`,
    ...(size ? [`${size.width}x${size.height}`] : []),
    ...(isCutout(image) ? ['transparent'] : []),
    words === '' ? 'no words' : `"${ellipsize(words, longestWords)}"`,
    ...(isSpacer(image) ? ['only fills space'] : []),
  ].join(' ');
}

/** Returns the path of a new image that no other of the list has. @param taken gets it */
function freePath(folder: string, template: string, prompt: string, taken: Set<string>): string {
  const stem = renderFileName(template, { prompt, model: '', at: new Date(), index: 1, id: '' });
  const extension = askedFormat(template)?.extension ?? 'png';
  const start = folder === '' ? stem : `${folder}/${stem}`;
  let path = `${start}.${extension}`;
  for (let number = 2; taken.has(path); number++) {
    path = `${start}-${number}.${extension}`;
  }
  taken.add(path);
  return path;
}

async function editFor(page: AgentPage, { image, reference }: Wanted, uri: string): Promise<TextEdit> {
  const { endOf } = await pages();
  const { start, end } = reference;
  const rest = image.kind === 'placeholder' ? '' : endOf(reference);
  return { start, end, text: (await page.addressOf(uri, reference)) + rest };
}

async function names(page: AgentPage, uri: string): Promise<boolean> {
  for (const reference of page.references) {
    const named = await page.fileOf(reference);
    if (named !== undefined && isSameFile(named, uri)) {
      return true;
    }
  }
  return false;
}

/** Returns a function that gives the lines of references, from 1. */
function lineNumbers({ document, references }: AgentPage): (reference: Reference) => number {
  const ends = [...document.getText().matchAll(/\r\n?|\n/gu)].map(({ index }) => index);
  const lines = new Map<number, number>();
  let line = 0;
  for (const { start } of references) {
    while ((ends[line] ?? Infinity) < start) {
      line++;
    }
    lines.set(start, line + 1);
  }
  return ({ start }) => lines.get(start) ?? 1;
}

/** Returns the lines of some places, each once, as many as an agent needs. */
function linesText(groups: Iterable<readonly Wanted[]>, lineOf: (reference: Reference) => number): string {
  const lines = [...new Set([...groups].flat().map(({ reference }) => lineOf(reference)))];
  return [...lines.slice(0, mostLines), ...(lines.length > mostLines ? ['…'] : [])].join(',');
}

function lossy({ path }: WorkspaceFile): LimnerError {
  return refused(`${path} can't be used: its encoding loses characters. Ask the user to save it as UTF-8.`);
}

function refused(message: string): LimnerError {
  return new LimnerError('invalid_request', message, notSent);
}
