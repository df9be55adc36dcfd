import * as v from 'valibot';
import * as vscode from 'vscode';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import type { StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioInput } from '../../studio/protocol/state.ts';
import { studioViewType } from '../names.ts';
import { passedFiles, resolveLocation } from '../paint/paintArguments.ts';
import type { SaveTargets } from '../paint/saveTarget.ts';
import { reportFailure } from '../questions/refusal.ts';
import type { Task } from '../../tasks/task.ts';
import type { Settings } from '../window/settings.ts';
import { confirmed } from '../questions/confirm.ts';
import { activeFile, type WorkspaceFolders } from '../questions/workspaceFolders.ts';
import { DraftFile, isUnsent } from '../studioPanel/draftFile.ts';
import type { PanelSession, StudioPanel } from '../studioPanel/studioPanel.ts';

/** Makes the panel of a session; it has no page yet. */
export type StudioMaker = (
  panel: vscode.WebviewPanel,
  session: PanelSession,
  draft: DraftFile,
) => StudioPanel;

export interface SessionServices {
  make: StudioMaker;
  /** Of the draft. */
  folder: vscode.Uri;
  settings: Settings;
  folders: WorkspaceFolders;
  targets: SaveTargets;
  /** Makes the draft what a task was composed of. */
  restore: (studio: StudioPanel, id: string) => Promise<NonNullable<StudioReplies['restore']>>;
  log: vscode.LogOutputChannel;
}

/** The studio of one window: its one panel, and the draft, which outlives it. */
export class StudioSession {
  readonly #services: SessionServices;
  #draft: Promise<DraftFile> | undefined;
  /** While it is open or being opened. */
  panel: Promise<StudioPanel> | undefined;
  isSending = false;

  constructor(services: SessionServices) {
    this.#services = services;
  }

  /**
   * `limner.openStudio`: shows the studio; given images become its inputs.
   *
   * @param first an image, as URI or path; or what a menu passes
   * @param second the selected files, or what a menu passes
   */
  async open(first?: unknown, second?: unknown): Promise<void> {
    const passed = isImagePreview(first) ? [activeFile()] : passedFiles(first, second);
    const root = await this.#services.folders.current(false);
    const images = passed.flatMap((file) => (file === undefined ? [] : resolveLocation(file, root)));
    await this.#show(async (studio) => {
      const entered = v.safeParse(composition, first);
      if (entered.success) {
        await this.#continueWith(studio, entered.output);
      } else if (images.length > 0) {
        await startOn(studio, images);
      }
    });
  }

  /** `limner.task.openInStudio`: shows the studio with what a task was composed of; that of a social card with its card. */
  async openTask({ id, request }: Pick<Task, 'id' | 'request'>): Promise<void> {
    await this.#show(async (studio) => {
      const before = studio.draft.draft;
      const { draft, inputs } = await this.#services.restore(studio, id);
      const card = request.socialCard && { selected: { task: id, index: 0 }, showsCard: true };
      await showDraft(studio, inputs, { ...draft, view: { ...viewAt(draft, 'results'), ...card } }, before);
      studio.changed([id]);
    });
  }

  /**
   * Starts a new draft with what was entered elsewhere, and otherwise as it would have been sent from there; asks first
   * when a mask would be lost.
   */
  async #continueWith(
    studio: StudioPanel,
    { prompt, model, size, n, folder, images }: Composition,
  ): Promise<void> {
    const { settings, targets } = this.#services;
    const usual = images.length > 0 ? usualForEdits : settings.forNewImages;
    const { fit, fill } = settings.finishing();
    const inputs = images.length === 0 ? [] : await studio.inputs.takeFiles(images);
    await startWith(studio, inputs, {
      prompt,
      model,
      size: size ?? usual.size,
      fit,
      fill,
      quality: usual.quality,
      count: n ?? usual.n,
      folder: folder instanceof vscode.Uri ? await targets.nameOf(folder) : folder,
    });
  }

  async #show(fill: (studio: StudioPanel) => Promise<void>): Promise<void> {
    const isOpen = this.panel !== undefined;
    const studio = await (this.panel ?? this.#openPanel());
    try {
      await fill(studio);
    } catch (error) {
      void reportFailure(this.#services.log, error);
    } finally {
      if (isOpen) {
        studio.reveal();
      } else {
        await studio.setPage();
      }
    }
  }

  /** Fills the panel that VS Code restores after a reload, unless the studio is open. */
  async restore(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel) {
      panel.dispose();
    } else {
      await (await this.#take(panel)).setPage();
    }
  }

  /** Opens a panel in place of a tab from before a reload, which VS Code fills only when it becomes active. */
  async #openPanel(): Promise<StudioPanel> {
    const column = vscode.ViewColumn.Active;
    const opening = this.#take(
      vscode.window.createWebviewPanel(studioViewType, vscode.l10n.t('Studio'), column),
    );
    const dormant = vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .filter(({ input, isActive }) => isStudio(input) && !isActive);
    await vscode.window.tabGroups.close(dormant, true);
    return opening;
  }

  /** Takes over a panel as the window's one; it has no page yet. */
  async #take(panel: vscode.WebviewPanel): Promise<StudioPanel> {
    const { size, quality, n: count } = this.#services.settings.forNewImages;
    const { fit, fill } = this.#services.settings.finishing();
    const empty = { ...emptyDraft, size, fit, fill, quality, count };
    this.#draft ??= DraftFile.open(this.#services.folder.fsPath, empty).catch((error: unknown) => {
      // Try again next time.
      this.#draft = undefined;
      throw error;
    });
    const opening = this.#draft.then((draft) => this.#services.make(panel, this, draft));
    this.panel = opening;
    panel.onDidDispose(() => {
      this.panel = undefined;
    });
    return opening;
  }
}

