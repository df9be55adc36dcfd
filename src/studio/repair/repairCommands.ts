import * as l10n from '@vscode/l10n';
import {
  command,
  type MaskCommand,
  type Surface,
  toolCommands,
  undoCommands,
  viewCommands,
  wholeCommands,
} from '../mask/commands.ts';
import type { MaskOperation } from '../protocol/maskOperations.ts';
import { canRedo, canUndo } from '../store/maskHistory.ts';
import type { StudioStore } from '../store/studioStore.ts';

interface RepairSurface extends Surface {
  store: StudioStore;
  /** How far the edge is moved or softened, in pixels. */
  reach: number;
  showsRemoved: boolean;
  showRemoved: (isShown: boolean) => void;
}

/** Returns the commands of a repair, with the keys of the mask editor. */
export function repairCommands(surface: RepairSurface) {
  const { store, view, say, reach, showsRemoved, showRemoved } = surface;
  const { repair } = store.state.draft;
  const paint = (operation: MaskOperation, said: string): void => {
    if (view?.isDrawing !== true) {
      store.paintRepair(operation);
      say(said);
    }
  };
  const edge = (label: string, combo: string, operation: MaskOperation, said: string): MaskCommand =>
    command(label, 'circle-large-outline', [combo], () => paint(operation, said));
  return {
    ...toolCommands(surface, {
      brush: l10n.t('Keep'),
      eraser: l10n.t('Remove'),
      subtract: l10n.t('Remove with Rectangle and Lasso'),
      subtracts: l10n.t('Rectangle and lasso remove'),
      adds: l10n.t('Rectangle and lasso keep'),
    }),
    ...undoCommands(view, {
      canUndo: repair !== null && canUndo(repair),
      canRedo: repair !== null && canRedo(repair),
      undo: () => store.stepRepair('undo'),
      redo: () => store.stepRepair('redo'),
    }),
    ...wholeCommands(view, (kind, said) => paint({ kind }, said), {
      fill: [l10n.t('Keep Everything'), l10n.t('Everything is kept')],
      clear: [l10n.t('Remove Everything'), l10n.t('Everything is removed')],
    }),
    shrink: edge(
      l10n.t('Shrink Edge'),
      ',',
      { kind: 'choke', pixels: reach },
      l10n.t('Edge shrunk by {0} pixels', reach),
    ),
    grow: edge(
      l10n.t('Grow Edge'),
      '.',
      { kind: 'choke', pixels: -reach },
      l10n.t('Edge grown by {0} pixels', reach),
    ),
    soften: edge(
      l10n.t('Soften Edge'),
      ';',
      { kind: 'feather', pixels: reach },
      l10n.t('Edge softened by {0} pixels', reach),
    ),
    removed: command(
      l10n.t('Show What Was Removed'),
      'eye',
      ['g'],
      () => {
        showRemoved(!showsRemoved);
        say(showsRemoved ? l10n.t('What was removed is hidden') : l10n.t('What was removed is shown'));
      },
      { isPressed: showsRemoved },
    ),
    ...viewCommands(surface),
  };
}
