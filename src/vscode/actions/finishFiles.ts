import { parse } from 'node:path';
import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, sentencesText } from '../../common/text.ts';
import { isLimnerError } from '../../common/limnerError.ts';
import type { Finished } from '../../images/finish/finish.ts';
import { type Finish, finishProblem, isCutoutRefused } from '../../images/formats/finish.ts';
import { encodingOf, encodingProblem, finishOf, wishesProblem } from '../../images/formats/finishWishes.ts';
import { allMultiples } from '../../images/formats/dimensions.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import { commandAction, offer } from '../window/offers.ts';
import { asRejection, refuse, reported } from '../ask/refusal.ts';
import { imagesMeant } from '../generate/inputImages.ts';
import { askPick } from '../generate/inputSteps.ts';
import { finishNotes, reasonTexts } from '../../engine/messages/finishText.ts';
import type { PaintQuestions } from '../generate/paintQuestions.ts';
import type { EngineHost } from '../window/engineHost.ts';
import * as commands from '../window/commandIds.ts';
import { requireCharge, type WorkspaceFolders } from '../ask/confirm.ts';
import { nameOf } from '../window/files.ts';
import { plainText } from '../window/plainText.ts';
import { askFit } from './askFit.ts';
import { finishFile } from './finishFile.ts';
import { publishBytes } from './workspacePublisher.ts';
import { told } from '../../engine/messages/told.ts';

const finishArguments = v.strictObject({
  format: v.optional(v.picklist(['png', 'jpeg', 'webp'])),
  quality: v.optional(v.number()),
  lossless: v.optional(v.literal(true)),
  size: v.optional(v.string()),
  fit: v.optional(v.picklist(['crop', 'pad', 'stretch'])),
  fill: v.optional(v.string()),
  focus: v.optional(v.object({ x: v.number(), y: v.number() })),
  trim: v.optional(v.object({ margin: v.number(), unit: v.picklist(['px', '%']) })),
  multiples: v.optional(v.picklist(allMultiples)),
});

const cutoutPrompt = 'Keep the subject exactly as it is.';

interface Remarks {
  file: vscode.Uri;
  words: readonly string[];
}

/** Whether a menu, rather than a program, passed this beside a file. */
function isFromMenu(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    Array.isArray(value) ||
    (typeof value === 'object' && 'groupId' in value)
  );
}

type Question = (files: readonly vscode.Uri[]) => Promise<Finish>;

/**
 * Creates new files beside images, at no cost: `limner.fitImage`, `limner.convertImage`, and `limner.removeBackground`.
 * Arguments replace the questions, and failures then reject; otherwise they are shown.
 */
export class FileFinisher {
  readonly #engine: EngineHost;
  readonly #folders: WorkspaceFolders;
  readonly #questions: Pick<PaintQuestions, 'runText'>;
  readonly #log: vscode.LogOutputChannel;

  constructor(
    engine: EngineHost,
    folders: WorkspaceFolders,
    questions: Pick<PaintQuestions, 'runText'>,
    log: vscode.LogOutputChannel,
  ) {
    this.#engine = engine;
    this.#folders = folders;
    this.#questions = questions;
    this.#log = log;
  }

  /** @returns the new files, in the order of the images; a file that needs no change stands for itself */
  async fit(first?: unknown, second?: unknown): Promise<vscode.Uri[] | undefined> {
    return this.#run(first, second, async (files) => askFit(subjectOf(files)));
  }

  /** @returns as `fit` */
  async convert(first?: unknown, second?: unknown): Promise<vscode.Uri[] | undefined> {
    return this.#run(first, second, async (files) => askEncoding(subjectOf(files)));
  }

