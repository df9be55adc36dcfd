import type { ComponentChildren, JSX, TargetedKeyboardEvent } from 'preact';
import { moveFocus } from './focus.ts';

interface TabsProps<Id extends string> {
  label: string;
  tabs: readonly { id: Id; label: string }[];
  chosen: Id;
  choose: (id: Id) => void;
  children: ComponentChildren;
}

/** Shows tabs above the content of the selected one; arrow keys switch between them. */
export function Tabs<Id extends string>({
  label,
  tabs,
  chosen,
  choose,
  children,
}: TabsProps<Id>): JSX.Element {
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    const tab = tabs[moveFocus(event, 'row') ?? -1];
    if (tab) {
      choose(tab.id);
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
