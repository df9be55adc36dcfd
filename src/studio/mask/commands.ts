import * as l10n from '@vscode/l10n';
import type { StudioInput } from '../protocol/state.ts';
import { focusAfterRender } from '../components/focus.ts';
import { comboOf } from '../components/keys.ts';
import { zoomStep } from '../components/zoom.ts';
import { inputsOf, type StudioContext } from '../store/studioStore.ts';
import { doneOf } from '../store/maskHistory.ts';
import { isBlank } from '../maskPixels/maskPixels.ts';
import { encodeMaskPng } from '../maskPixels/encodeMaskPng.ts';
import type { MaskView } from './maskView.ts';
import type { Painting } from '../maskPixels/painting.ts';
import { tints, type Tool, type Tools } from './tools.ts';

export interface MaskCommand {
  label: string;
  icon: string;
  /** The first one is displayed. */
  combos: readonly string[];
  run: () => void;
  isDisabled?: boolean;
  /** Only for commands that are on or off. */
  isPressed?: boolean;
}

export type MaskCommands = ReturnType<typeof maskCommands>;

/** The parts of an editor that its commands act on. */
export interface Surface {
  view: MaskView | undefined;
  tools: Tools;
  /** Announces a text to screen readers. */
  say: (text: string) => void;
  showKeys: () => void;
  /** Shows or hides the brush options if there is no room for them beside the image. */
  toggleOptions: () => void;
}

/** Everything that the commands of the mask act on. */
export interface Studio extends StudioContext, Surface {
  painting: Painting;
  input: StudioInput;
}

/** Names of the brush, the eraser, and the other tools. */
export interface ToolTexts {
  brush: string;
  eraser: string;
  subtract: string;
  subtracts: string;
  adds: string;
}

export function maskCommands(studio: Studio) {
  const { store, view, say } = studio;
  return {
    ...toolCommands(studio, {
      brush: l10n.t('Brush'),
      eraser: l10n.t('Eraser'),
      subtract: l10n.t('Subtract with Rectangle and Lasso'),
      subtracts: l10n.t('Rectangle and lasso subtract'),
      adds: l10n.t('Rectangle and lasso add'),
    }),
    tint: command(l10n.t('Next Mask Color'), 'symbol-color', ['o'], () => nextTint(studio.tools)),
    ...undoCommands(view, {
      canUndo: store.acts.last !== undefined,
      canRedo: store.acts.next !== undefined,
      undo: () => void store.undo(),
      redo: () => void store.redo(),
    }),
    ...wholeCommands(
      view,
      (kind, said) => {
        store.paint({ kind });
        say(said);
      },
      {
        fill: [l10n.t('Mark Everything'), l10n.t('Everything is marked')],
        clear: [l10n.t('Clear'), l10n.t('Nothing is marked')],
      },
    ),
    ...fileCommands(studio),
    ...viewCommands(studio),
  };
}

/** Runs the command of a key that was pressed in an editor. */
export function runByKey(event: KeyboardEvent, commands: Readonly<Record<string, MaskCommand>>): void {
  const combo = comboOf(event);
  // Sliders and drop-down lists use keys themselves.
  const isControl = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
  const command = Object.values(commands).find(({ combos }) => combos.includes(combo));
  if (command && (!isControl || combo.startsWith('mod+'))) {
    event.preventDefault();
    // VS Code would run its own command for this key.
    event.stopPropagation();
    if (command.isDisabled !== true) {
      command.run();
    }
  }
}

export function command(
  label: string,
  icon: string,
  combos: readonly string[],
  run: () => void,
  state: Pick<MaskCommand, 'isDisabled' | 'isPressed'> = {},
): MaskCommand {
  return { label, icon, combos, run, ...state };
}

export function toolCommands({ tools, say, toggleOptions }: Surface, texts: ToolTexts) {
  const { tool, mode } = tools.state;
  const choose = (chosen: Tool, label: string, icon: string, combo: string): MaskCommand => {
    const run = (): void => {
      tools.set({ tool: chosen });
      say(label);
    };
    return command(label, icon, [combo], run, { isPressed: tool === chosen });
  };
  const resize = (direction: 1 | -1) => (): void => {
    tools.resize(direction);
    say(l10n.t('Brush size: {0} pixels', tools.state.size));
  };
  const harden = (direction: 1 | -1) => (): void => {
    tools.harden(direction);
    say(l10n.t('Hardness: {0}%', Math.round(100 * tools.state.hardness)));
  };
  const toggleMode = (): void => {
    tools.set({ mode: mode === 'add' ? 'subtract' : 'add' });
    say(mode === 'add' ? texts.subtracts : texts.adds);
  };
  return {
    brush: choose('brush', texts.brush, 'edit', 'b'),
    eraser: choose('eraser', texts.eraser, 'eraser', 'e'),
    rectangle: choose('rectangle', l10n.t('Rectangle'), 'chrome-maximize', 'r'),
    lasso: choose('lasso', l10n.t('Lasso'), 'lasso', 'l'),
    subtract: command(texts.subtract, 'diff-removed', ['s'], toggleMode, { isPressed: mode === 'subtract' }),
    smaller: command(l10n.t('Smaller Brush'), 'remove', ['['], resize(-1)),
    larger: command(l10n.t('Larger Brush'), 'add', [']'], resize(1)),
    softer: command(l10n.t('Softer Brush'), 'remove', ['{'], harden(-1)),
    harder: command(l10n.t('Harder Brush'), 'add', ['}'], harden(1)),
    options: command(l10n.t('Brush Options'), 'settings', [], toggleOptions),
  };
}