  /**
   * Removes flat backgrounds. Offers edits for images without one.
   *
   * @returns the new files, in the order of the images, without those that have no flat background
   */
  async removeBackground(first?: unknown, second?: unknown): Promise<vscode.Uri[] | undefined> {
    let made: vscode.Uri[] | undefined;
    await reported(this.#log, async () => {
      const files = await imagesMeant(this.#folders, first, second);
      const codecs = await (await this.#engine.get()).codecs();
      const saved: vscode.Uri[] = [];
      const left: Remarks[] = [];
      const remarks: Remarks[] = [];
      const check = await each(files, async (file) => {
        const finished = await finishFile(codecs, file, { cutout: { by: 'key' } });
        const { cutout } = finished;
        const doubts = cutout ? reasonTexts(cutout) : [];
        if (isCutoutRefused(cutout)) {
          left.push({ file, words: doubts });
          return;
        }
        const result = await this.#publish(file, finished, '-cutout');
        saved.push(result);
        remarks.push({
          file: result,
          words: [...doubts, ...finishNotes(finished)],
        });
      });
      made = saved;
      if (saved.length > 0) {
        tell(files, saved, remarks);
      }
      if (left.length > 0) {
        await reported(this.#log, async () => this.#editInstead(left));
      }
      check();
    });
    return made;
  }

  /** Explains why some backgrounds can't be removed directly, and edits those files as the user chooses. */
  async #editInstead(left: readonly Remarks[]): Promise<void> {
    const once = l10n.t('Edit on One Color');
    const twice = l10n.t('Edit on White and Black');
    const names = listText(
      left.map(({ file }) => plainText(nameOf(file))),
      vscode.env.language,
    );
    const [{ words: [reason = ''], file: first } = { words: [] }, ...others] = left;
    const runOf = (n: number): string =>
      this.#questions.runText(left.map(({ file }) => ({ images: [file], n }))) ?? '';
    const chosen = await requireCharge(
      others.length === 0
        ? l10n.t('{0} was not changed. {1}', names, reason)
        : l10n.t("These images weren't changed because their backgrounds aren't one flat color: {0}", names),
      [once, twice],
      commandAction(l10n.t('Open in Studio'), commands.fileOpenStudio, first),
      l10n.t(
        'An edit can put the subject on one flat color, which Limner removes ({0}). Or it can put the subject on white and then on black, which also works for glass, hair, and smoke ({1}).',
        runOf(1),
        runOf(2),
      ),
    );
    await Promise.all(
      left.map(async ({ file }) =>
        reported(this.#log, async () =>
          vscode.commands.executeCommand(commands.edit, file, {
            prompt: cutoutPrompt,
            background: 'transparent',
            twoGrounds: chosen === twice,
            fileName: '{name}-cutout',
          }),
        ),
      ),
    );
  }

  async #run(first: unknown, second: unknown, ask: Question): Promise<vscode.Uri[] | undefined> {
    const given = v.safeParse(finishArguments, second);
    if (!given.success && !isFromMenu(second)) {
      throw refuse('invalid_request', l10n.t('Invalid arguments: {0}', given.issues[0].message));
    }
    if (Array.isArray(second) || !given.success || Object.keys(given.output).length === 0) {
      let made: vscode.Uri[] | undefined;
      await reported(this.#log, async () => {
        const files = await imagesMeant(this.#folders, first, second);
        const how = await ask(files);
        const { saved, remarks, check } = await this.#finishAll(files, how);
        made = saved;
        if (saved.length > 0) {
          tell(files, saved, remarks);
        }
        check();
      });
      return made;
    }
    try {
      const { format, quality, lossless, ...wishes } = given.output;
      const file = { format, quality, lossless };
      const problem = encodingProblem(file) ?? wishesProblem(wishes);
      if (problem !== undefined) {
        throw refuse('invalid_request', told(problem));
      }
      const how = checked(finishOf({ ...wishes, encoding: encodingOf(file) }, quality));
      const { saved, check } = await this.#finishAll(await imagesMeant(this.#folders, first, second), how);
      check();
      return saved;
    } catch (error) {
      throw asRejection(error);
    }
  }

