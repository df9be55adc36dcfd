import './problemBar.css';
import type { JSX } from 'preact';
import type { Parts } from './store/studioContext.ts';
import { Problem } from './components/problem.tsx';

/** What went wrong last, above everything, until it is dismissed. */
export function ProblemBar({ work }: Pick<Parts, 'work'>): JSX.Element {
  const { problem, remedies } = work.state;
  return (
    <div class="problem-bar">
      <Problem message={problem} remedies={remedies} dismiss={() => work.dismissProblem()} />
    </div>
  );
}
