import './tabs.css';
import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { neighbour } from './neighbour.ts';

interface TabsProps<Id extends string> {
  /** What the tabs are of. */
  label: string;
  tabs: readonly { id: Id; label: string }[];
  chosen: Id;
  choose: (id: Id) => void;
  /** What the chosen tab shows. */
  children: ComponentChildren;
}

/** A list of tabs above what the chosen one shows; arrow keys go from one to the next. */
export function Tabs<Id extends string>({
  label,
  tabs,
  chosen,
  choose,
  children,
}: TabsProps<Id>): JSX.Element {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const from = tabs.findIndex(({ id }) => id === chosen);
    const next = neighbour(event.key, from, tabs.length, 'row');
    const tab = next === undefined ? undefined : tabs[next];
    if (tab) {
      event.preventDefault();
      choose(tab.id);
      document.getElementById(`tab-${tab.id}`)?.focus();
    }
  };
  return (
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`tab-${tab.id}`}
            class="tab"
            aria-selected={tab.id === chosen}
            aria-controls="tab-panel"
            tabIndex={tab.id === chosen ? 0 : -1}
            onClick={() => choose(tab.id)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div class="tab-panel" role="tabpanel" id="tab-panel" aria-labelledby={`tab-${chosen}`}>
        {children}
      </div>
    </div>
  );
}
