import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { IconButton } from '../components/button.tsx';
import type { StudioContext } from '../store/studioStore.ts';
import type { ZoomControl } from '../components/useZoom.ts';
import { ZoomButtons } from '../components/zoomPane.tsx';
import { Backdrop } from '../components/backdrop.tsx';
import { type ResultAction, starText } from './resultActions.ts';
import type { Result } from '../store/resultList.ts';

interface LargeBarProps extends Pick<StudioContext, 'store'> {
  result: Result;
  results: readonly Result[];
  control: ZoomControl;
  isComparing: boolean;
  canCompare: boolean;
  /** Whether the service's original output is shown. */
  showsReceived: boolean;
  /** Undefined if the file is that output. */
  toggleReceived: (() => void) | undefined;
  /** Shows the social card on the image; undefined if it has none. */
  showCard: (() => void) | undefined;
  leave: () => void;
  step: (by: -1 | 1) => void;
  toggleCompare: () => void;
  run: (action: ResultAction) => void;
}

export function LargeBar(props: LargeBarProps): JSX.Element {
  const { result, results, control, isComparing, canCompare, leave, step, toggleCompare, run } = props;
  const { showsReceived, toggleReceived, showCard } = props;
  const at = results.indexOf(result);
  const star = starText(result.image);
  return (
    <div class="large-bar" role="toolbar" aria-label={l10n.t('Image')}>
      <IconButton icon="arrow-left" label={l10n.t('Back to All Results')} onClick={leave} />
      <span class="large-group">
        <IconButton
          icon="chevron-left"
          label={l10n.t('Previous Image')}
          disabled={at <= 0}
          onClick={() => step(-1)}
        />
        <span class="large-number">{l10n.t('{0} of {1}', at + 1, results.length)}</span>
        <IconButton
          icon="chevron-right"
          label={l10n.t('Next Image')}
          disabled={at >= results.length - 1}
          onClick={() => step(1)}
        />
      </span>
      <ZoomButtons control={control} />
      <span class="large-group end">
        {showCard && <IconButton icon="preview" label={l10n.t('Show Social Card')} onClick={showCard} />}
        {toggleReceived && (
          <IconButton
            icon="layers"
            label={l10n.t('Show Image as Received')}
            aria-pressed={showsReceived}
            onClick={toggleReceived}
          />
        )}
        <Backdrop
          backdrop={props.store.state.draft.view.backdrop}
          change={(backdrop) => props.store.updateView({ backdrop })}
        />
        <IconButton
          icon="compare-changes"
          label={l10n.t('Compare')}
          aria-pressed={isComparing}
          disabled={!canCompare}
          onClick={toggleCompare}
        />
        <IconButton
          icon={star.icon}
          label={star.label}
          aria-pressed={result.image.starred}
          onClick={() => run('star')}
        />
      </span>
    </div>
  );
}
