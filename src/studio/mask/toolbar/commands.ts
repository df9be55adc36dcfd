import * as l10n from '@vscode/l10n';
import type { StudioInput } from '../../protocol/state.ts';
import type { Parts } from '../../store/studioContext.ts';
import { zoomStep } from '../../zoom/zoom.ts';
import { inputsOf } from '../../store/studioStore.ts';
import { canRedo, canUndo, doneOf, push, redone, undone } from '../model/maskHistory.ts';
import { isBlank } from '../model/maskPixels.ts';
import { maskPng } from '../files/maskPng.ts';
import type { MaskView } from '../surface/maskView.ts';
import type { Painting } from '../model/painting.ts';
import { tints } from '../surface/tools.ts';
import type { Tool, Tools } from '../surface/tools.ts';

/** Something that can be done to the mask, by a button or by a key. */
export interface MaskCommand {
  label: string;
  icon: string;
  /** The first one is shown; none: only by the button. */
  combos: readonly string[];
  run: () => void;
  isDisabled?: boolean;
  /** Of what is on or off. */
  isPressed?: boolean;
}

export type MaskCommands = ReturnType<typeof maskCommands>;

/** What a command needs. */
export interface Studio extends Parts {
  view: MaskView | undefined;
  painting: Painting;
  tools: Tools;
  /** The image that is painted on. */
  input: StudioInput;
  /** Reads out what happened. */
  say: (text: string) => void;
  /** Shows or hides the list of keys. */
  toggleKeys: () => void;
}

/** All commands, as they stand by now. */
export function maskCommands(studio: Studio) {
  return {
    ...toolCommands(studio),
    ...historyCommands(studio),
    ...fileCommands(studio),
    ...viewCommands(studio),
  } satisfies Record<string, MaskCommand>;
}

function toolCommands({ tools, say }: Studio) {
  const { tool, mode } = tools.state;
  const choose = (chosen: Tool, label: string, icon: string, combo: string): MaskCommand => ({
    label,
    icon,
    combos: [combo],
    isPressed: tool === chosen,
    run: () => {
      tools.set({ tool: chosen });
      say(label);
    },
  });
  const saySize = (): void => say(l10n.t('Brush of {0} pixels', tools.state.size));
  const sayHardness = (): void => say(l10n.t('Hardness {0} %', Math.round(100 * tools.state.hardness)));
  return {
    brush: choose('brush', l10n.t('Brush'), 'edit', 'b'),
    eraser: choose('eraser', l10n.t('Eraser'), 'eraser', 'e'),
    rectangle: choose('rectangle', l10n.t('Rectangle'), 'chrome-maximize', 'r'),
    lasso: choose('lasso', l10n.t('Lasso'), 'lasso', 'l'),
    subtract: {
      label: l10n.t('Take Away with Rectangle and Lasso'),
      icon: 'diff-removed',
      combos: ['s'],
      isPressed: mode === 'subtract',
      run: () => {
        tools.set({ mode: mode === 'add' ? 'subtract' : 'add' });
        say(mode === 'add' ? l10n.t('Rectangle and lasso take away') : l10n.t('Rectangle and lasso add'));
      },
    },
    smaller: {
      label: l10n.t('Smaller Brush'),
      icon: 'remove',
      combos: ['['],
      run: () => {
        tools.resize(-1);
        saySize();
      },
    },
    larger: {
      label: l10n.t('Larger Brush'),
      icon: 'add',
      combos: [']'],
      run: () => {
        tools.resize(1);
        saySize();
      },
    },
    softer: {
      label: l10n.t('Softer Brush'),
      icon: 'remove',
      combos: ['{'],
      run: () => {
        tools.harden(-1);
        sayHardness();
      },
    },
    harder: {
      label: l10n.t('Harder Brush'),
      icon: 'add',
      combos: ['}'],
      run: () => {
        tools.harden(1);
        sayHardness();
      },
    },
    tint: {
      label: l10n.t('Next Color of the Mask'),
      icon: 'symbol-color',
      combos: ['o'],
      run: () => {
        const next = tints[(tints.indexOf(tools.state.tint) + 1) % tints.length] ?? 'red';
        tools.set({ tint: next });
      },
    },
  } satisfies Record<string, MaskCommand>;
}

