import * as l10n from '@vscode/l10n';
import type { JSX, ComponentChildren } from 'preact';
import { Select } from '../components/select.tsx';
import { maxBrushSize, type Tint, tints, type Tools } from './tools.ts';
import { useLayoutEffect, useRef } from 'preact/hooks';

/** Number of steps of the size slider, which is logarithmic. */
const sizeSteps = 100;

/** @param children further options; without any, the color of the mask */
export function BrushOptions({
  tools,
  children,
}: {
  tools: Tools;
  children?: ComponentChildren;
}): JSX.Element {
  const { size, hardness, tint } = tools.state;
  const tintNames: Record<Tint, string> = {
    red: l10n.t('Red'),
    green: l10n.t('Green'),
    blue: l10n.t('Blue'),
    yellow: l10n.t('Yellow'),
  };
  return (
    <div class="brush-options">
      <label>
        <span>{l10n.t('Size')}</span>
        <input
          type="range"
          min={0}
          max={sizeSteps}
          value={stepOf(size)}
          aria-valuetext={l10n.t('{0} pixels', size)}
          onInput={({ currentTarget }) => tools.set({ size: sizeAt(currentTarget.valueAsNumber) })}
        />
        <output>{l10n.t('{0} px', size)}</output>
      </label>
      <label>
        <span>{l10n.t('Hardness')}</span>
        <input
          type="range"
          min={0}
          max={100}
          step={10}
          value={Math.round(100 * hardness)}
          aria-valuetext={l10n.t('{0}%', Math.round(100 * hardness))}
          onInput={({ currentTarget }) => tools.set({ hardness: currentTarget.valueAsNumber / 100 })}
        />
        <output>{l10n.t('{0}%', Math.round(100 * hardness))}</output>
      </label>
      {children ?? (
        <label>
          <span>{l10n.t('Color')}</span>
          <Select
            value={tint}
            options={tints.map((each) => ({ value: each, label: tintNames[each] }))}
            change={(chosen) => tools.set({ tint: chosen })}
          />
        </label>
      )}
    </div>
  );
}

function stepOf(size: number): number {
  return Math.round((sizeSteps * Math.log(size)) / Math.log(maxBrushSize));
}

function sizeAt(step: number): number {
  return Math.round(maxBrushSize ** (step / sizeSteps));
}

/** Shows options above the image until Esc or a click elsewhere; closing it returns the focus. */
export function BrushPopover({
  close,
  children,
}: {
  close: () => void;
  children: ComponentChildren;
}): JSX.Element {
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = popover;
    const bar = current?.previousElementSibling?.getBoundingClientRect();
    current?.showPopover();
    if (current && bar) {
      current.style.left = `${bar.left}px`;
      current.style.top = `${bar.bottom}px`;
    }
    current?.querySelector('input')?.focus();
  }, []);
  return (
    <div
      ref={popover}
      class="brush-popover"
      popover="auto"
      onToggle={({ newState }) => newState === 'closed' && close()}
    >
      {children}
    </div>
  );
}
