import './historyFilters.css';
import '../components/field.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { HistoryFilter } from '../protocol/draft.ts';
import { IconButton } from '../components/iconButton.tsx';
import { Select } from '../components/select.tsx';

interface HistoryFiltersProps {
  filter: HistoryFilter;
  /** Ids of all models in the history. */
  models: readonly string[];
  change: (filter: HistoryFilter) => void;
}

/** Shows the filters of the history. */
export function HistoryFilters({ filter, models, change }: HistoryFiltersProps): JSX.Element {
  const states = [
    { status: 'any', label: l10n.t('Any Status') },
    { status: 'running', label: l10n.t('Running') },
    { status: 'completed', label: l10n.t('Completed') },
    { status: 'failed', label: l10n.t('Failed') },
  ] as const;
  // The chosen model stays in the list even if none of its tasks is left.
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
        onChange={({ currentTarget }) => {
          const chosen = states.find(({ status }) => status === currentTarget.value);
          change({ ...filter, status: chosen?.status ?? 'any' });
        }}
      >
        {states.map(({ status, label }) => (
          <option key={status} value={status}>
            {label}
          </option>
        ))}
      </Select>
      <Select
        aria-label={l10n.t('Model')}
        value={filter.model}
        onChange={({ currentTarget }) => change({ ...filter, model: currentTarget.value })}
      >
        <option value="">{l10n.t('Any Model')}</option>
        {known.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </Select>
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