function isStudio(input: unknown): boolean {
  return input instanceof vscode.TabInputWebview && input.viewType.endsWith(studioViewType);
}

/** Whether this is from the context menu of the image preview, which does not name the file. */
function isImagePreview(passed: unknown): boolean {
  return typeof passed === 'object' && passed !== null && 'webview' in passed;
}

/** The fields that a new draft starts with. */
const composition = v.object({
  prompt: v.string(),
  model: v.string(),
  size: v.optional(v.string()),
  n: v.optional(v.number()),
  folder: v.optional(v.union([v.string(), v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)]), ''),
  images: v.optional(v.array(v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)), []),
});
type Composition = v.InferOutput<typeof composition>;

/** As in the commands, size, quality and count of the settings don't apply to an edit. */
const usualForEdits: Settings['forNewImages'] = { size: '', quality: '', n: 1 };

/**
 * Starts a new draft on images; asks first when a mask would be lost.
 *
 * @throws LimnerError for a file that isn't an image
 */
async function startOn(studio: StudioPanel, images: readonly vscode.Uri[]): Promise<void> {
  const inputs = await studio.inputs.takeFiles(images);
  if (!inputs.every(({ id }) => studio.draft.draft.inputs.includes(id))) {
    const { size, quality, n: count } = usualForEdits;
    await startWith(studio, inputs, { prompt: '', size, quality, count });
  }
}

async function startWith(studio: StudioPanel, inputs: StudioInput[], entered: Partial<Draft>): Promise<void> {
  const { draft } = studio.draft;
  if (!(await confirmNewDraft(draft))) {
    return;
  }
  await showDraft(studio, inputs, {
    ...entered,
    inputs: inputs.map(({ id }) => id),
    mask: emptyDraft.mask,
    tasks: [],
    view: viewAt(draft, inputs.length > 0 ? 'mask' : 'results'),
  });
}

function viewAt({ view }: Draft, stage: Draft['view']['stage']): Draft['view'] {
  return { ...view, stage, mask: null, selected: null, zoom: null, compare: null };
}

/** Changes the draft, also in the page if there is one; it can be undone there. */
async function showDraft(
  studio: StudioPanel,
  inputs: StudioInput[],
  changes: Partial<Draft>,
  before = studio.draft.draft,
): Promise<void> {
  if (studio.isVisible && studio.hasPage) {
    studio.post({ kind: 'newDraft', inputs, changes, isUnsent: isUnsent(before) });
    return;
  }
  await studio.replaceDraft(before, changes);
  if (studio.hasPage) {
    await studio.setPage();
  }
}

/** Asks whether to start a new draft, where a mask of the present one would be lost. */
export async function confirmNewDraft({ mask }: Draft): Promise<boolean> {
  const last = mask.operations.at(mask.done - 1);
  if (mask.done === 0 || last?.kind === 'clear') {
    return true;
  }
  return confirmed(
    vscode.l10n.t('The studio contains a mask painted on another image. Start over without it?'),
    vscode.l10n.t('Start Over'),
    vscode.l10n.t('Images and tasks remain in the history.'),
  );
}
