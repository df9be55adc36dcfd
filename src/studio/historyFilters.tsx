import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { HistoryFilter } from './protocol/draft.ts';
import { IconButton } from './components/button.tsx';
import { Select } from './components/select.tsx';

interface HistoryFiltersProps {
  filter: HistoryFilter;
  models: readonly string[];
  change: (filter: HistoryFilter) => void;
}

export function HistoryFilters({ filter, models, change }: HistoryFiltersProps): JSX.Element {
  // The selected model stays in the list even without tasks.
  const known = filter.model === '' || models.includes(filter.model) ? models : [filter.model, ...models];
  return (
    <search class="history-filters">
      <input
        type="search"
        class="input"
        aria-label={l10n.t('Search Prompts')}
        placeholder={l10n.t('Search Prompts')}
        value={filter.text}
        onInput={({ currentTarget }) => change({ ...filter, text: currentTarget.value })}
      />
      <Select
        aria-label={l10n.t('Status')}
        value={filter.status}
        options={[
          { value: 'any', label: l10n.t('Any Status') },
          { value: 'running', label: l10n.t('Running') },
          { value: 'completed', label: l10n.t('Completed') },
          { value: 'failed', label: l10n.t('Failed') },
        ]}
        change={(status) => change({ ...filter, status })}
      />
      <Select
        aria-label={l10n.t('Model')}
        value={filter.model}
        options={[
          { value: '', label: l10n.t('Any Model') },
          ...known.map((model) => ({ value: model, label: model })),
        ]}
        change={(model) => change({ ...filter, model })}
      />
      <span class="history-toggles">
        <IconButton
          icon={filter.starred ? 'star-full' : 'star-empty'}
          label={l10n.t('Only Starred')}
          aria-pressed={filter.starred}
          onClick={() => change({ ...filter, starred: !filter.starred })}
        />
        <IconButton
          icon="edit"
          label={l10n.t('Only Edits')}
          aria-pressed={filter.edits}
          onClick={() => change({ ...filter, edits: !filter.edits })}
        />
      </span>
    </search>
  );
}
