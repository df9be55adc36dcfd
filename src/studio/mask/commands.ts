import * as l10n from '@vscode/l10n';
import type { StudioInput } from '../protocol/state.ts';
import { focusAfterRender } from '../components/focus.ts';
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

/** Everything that the commands act on. */
export interface Studio extends StudioContext {
  view: MaskView | undefined;
  painting: Painting;
  tools: Tools;
  input: StudioInput;
  /** Announces a text to screen readers. */
  say: (text: string) => void;
  showKeys: () => void;
  /** Shows or hides the brush options if there is no room for them beside the image. */
  toggleOptions: () => void;
}

export function maskCommands(studio: Studio) {
  return {
    ...toolCommands(studio),
    ...historyCommands(studio),
    ...fileCommands(studio),
    ...viewCommands(studio),
  };
}

function command(
  label: string,
  icon: string,
  combos: readonly string[],
  run: () => void,
  state: Pick<MaskCommand, 'isDisabled' | 'isPressed'> = {},
): MaskCommand {
  return { label, icon, combos, run, ...state };
}

function toolCommands({ tools, say, toggleOptions }: Studio) {
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
    say(mode === 'add' ? l10n.t('Rectangle and lasso subtract') : l10n.t('Rectangle and lasso add'));
  };
  const nextTint = (): void => {
    const next = tints[(tints.indexOf(tools.state.tint) + 1) % tints.length] ?? 'red';
    tools.set({ tint: next });
  };
  return {
    brush: choose('brush', l10n.t('Brush'), 'edit', 'b'),
    eraser: choose('eraser', l10n.t('Eraser'), 'eraser', 'e'),
    rectangle: choose('rectangle', l10n.t('Rectangle'), 'chrome-maximize', 'r'),
    lasso: choose('lasso', l10n.t('Lasso'), 'lasso', 'l'),
    subtract: command(l10n.t('Subtract with Rectangle and Lasso'), 'diff-removed', ['s'], toggleMode, {
      isPressed: mode === 'subtract',
    }),
    smaller: command(l10n.t('Smaller Brush'), 'remove', ['['], resize(-1)),
    larger: command(l10n.t('Larger Brush'), 'add', [']'], resize(1)),
    softer: command(l10n.t('Softer Brush'), 'remove', ['{'], harden(-1)),
    harder: command(l10n.t('Harder Brush'), 'add', ['}'], harden(1)),
    tint: command(l10n.t('Next Mask Color'), 'symbol-color', ['o'], nextTint),
    options: command(l10n.t('Brush Options'), 'settings', [], toggleOptions),
  };
}

function historyCommands({ store, view, say }: Studio) {
  const operate = (kind: 'invert' | 'fill' | 'clear', said: string) => (): void => {
    if (view?.isDrawing !== true) {
      store.paint({ kind });
      say(said);
    }
  };
  const invert = operate('invert', l10n.t('Inverted'));
  const fill = operate('fill', l10n.t('Everything is marked'));
  const clear = operate('clear', l10n.t('Nothing is marked'));
  const undo = (): void => {
    // An unfinished stroke is discarded first.
    if (view?.cancel() !== true) {
      void store.undo();
    }
  };
  const redo = (): void => {
    if (view?.isDrawing !== true) {
      void store.redo();
    }
  };
  return {
    undo: command(l10n.t('Undo'), 'discard', ['mod+z'], undo, {
      isDisabled: !store.acts.last,
    }),
    redo: command(l10n.t('Redo'), 'redo', ['mod+shift+z', 'mod+y'], redo, {
      isDisabled: !store.acts.next,
    }),
    invert: command(l10n.t('Invert'), 'color-mode', ['i'], invert),
    fill: command(l10n.t('Mark Everything'), 'paintcan', ['f'], fill),
    clear: command(l10n.t('Clear'), 'clear-all', ['delete', 'backspace'], clear),
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

function viewCommands({ view, say, showKeys }: Studio) {
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
