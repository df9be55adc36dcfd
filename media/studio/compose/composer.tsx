import type { JSX } from 'preact';
import type { Parts } from '../parts.ts';

/** Everything that is said about the next image, and the button that sends it. */
export function Composer({ work }: Parts): JSX.Element {
  return <div hidden={work.state.draft.view.stage === 'results'} />;
}