function historyCommands({ work, view, say }: Studio) {
  const { mask } = work.state.draft;
  const operate = (kind: 'invert' | 'fill' | 'clear', said: string) => (): void => {
    if (view?.isDrawing !== true) {
      work.change({ mask: push(work.state.draft.mask, { kind }) });
      say(said);
    }
  };
  return {
    undo: {
      label: l10n.t('Undo'),
      icon: 'discard',
      combos: ['mod+z'],
      isDisabled: !canUndo(mask),
      run: () => {
        // What is being drawn goes first.
        if (view?.cancel() !== true) {
          work.change({ mask: undone(work.state.draft.mask) });
        }
        say(l10n.t('Undone'));
      },
    },
    redo: {
      label: l10n.t('Redo'),
      icon: 'redo',
      combos: ['mod+shift+z', 'mod+y'],
      isDisabled: !canRedo(mask),
      run: () => {
        if (view?.isDrawing !== true) {
          work.change({ mask: redone(work.state.draft.mask) });
          say(l10n.t('Redone'));
        }
      },
    },
    invert: {
      label: l10n.t('Invert'),
      icon: 'color-mode',
      combos: ['i'],
      run: operate('invert', l10n.t('Inverted')),
    },
    fill: {
      label: l10n.t('Mark Everything'),
      icon: 'paintcan',
      combos: ['f'],
      run: operate('fill', l10n.t('Everything is marked')),
    },
    clear: {
      label: l10n.t('Clear'),
      icon: 'clear-all',
      combos: ['delete', 'backspace'],
      run: operate('clear', l10n.t('Nothing is marked')),
    },
  } satisfies Record<string, MaskCommand>;
}

function fileCommands({ work, host, view, painting, input, say }: Studio) {
  return {
    load: {
      label: l10n.t('Load a Mask from a File…'),
      icon: 'folder-opened',
      combos: [],
      run: () =>
        void work.attempt(async () => {
          const { width, height } = input;
          const loaded = await host.ask('loadMask', { width, height });
          if (!loaded) {
            return;
          }
          const operation = { kind: 'load', file: loaded.file } as const;
          await painting.load(operation).catch(() => {
            throw new Error(
              l10n.t('The mask {0} is damaged, or too large to be read. Choose another file.', loaded.name),
            );
          });
          // Another image may have taken the place of this one meanwhile.
          if (inputsOf(work.state)[0]?.id === input.id) {
            view?.cancel();
            work.change({ mask: push(work.state.draft.mask, operation) });
            await view?.show(doneOf(work.state.draft.mask));
            say(l10n.t('The mask is loaded'));
          }
        }),
    },
    save: {
      label: l10n.t('Save the Mask to a File…'),
      icon: 'save',
      combos: [],
      run: () =>
        void work.attempt(async () => {
          await painting.show(doneOf(work.state.draft.mask));
          if (isBlank(painting.mask)) {
            throw new Error(l10n.t('There is no mask to save: nothing is painted.'));
          }
          const name = `${input.name.replace(/\.[^.]+$/, '')}-mask.png`;
          await host.ask('saveMask', { bytes: await maskPng(painting.mask), name });
        }),
    },
  } satisfies Record<string, MaskCommand>;
}

function viewCommands({ view, say, toggleKeys }: Studio) {
  const zoom = (change: (view: MaskView) => void) => (): void => {
    if (view) {
      change(view);
      say(l10n.t('{0} %', Math.round(100 * view.zoom.scale)));
    }
  };
  return {
    zoomOut: {
      label: l10n.t('Zoom Out'),
      icon: 'zoom-out',
      combos: ['-', '_'],
      run: zoom((view) => view.zoomTo(view.zoom.scale / zoomStep)),
    },
    zoomIn: {
      label: l10n.t('Zoom In'),
      icon: 'zoom-in',
      combos: ['+', '='],
      run: zoom((view) => view.zoomTo(view.zoom.scale * zoomStep)),
    },
    fit: {
      label: l10n.t('Show All of the Image'),
      icon: 'screen-full',
      combos: ['0'],
      run: zoom((view) => view.fit()),
    },
    actualSize: {
      label: l10n.t('Show It in Its Size'),
      icon: 'screen-normal',
      combos: ['1'],
      run: zoom((view) => view.zoomTo(1)),
    },
    keys: {
      label: l10n.t('Keys'),
      icon: 'question',
      combos: ['?'],
      run: toggleKeys,
    },
  } satisfies Record<string, MaskCommand>;
}
