import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { Tabs } from './components/tabs.tsx';
import { Results } from './results/results.tsx';
import { late } from './store/late.tsx';
import type { StudioContext } from './store/studioStore.ts';

const MaskEditor = late(async () => (await import('./mask/maskEditor.tsx')).MaskEditor);
const RepairEditor = late(async () => (await import('./repair/repairEditor.tsx')).RepairEditor);
const History = late(async () => (await import('./history.tsx')).History);

/** Shows the large area: the results, the mask, or the history. */
export function Stage(context: StudioContext): JSX.Element {
  const { store } = context;
  const { tasks, view, repair } = store.state.draft;
  const { selected } = view;
  const stage = view.stage === 'repair' && !repair ? 'results' : view.stage;
  const area = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // In a narrow window, the stage is below the composer, so this scrolls to its new content.
  useEffect(() => {
    // A card is opened with its page, too.
    if (!isFirst.current || selected) {
      area.current?.scrollIntoView({ block: 'nearest' });
      // The focused element may have disappeared with another stage, as when an undo shows the mask.
      if (document.activeElement === document.body && document.hasFocus()) {
        area.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
      }
    }
    isFirst.current = false;
  }, [stage, tasks[0]]);
  return (
    <section ref={area} class="stage" aria-label={l10n.t('Work Area')}>
      <Tabs
        label={l10n.t({ message: 'Views', comment: ['Names the row of tabs for screen readers'] })}
        tabs={[
          { id: 'results', label: l10n.t('Results') },
          { id: 'mask', label: l10n.t('Mask') },
          { id: 'history', label: l10n.t('History') },
          // It comes and goes with the repair.
          ...(repair ? [{ id: 'repair' as const, label: l10n.t('Repair') }] : []),
        ]}
        chosen={stage}
        choose={(chosen) => store.updateView({ stage: chosen })}
      >
        {stage === 'results' && <Results {...context} />}
        {stage === 'mask' && <MaskEditor {...context} />}
        {stage === 'repair' && <RepairEditor {...context} />}
        {stage === 'history' && <History {...context} />}
      </Tabs>
    </section>
  );
}
