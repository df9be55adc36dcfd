import * as l10n from '@vscode/l10n';
import { useEffect, useReducer } from 'preact/hooks';
import type { JSX } from 'preact';
import { Announcer } from './announcer.tsx';
import { Composer } from './compose/composer.tsx';
import { DropHint } from './inputs/dropHint.tsx';
import { useIncoming } from './inputs/useDropAndPaste.ts';
import type { Parts } from './store/studioContext.ts';
import { Stage } from './stage.tsx';
import { Problem } from './components/problem.tsx';

/** Shows the whole page: the composer on one side, the results on the other. */
export function Studio(parts: Parts): JSX.Element {
  const { work } = parts;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => work.onDidChange(() => redraw(undefined)), [work]);
  const incoming = useIncoming(parts);
  return (
    <main class="studio">
      <h1 class="only-spoken">{l10n.t('Limner Studio')}</h1>
      <ProblemBar {...parts} />
      <Composer {...parts} />
      <Stage {...parts} />
      <Announcer {...parts} />
      {incoming !== 'nothing' && <DropHint incoming={incoming} />}
    </main>
  );
}

/** Shows the last problem above everything else until it is dismissed. */
function ProblemBar({ work }: Pick<Parts, 'work'>): JSX.Element {
  const { problem, remedies } = work.state;
  return (
    <div class="problem-bar">
      <Problem message={problem} remedies={remedies} dismiss={() => work.dismissProblem()} />
    </div>
  );
}
