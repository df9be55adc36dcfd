import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioModel } from '../protocol/state.ts';
import { Button } from '../components/button.tsx';
import { actionsOf, type ResultAction } from './resultActions.ts';
import type { Result } from '../store/resultList.ts';
import { below, type OpenMenu } from './resultMenu.tsx';

/** Actions with their own button if there is room; the menu has all. */
const outOfMenu: ReadonlySet<ResultAction> = new Set([
  'useAsInput',
  'variations',
  'keepAnyway',
  'keepSolid',
  'keepOnly',
  'discard',
  'saveAs',
  'replaceOriginal',
  'restoreOriginal',
  'fitToOriginal',
  'fitToSize',
  'saveOriginalOutput',
]);

interface ResultButtonsProps {
  result: Result;
  models: readonly StudioModel[];
  run: (action: ResultAction) => void;
  openMenu: (menu: OpenMenu) => void;
}

export function ResultButtons({ result, models, run, openMenu }: ResultButtonsProps): JSX.Element {
  return (
    <div class="result-buttons" role="group" aria-label={l10n.t('Image Actions')}>
      {actionsOf(result.task, result.image, models)
        .filter(
          ({ id }) => outOfMenu.has(id) || (id === 'repairTransparency' && result.image.cutout !== undefined),
        )
        .map(({ id, label, icon }) => (
          <Button key={id} icon={icon} onClick={() => run(id)}>
            {label}
          </Button>
        ))}
      <Button
        icon="ellipsis"
        aria-haspopup="menu"
        data-always
        onClick={({ currentTarget }) => openMenu({ results: [result], at: below(currentTarget) })}
      >
        {l10n.t('More Actions…')}
      </Button>
    </div>
  );
}