  /** @returns the new files, and a function that throws if any failed */
  async #finishAll(
    files: readonly vscode.Uri[],
    how: Finish,
  ): Promise<{ saved: vscode.Uri[]; remarks: Remarks[]; check: () => void }> {
    const codecs = await (await this.#engine.get()).codecs();
    const saved: vscode.Uri[] = [];
    const remarks: Remarks[] = [];
    const check = await each(files, async (file) => {
      const finished = await finishFile(codecs, file, how);
      const { width, height } = finished.size;
      const hasSize = how.size !== undefined || how.multiples !== undefined;
      const result = await this.#publish(file, finished, hasSize ? `-${width}x${height}` : '');
      saved.push(result);
      remarks.push({ file: result, words: finishNotes(finished) });
    });
    return { saved, remarks, check };
  }

  /** @returns the new file, or the file itself if it needs no change */
  async #publish(file: vscode.Uri, { bytes, untouched }: Finished, words: string): Promise<vscode.Uri> {
    const extension = sniffImage(bytes)?.extension ?? 'png';
    return untouched
      ? file
      : publishBytes(
          this.#engine.home,
          bytes,
          vscode.Uri.joinPath(file, '..'),
          `${parse(nameOf(file)).name}${words}.${extension}`,
        );
  }
}

/** @throws LimnerError `invalid_request` for invalid values */
function checked(how: Finish): Finish {
  const problem = finishProblem(how);
  if (problem !== undefined) {
    throw refuse('invalid_request', told(problem));
  }
  return how;
}

/** Asks for another format. @throws vscode.CancellationError when the user dismissed the question */
export async function askEncoding(subject: string): Promise<Finish> {
  const items: (vscode.QuickPickItem & { how: Finish })[] = [
    { label: 'PNG', description: l10n.t('keeps every pixel'), how: { encoding: { format: 'png' } } },
    {
      label: l10n.t('WebP, Lossless'),
      description: l10n.t('keeps every pixel'),
      how: { encoding: { format: 'webp', lossless: true } },
    },
    {
      label: 'WebP',
      description: l10n.t('quality {0}, small', 90),
      how: { encoding: { format: 'webp' }, quality: 90 },
    },
    {
      label: 'JPEG',
      description: l10n.t('quality {0}, without transparency', 90),
      how: { encoding: { format: 'jpeg' }, quality: 90 },
    },
  ];
  const placeholder = l10n.t('Format of the new file. Converting is free.');
  const title = plainText(l10n.t('Convert {0}', subject));
  const reply = await askPick({ title, placeholder, items });
  if (reply.kind !== 'answer') {
    throw new vscode.CancellationError();
  }
  return reply.value.how;
}

function subjectOf(files: readonly vscode.Uri[]): string {
  const [only] = files.length === 1 ? files : [];
  return only ? nameOf(only) : l10n.t('{0} Images', files.length);
}

/**
 * Acts on each file, even if one fails.
 *
 * @returns a function that throws if any failed
 */
async function each(
  files: readonly vscode.Uri[],
  act: (file: vscode.Uri) => Promise<void>,
): Promise<() => void> {
  const failures: unknown[] = [];
  for (const file of files) {
    try {
      await act(file);
    } catch (error) {
      failures.push(error);
    }
  }
  return () => {
    const [first, ...others] = failures;
    if (others.length > 0 && failures.every(isLimnerError)) {
      throw refuse('unsupported_image', sentencesText(failures.map(({ message }) => message)));
    }
    if (failures.length > 0) {
      throw first;
    }
  };
}

/** Reports the new files and anything to check, with a button that opens the first one. */
function tell(files: readonly vscode.Uri[], made: readonly vscode.Uri[], remarks: readonly Remarks[]): void {
  const saved = made.filter((file) => !files.includes(file));
  const [first, ...others] = saved;
  const notes = remarks
    .filter(({ words }) => words.length > 0)
    .map(({ file, words }) =>
      others.length === 0
        ? sentencesText(words)
        : l10n.t('{0}: {1}', plainText(nameOf(file)), sentencesText(words)),
    );
  if (!first) {
    const message = l10n.t(
      '{0} already meets your request. No file was created.',
      plainText(subjectOf(files)),
    );
    void vscode.window.showInformationMessage(sentencesText([message, ...notes]));
    return;
  }
  const message =
    others.length === 0
      ? l10n.t('Saved {0}.', plainText(nameOf(first)))
      : l10n.t('Saved {0} images.', saved.length);
  void offer(
    vscode.window.showInformationMessage,
    sentencesText([message, ...notes]),
    commandAction(l10n.t('Open'), 'vscode.open', first),
    commandAction(l10n.t('Reveal'), 'revealInExplorer', first),
  );
}
