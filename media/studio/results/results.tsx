import type { JSX } from 'preact';
import type { Parts } from '../parts.ts';

export function Results({ work }: Parts): JSX.Element {
  return <div hidden={work.state.draft.view.stage === 'results'} />;
}
