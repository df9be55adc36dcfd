import { useEffect, useReducer } from 'preact/hooks';
import type { JSX } from 'preact';
import { Composer } from './compose/composer.tsx';
import type { Parts } from './parts.ts';
import { Stage } from './stage.tsx';

/** The whole panel: what is wanted on one side, what came of it on the other. */
export function Studio(parts: Parts): JSX.Element {
  const { work } = parts;
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => work.onDidChange(() => redraw(undefined)), [work]);
  return (
    <main class="studio">
      <Composer {...parts} />
      <Stage {...parts} />
    </main>
  );
}
