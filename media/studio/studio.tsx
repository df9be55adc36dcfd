import { t } from '@vscode/l10n';
import { useEffect, useReducer } from 'preact/hooks';
import type { JSX } from 'preact';
import type { Host } from './host.ts';
import type { Work } from './work.ts';

export interface Parts {
  work: Work;
  host: Host;
}

/** The whole panel: what is wanted on one side, what came of it on the other. */
export function Studio({ work }: Parts): JSX.Element {
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  useEffect(() => work.onDidChange(() => redraw(undefined)), [work]);
  return (
    <main class="studio">
      <section class="composer" aria-label={t('Compose')} />
      <section class="stage" aria-label={t('Images')} />
    </main>
  );
}
