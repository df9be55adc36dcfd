import * as l10n from '@vscode/l10n';
import { useEffect, useReducer } from 'preact/hooks';
import type { JSX } from 'preact';
import { Announcer } from './announcer.tsx';
import { Composer } from './compose/composer.tsx';
import { DropHint, useFileDrop } from './compose/fileDrop.tsx';
import type { StudioContext } from './store/studioStore.ts';
import { Stage } from './stage.tsx';
import { useUndoKeys } from './undoKeys.ts';
import { onBackdrop } from './components/backdrop.tsx';
import { Problem } from './components/problem.tsx';
import { UndoBar } from './undoBar.tsx';

/** Shows the whole page: the composer on one side, the results on the other. */
export function Studio(context: StudioContext): JSX.Element {
  const { store } = context;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => store.onDidChange(() => redraw(undefined)), [store]);
  useUndoKeys(store);
  const dropState = useFileDrop(context);
  return (
    <main class="studio" {...onBackdrop(store.state.draft.view.backdrop)}>
      <h1 class="only-spoken">{l10n.t('Limner Studio')}</h1>
      <div class="problem-bar">
        <Problem problem={store.state.problem} dismiss={() => store.dismissProblem()} />
        <UndoBar store={store} />
      </div>
      <Composer {...context} />
      <Stage {...context} />
      <Announcer {...context} />
      {dropState !== 'nothing' && <DropHint dropState={dropState} />}
    </main>
  );
}