function nextTint(tools: Tools): void {
  const next = tints[(tints.indexOf(tools.state.tint) + 1) % tints.length] ?? 'red';
  tools.set({ tint: next });
}

interface UndoSteps {
  canUndo: boolean;
  canRedo: boolean;
  undo: () => void;
  redo: () => void;
}

export function undoCommands(view: MaskView | undefined, steps: UndoSteps) {
  const undo = (): void => {
    // An unfinished stroke is discarded first.
    if (view?.cancel() !== true) {
      steps.undo();
    }
  };
  const redo = (): void => {
    if (view?.isDrawing !== true) {
      steps.redo();
    }
  };
  return {
    undo: command(l10n.t('Undo'), 'discard', ['mod+z'], undo, { isDisabled: !steps.canUndo }),
    redo: command(l10n.t('Redo'), 'redo', ['mod+shift+z', 'mod+y'], redo, { isDisabled: !steps.canRedo }),
  };
}

/** Returns the commands that change every pixel. @param texts their labels, and what is said once they are done */
export function wholeCommands(
  view: MaskView | undefined,
  paint: (kind: 'invert' | 'fill' | 'clear', said: string) => void,
  texts: Record<'fill' | 'clear', readonly [label: string, said: string]>,
) {
  const operate = (kind: 'invert' | 'fill' | 'clear', said: string) => (): void => {
    if (view?.isDrawing !== true) {
      paint(kind, said);
    }
  };
  return {
    invert: command(l10n.t('Invert'), 'color-mode', ['i'], operate('invert', l10n.t('Inverted'))),
    fill: command(texts.fill[0], 'paintcan', ['f'], operate('fill', texts.fill[1])),
    clear: command(texts.clear[0], 'clear-all', ['delete', 'backspace'], operate('clear', texts.clear[1])),
  };
}

function fileCommands({ store, host, view, painting, input, say }: Studio) {
  const load = async (): Promise<void> => {
    const { width, height } = input;
    const loaded = await host.ask('loadMask', { width, height });
    if (!loaded) {
      return;
    }
    const operation = { kind: 'load', file: loaded.file } as const;
    await painting.load(operation).catch(() => {
      throw new Error(
        l10n.t('The mask {0} is damaged or too large to read. Choose another file.', loaded.name),
      );
    });
    // The input may have been replaced since.
    if (inputsOf(store.state)[0]?.id === input.id) {
      view?.cancel();
      store.paint(operation);
      await view?.show(doneOf(store.state.draft.mask));
      say(l10n.t('Mask loaded'));
    }
  };
  /** Opens a VS Code dialog, and then returns the focus to the button that opened it. */
  const inDialog = async (run: () => Promise<void>): Promise<void> => {
    const { activeElement } = document;
    await store.attempt(run);
    focusAfterRender(() => (activeElement instanceof HTMLElement ? activeElement : undefined));
  };
  const save = async (): Promise<void> => {
    await painting.show(doneOf(store.state.draft.mask));
    if (isBlank(painting.mask)) {
      throw new Error(l10n.t("There's no mask to save. Paint one first."));
    }
    const name = `${input.name.replace(/\.[^.]+$/, '')}-mask.png`;
    const saved = await host.ask('saveMask', { bytes: await encodeMaskPng(painting.mask), name });
    if (saved !== null) {
      say(l10n.t('Saved {0}', saved));
    }
  };
  return {
    load: command(l10n.t('Load Mask from File…'), 'folder-opened', [], () => void inDialog(load)),
    save: command(l10n.t('Save Mask to File…'), 'save', [], () => void inDialog(save)),
  };
}

export type ViewCommands = ReturnType<typeof viewCommands>;

export function viewCommands({ view, say, showKeys }: Surface) {
  const zoom = (change: (view: MaskView) => void) => (): void => {
    if (view) {
      change(view);
      say(l10n.t('{0}%', Math.round(100 * view.zoom.scale)));
    }
  };
  const zoomBy = (factor: number): (() => void) => zoom((view) => view.zoomTo(view.zoom.scale * factor));
  const fit = zoom((view) => view.fit());
  const actualSize = zoom((view) => view.zoomTo(1));
  return {
    zoomOut: command(l10n.t('Zoom Out'), 'zoom-out', ['-', '_'], zoomBy(1 / zoomStep)),
    zoomIn: command(l10n.t('Zoom In'), 'zoom-in', ['+', '='], zoomBy(zoomStep)),
    fit: command(l10n.t({ message: 'Fit', comment: ['Shows the whole image'] }), 'screen-full', ['0'], fit),
    actualSize: command(l10n.t('Actual Size'), 'screen-normal', ['1'], actualSize),
    keys: command(l10n.t('Keyboard Shortcuts'), 'question', ['?'], showKeys),
  };
}
