import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import type { JSX } from 'preact';
import { Menu } from '../components/menu.tsx';
import type { StudioModel } from '../protocol/state.ts';
import type { Point } from '../components/zoom.ts';
import { actionsOf, actionsOfAll, keyOf, type ResultAction } from './resultActions.ts';
import type { Result } from '../store/resultList.ts';

export interface OpenMenu {
  /** The images that its actions apply to. */
  results: readonly Result[];
  at: Point;
}

interface ResultMenuProps {
  menu: OpenMenu;
  models: readonly StudioModel[];
  close: () => void;
  run: (action: ResultAction, results: readonly Result[]) => void;
}

export function ResultMenu({ menu: { results, at }, models, close, run }: ResultMenuProps): JSX.Element {
  const [result, ...others] = results;
  const actions =
    result && others.length === 0 ? actionsOf(result.task, result.image, models) : actionsOfAll(results);
  const place = useMemo(() => ({ x: at.x, y: at.y }), [at.x, at.y]);
  return (
    <Menu
      label={l10n.t('Image Actions')}
      at={place}
      close={close}
      items={actions.map(({ id, label, icon }) => ({
        label,
        icon,
        keyLabel: keyOf(id),
        run: () => run(id, results),
      }))}
    />
  );
}

export function below(element: Element): Point {
  const { left, bottom } = element.getBoundingClientRect();
  return { x: left, y: bottom };
}

/** Returns the position of a context menu: at the mouse, or below an element for the menu key. */
export function pointOf(event: MouseEvent, element: Element): Point {
  return event.button === 2 ? { x: event.clientX, y: event.clientY } : below(element);
}
