import './largeView.css';
import * as l10n from '@vscode/l10n';
import type { JSX, RefObject, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { IconButton } from '../../components/iconButton.tsx';
import type { Parts } from '../../store/studioContext.ts';
import { zoomStep } from '../../zoom/zoom.ts';
import { resultActionText } from '../actions/actionText.ts';
import { Compare } from '../compare/compare.tsx';
import { Details } from './details.tsx';
import { perform } from '../actions/perform.ts';
import { ResultButtons } from './resultButtons.tsx';
import { counterpartsOf, neighbourOf, referenceTo, resultName } from '../model/resultList.ts';
import type { Result, ResultReference } from '../model/resultList.ts';
import { ResultMenu } from '../actions/resultMenu.tsx';
import type { OpenMenu } from '../actions/resultMenu.tsx';
import { usePictureSize, useZoom } from '../../zoom/useZoom.ts';
import { Layer, zoomByKey, ZoomPane } from '../../zoom/zoomPane.tsx';

interface LargeViewProps extends Parts {
  result: Result;
  /** All that can be looked at, this one among them. */
  results: readonly Result[];
  leave: () => void;
  focus: RefObject<ResultReference | 'picture' | undefined>;
}

/** One picture, as large as there is room, alone or beside another. */
export function LargeView({ result, results, leave, focus, ...parts }: LargeViewProps): JSX.Element {
  const { work } = parts;
  const { zoom, compare } = work.state.draft.view;
  const [menu, setMenu] = useState<OpenMenu>();
  const view = useRef<HTMLDivElement>(null);
  const picture = usePictureSize(result.url, result.image.width, result.image.height);
  const control = useZoom(picture, zoom, (zoom) => work.look({ zoom }));
  const counterparts = counterpartsOf(results, result);
  const star = resultActionText('star', result.image);
  const name = resultName(result);

  useLayoutEffect(() => {
    if (focus.current === 'picture') {
      view.current?.querySelector<HTMLElement>('.zoom-pane')?.focus();
    }
    focus.current = undefined;
  }, [focus, result.url]);

  const step = (by: -1 | 1): void => {
    const next = neighbourOf(results, result, by);
    if (next) {
      // Of two pictures of one size the same part is seen, so that they can be told apart.
      const isAlike = next.image.width === result.image.width && next.image.height === result.image.height;
      work.look({ selected: referenceTo(next), ...(!isAlike && { zoom: null }) });
    }
  };
  const toggleCompare = (): void =>
    work.look({ compare: compare ? null : { mode: 'slider', other: defaultCounterpart(counterparts) } });
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLDivElement>): void => {
    const isPane = event.target instanceof Element && event.target.classList.contains('zoom-pane');
    if (event.defaultPrevented || (!isPane && event.key !== 'Escape')) {
      return;
    }
    if (zoomByKey(control, event) || byKey(event)) {
      event.preventDefault();
    }
  };
  const byKey = ({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean => {
    if (ctrlKey || metaKey || altKey) {
      return false;
    }
    switch (key) {
      case 'Escape':
        if (compare) {
          toggleCompare();
          view.current?.querySelector<HTMLElement>('.zoom-pane')?.focus();
        } else {
          leave();
        }
        return true;
      case 'ArrowLeft':
      case 'PageUp':
        step(-1);
        return true;
      case 'ArrowRight':
      case 'PageDown':
        step(1);
        return true;
      case 'Delete':
        void perform(parts, 'discard', result);
        return true;
      default:
        return false;
    }
  };
  const at = results.indexOf(result);
  return (
    // The keys are those of the picture in it.
    <div ref={view} class="large-view" onKeyDown={onKeyDown}>
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
        <span class="large-group">
          <IconButton
            icon="zoom-out"
            label={l10n.t('Zoom Out (−)')}
            onClick={() => control.by(1 / zoomStep)}
          />
          <span class="large-number zoom">
            {l10n.t('{0} %', Math.round((control.placed?.scale ?? 1) * 100))}
          </span>
          <IconButton icon="zoom-in" label={l10n.t('Zoom In (+)')} onClick={() => control.by(zoomStep)} />
          <IconButton icon="screen-full" label={l10n.t('Fit (0)')} onClick={control.fit} />
          <IconButton icon="screen-normal" label={l10n.t('Actual Size (1)')} onClick={() => control.to(1)} />
        </span>
        <span class="large-group end">
          <IconButton
            icon="compare-changes"
            label={l10n.t('Compare')}
            aria-pressed={compare !== null}
            disabled={counterparts.length === 0}
            onClick={toggleCompare}
          />
          <IconButton
            icon={star.icon}
            label={star.label}
            aria-pressed={result.image.starred}
            onClick={() => void perform(parts, 'star', result)}
          />
        </span>
      </div>
      {compare && counterparts.length > 0 ? (
        <Compare
          result={result}
          counterparts={counterparts}
          compare={compare}
          change={(compare) => work.look({ compare })}
          control={control}
        />
      ) : (
        <ZoomPane control={control} label={l10n.t('{0}, large', name)}>
          <Layer control={control} url={result.url} alt={name} />
        </ZoomPane>
      )}
      <ResultButtons
        result={result}
        run={(action) => void perform(parts, action, result)}
        openMenu={setMenu}
      />
      <Details result={result} />
      {menu && (
        <ResultMenu
          menu={menu}
          close={() => setMenu(undefined)}
          run={(action, result) => void perform(parts, action, result)}
        />
      )}
    </div>
  );
}

/** The original, or where there is none the first other picture. */
function defaultCounterpart([first]: ReturnType<typeof counterpartsOf>): ResultReference | null {
  return first?.kind === 'result' ? referenceTo(first.result) : null;
}
