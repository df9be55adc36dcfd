import * as v from 'valibot';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Draft, emptyDraft } from '../../studio/protocol/draft.ts';
import type { StudioReplies } from '../../studio/protocol/messages.ts';
import type { StudioInput } from '../../studio/protocol/state.ts';
import { studioViewType } from '../window/names.ts';
import { passedFiles, resolveLocation } from '../generate/paintArguments.ts';
import { defaultsFor, editDefaults } from '../generate/paintRequest.ts';
import type { SaveTargets } from '../generate/saveTarget.ts';
import { reportFailure } from '../ask/refusal.ts';
import type { Task } from '../../engine/task/task.ts';
import type { Settings } from '../window/settings.ts';
import { confirmed, activeFile, type WorkspaceFolders } from '../ask/confirm.ts';
import { DraftFile, isUnsent } from './draftFile.ts';
import { draftOf } from './studioSettings.ts';
import type { Styles } from '../ask/styles.ts';
import type { PanelSession, StudioPanel } from './studioPanel.ts';

export type StudioMaker = (
  panel: vscode.WebviewPanel,
  session: PanelSession,
  draft: DraftFile,
) => StudioPanel;

export interface SessionServices {
  make: StudioMaker;
  folder: vscode.Uri;
  settings: Settings;
  folders: WorkspaceFolders;
  targets: SaveTargets;
  styles: Styles;
  restore: (studio: StudioPanel, id: string) => Promise<NonNullable<StudioReplies['restore']>>;
  log: vscode.LogOutputChannel;
}

/** The studio of one window: its one panel, and the draft, which outlives the panel. */
export class StudioSession {
  readonly #services: SessionServices;
  #draft: Promise<DraftFile> | undefined;
  panel: Promise<StudioPanel> | undefined;
  isSending = false;

  constructor(services: SessionServices) {
    this.#services = services;
  }

