import * as l10n from '@vscode/l10n';
import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Draft } from '../protocol/draft.ts';
import { Select } from '../components/select.tsx';
import type { Size } from '../components/zoom.ts';
import { Icon } from '../components/button.tsx';
import { DifferenceView } from './differenceView.tsx';
import { Flicker } from './flicker.tsx';
import type { Pair } from './pair.ts';
import type { Counterpart, Result } from '../store/resultList.ts';
import { SideBySide } from './sideBySide.tsx';
import { Slider } from './slider.tsx';
import type { ZoomControl } from '../components/useZoom.ts';
import { sizeText } from '../../common/text.ts';

type Comparison = NonNullable<Draft['view']['compare']>;

interface CompareProps {
  result: Result;
  /** The image's name beside the other one. */
  label: string;
  other: Counterpart;
  /** All images that it can be compared with. */
  counterparts: readonly Counterpart[];
  compare: Comparison;
  change: (compare: Comparison) => void;
  control: ZoomControl;
}

/** Compares an image with the original or another result, in one of four ways. */
export function Compare(props: CompareProps): JSX.Element {
  const { result, label, other, counterparts, compare, change, control } = props;
  const [loaded, setLoaded] = useState<{ url: string; size: Size }>();
  const { url } = other;
  const size = loaded?.url === url ? loaded.size : undefined;
  const isOriginal = other.reference === null;
  const name = isOriginal && size ? l10n.t('{0} · {1}', other.name, sizeText(size)) : other.name;
  const pair: Pair = {
    control,
    before: { url, name },
    after: { url: result.url, name: label },
    onSize: (size) => setLoaded({ url, size }),
  };
  return (
    <Compared
      pair={pair}
      size={size}
      mode={compare.mode}
      choose={(mode) => change({ ...compare, mode })}
      maskUrl={isOriginal ? result.task.maskUrl : undefined}
    >
      <label class="compare-with">
        <span>
          {l10n.t({ message: 'With', comment: ['Beside the choice of the other image: compare with …'] })}
        </span>
        <Select
          value={keyOf(other)}
          options={counterparts.map((each) => ({ value: keyOf(each), label: each.name }))}
          change={(key) => {
            const chosen = counterparts.find((each) => keyOf(each) === key);
            change({ ...compare, other: chosen?.reference ?? null });
          }}
        />
      </label>
    </Compared>
  );
}

function keyOf({ reference }: Counterpart): string {
  return reference ? `${reference.task} ${reference.index}` : '';
}

export type Mode = NonNullable<Draft['view']['compare']>['mode'];

interface ComparedProps {
  pair: Pair;
  /** Size of the first image, once it is loaded. */
  size: Size | undefined;
  mode: Mode;
  choose: (mode: Mode) => void;
  /** URL of the mask with which the second image was made from the first. */
  maskUrl?: string | undefined;
  /** Whether both files have the same bytes; undefined if nobody looked. */
  isSameFile?: boolean | undefined;
  /** Beside the choice of the way. */
  children: ComponentChildren;
}

/** Shows two images in one of four ways to compare them, below a bar to choose the way. */
export function Compared(props: ComparedProps): JSX.Element {
  const { pair, size, mode: chosen, choose, maskUrl, isSameFile, children } = props;
  const { image } = pair.control;
  const isOtherSize = image && size && (image.width !== size.width || image.height !== size.height);
  const modes = [
    { mode: 'slider', label: l10n.t('Slider') },
    { mode: 'sideBySide', label: l10n.t('Side by Side') },
    { mode: 'flicker', label: l10n.t('Flicker') },
    { mode: 'difference', label: l10n.t('Difference') },
  ] as const;
  return (
    <>
      <div class="compare-bar">
        <span class="compare-modes" role="group" aria-label={l10n.t('Comparison Mode')}>
          {modes.map(({ mode, label }) => (
            <button key={mode} type="button" aria-pressed={chosen === mode} onClick={() => choose(mode)}>
              {label}
            </button>
          ))}
        </span>
        {children}
      </div>
      {chosen === 'slider' && <Slider {...pair} />}
      {chosen === 'sideBySide' && <SideBySide {...pair} />}
      {chosen === 'flicker' && <Flicker {...pair} />}
      {chosen === 'difference' && <DifferenceView {...pair} maskUrl={maskUrl} isSameFile={isSameFile} />}
      {isOtherSize && (
        <p class="compare-sizes">
          <Icon name="info" />
          {l10n.t(
            'The images differ in size ({0} and {1}). Both are shown in the frame of the second.',
            sizeText(size),
            sizeText(image),
          )}
        </p>
      )}
    </>
  );
}
