import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { CommandButton } from './commandButton.tsx';
import type { MaskCommand, MaskCommands } from './commands.ts';
import { Toolbar } from './toolbar.tsx';

interface MaskToolbarProps {
  commands: MaskCommands;
  /** Scale at which the image is shown. */
  scale: number;
  isMac: boolean;
}

/** Shows the commands of the mask as a toolbar. */
export function MaskToolbar({ commands, scale, isMac }: MaskToolbarProps): JSX.Element {
  const buttons = (...chosen: MaskCommand[]): JSX.Element[] =>
    chosen.map((command) => <CommandButton key={command.label} command={command} isMac={isMac} />);
  const { brush, eraser, rectangle, lasso, subtract, undo, redo } = commands;
  const { invert, fill, clear, load, save, zoomOut, zoomIn, fit, actualSize, keys } = commands;
  return (
    <Toolbar label={l10n.t('Mask')}>
      <div class="group">{buttons(brush, eraser, rectangle, lasso, subtract)}</div>
      <div class="group">{buttons(undo, redo)}</div>
      <div class="group">{buttons(invert, fill, clear)}</div>
      <div class="group">{buttons(load, save)}</div>
      <div class="group">
        {buttons(zoomOut)}
        <output class="scale">{l10n.t('{0}%', Math.round(100 * scale))}</output>
        {buttons(zoomIn, fit, actualSize)}
      </div>
      <div class="group">{buttons(keys)}</div>
    </Toolbar>
  );
}