  /**
   * `limner.openStudio`: shows the studio, with the given images as inputs.
   *
   * @param first an image, as URI or path, or a menu's argument
   * @param second the selected files, or a menu's argument
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
        await this.#startOn(studio, images);
      }
    });
  }

  /** Shows the studio with the table of a set; without rows, with the one that it has. */
  async openSet(rows: Draft['setRows']): Promise<void> {
    await this.#show(async (studio) => {
      const { draft } = studio.draft;
      const isNew = rows.length > 0;
      await showDraft(studio, [], {
        isSet: true,
        ...(isNew && { setRows: [...rows] }),
        view: viewAt(draft, 'results'),
      });
    });
  }

  /** `limner.task.openInStudio`: shows the studio with a task's composition, and the card of a social card's task. */
  async openTask({ id, request }: Pick<Task, 'id' | 'request'>): Promise<void> {
    await this.#show(async (studio) => {
      const before = studio.draft.draft;
      const { draft, inputs } = await this.#services.restore(studio, id);
      await studio.tellSettings();
      const card = request.socialCard && { selected: { task: id, index: 0 }, showsCard: true };
      await showDraft(studio, inputs, { ...draft, view: { ...viewAt(draft, 'results'), ...card } }, before);
      studio.changed([id]);
    });
  }

  /** `limner.repairTransparency`: shows the studio with the repair of a file. */
  async repair(file: vscode.Uri): Promise<void> {
    await this.#show(async (studio) => {
      const uri = file.toString();
      if (studio.isVisible && studio.hasPage) {
        studio.post({ kind: 'repair', uri });
        return;
      }
      const { draft } = studio.draft;
      const { repair, view } = draft;
      if (repair?.uri !== uri) {
        const begun = { repair: { uri, operations: [], done: 0 } };
        // Strokes on another file that weren't saved come back by an undo, as in a page that is there.
        await (repair && repair.done > 0
          ? studio.replaceDraft(draft, begun, true)
          : studio.draft.change(begun));
      }
      await studio.draft.change({ view: { ...view, stage: 'repair' } });
      if (studio.hasPage) {
        await studio.setPage();
      }
    });
  }

  /**
   * Starts a new draft with input from elsewhere, and otherwise with the values that would have been sent from there.
   * Asks first if a mask would be lost.
   */
  async #continueWith(
    studio: StudioPanel,
    { prompt, model, size, n, folder, background, images, style }: Composition,
  ): Promise<void> {
    const { settings, targets } = this.#services;
    const usual = defaultsFor(settings, images.length > 0 ? 'edit' : 'generate');
    const inputs = images.length === 0 ? [] : await studio.inputs.takeFiles(images);
    await this.#startWith(studio, inputs, {
      size: usual.size,
      quality: usual.quality,
      ...(await this.#partsOf(style)),
      prompt,
      model,
      ...(size !== undefined && { size }),
      count: n ?? usual.n,
      transparent: background !== undefined,
      folder: folder instanceof vscode.Uri ? await targets.nameOf(folder) : folder,
    });
  }

  /**
   * Starts a new draft with images. Asks first if a mask would be lost.
   *
   * @throws LimnerError for a file that isn't an image
   */
  async #startOn(studio: StudioPanel, images: readonly vscode.Uri[]): Promise<void> {
    const inputs = await studio.inputs.takeFiles(images);
    if (!inputs.every(({ id }) => studio.draft.draft.inputs.includes(id))) {
      const { size, quality, n: count } = editDefaults;
      await this.#startWith(studio, inputs, { size, quality, count });
    }
  }

  /** Nothing of the earlier draft that would change the new image, or its file, stays. */
  async #startWith(studio: StudioPanel, inputs: StudioInput[], entered: Partial<Draft>): Promise<void> {
    const { draft } = studio.draft;
    if (!(await confirmNewDraft(draft))) {
      return;
    }
    await showDraft(studio, inputs, {
      ...this.#emptyDraft(),
      prompts: draft.prompts,
      repair: draft.repair,
      ...entered,
      inputs: inputs.map(({ id }) => id),
      view: viewAt(draft, inputs.length > 0 ? 'mask' : 'results'),
    });
  }

  /**
   * Returns the parts of a draft that a style decides, as far as it can be read.
   *
   * @param name by default that of new images, but not in an untrusted workspace, where the user chooses it first
   */
  async #partsOf(name = vscode.workspace.isTrusted ? undefined : ''): Promise<Partial<Draft>> {
    const { settings, styles } = this.#services;
    const style = await styles.find(name ?? (await styles.usual())).catch(() => undefined);
    return style ? { ...draftOf(style, settings.baseUrl), style: style.name } : {};
  }

  /** Returns a draft with the values of the settings. */
  #emptyDraft(): Draft {
    const { size, quality, n: count } = this.#services.settings.forNewImages;
    const { fit, fill } = this.#services.settings.finishing();
    return { ...emptyDraft, size, fit, fill, quality, count };
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

  /** Closes the studio, and forgets its draft. */
  async forget(): Promise<void> {
    await vscode.window.tabGroups.close(studioTabs());
    // A draft that is being written must not come back.
    await (await this.#draft)?.change({});
    this.#draft = undefined;
  }

  /** Fills the panel that VS Code restores after a reload, unless the studio is open. */
  async restore(panel: vscode.WebviewPanel): Promise<void> {
    if (this.panel) {
      panel.dispose();
    } else {
      await (await this.#take(panel)).setPage();
    }
  }

  /**
   * Opens a panel in place of a tab from before a reload, which VS Code fills only when it becomes active, or from before
   * the extension host ended, which nobody fills any more.
   */
  async #openPanel(): Promise<StudioPanel> {
    const column = vscode.ViewColumn.Active;
    const before = studioTabs();
    const opening = this.#take(vscode.window.createWebviewPanel(studioViewType, l10n.t('Studio'), column));
    // VS Code may have just restored one, which `restore` closes.
    await Promise.allSettled(before.map(async (tab) => vscode.window.tabGroups.close(tab, true)));
    return opening;
  }

  /** Makes a panel the window's one panel; it has no page yet. */
  async #take(panel: vscode.WebviewPanel): Promise<StudioPanel> {
    this.#draft ??= this.#partsOf()
      .then(async (parts) =>
        DraftFile.open(this.#services.folder.fsPath, { ...this.#emptyDraft(), ...parts }),
      )
      .catch((error: unknown) => {
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

function studioTabs(): vscode.Tab[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(
      ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith(studioViewType),
    );
}

/** Whether the image preview's context menu passed this; it doesn't name the file. */
function isImagePreview(passed: unknown): boolean {
  return typeof passed === 'object' && passed !== null && 'webview' in passed;
}

const composition = v.object({
  prompt: v.string(),
  model: v.string(),
  size: v.optional(v.string()),
  n: v.optional(v.number()),
  background: v.optional(v.literal('transparent')),
  style: v.optional(v.string(), ''),
  folder: v.optional(v.union([v.string(), v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)]), ''),
  images: v.optional(v.array(v.custom<vscode.Uri>((value) => value instanceof vscode.Uri)), []),
});
type Composition = v.InferOutput<typeof composition>;

function viewAt({ view }: Draft, stage: Draft['view']['stage']): Draft['view'] {
  return { ...view, stage, mask: null, selected: null, zoom: null, compare: null };
}

/** Changes the draft, also in the page if there is one, which can undo it. */
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

/** Asks whether to start a new draft if that loses the current mask. */
export async function confirmNewDraft({ mask, inputs }: Draft): Promise<boolean> {
  const last = mask.operations.at(mask.done - 1);
  const isThere = mask.image ? inputs.includes(mask.image.id) : inputs.length > 0;
  if (mask.done === 0 || last?.kind === 'clear' || !isThere) {
    return true;
  }
  return confirmed(
    l10n.t('The studio contains a mask painted on another image. Start over without it?'),
    l10n.t('Start Over'),
    l10n.t('Images and tasks remain in the history.'),
  );
}
