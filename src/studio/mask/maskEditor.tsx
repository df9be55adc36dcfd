import * as l10n from '@vscode/l10n';
import type { JSX, RefObject } from 'preact';
import { useEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { StudioInput } from '../protocol/state.ts';
import type { Zoom } from '../components/zoom.ts';
import { Button } from '../components/button.tsx';
import { focusAfterRender } from '../components/focus.ts';
import { canHaveMask, canUndo, doneOf } from '../store/maskHistory.ts';
import { inputsOf, type StudioContext, type StudioStore } from '../store/studioStore.ts';
import { BrushOptions, BrushPopover } from './brushOptions.tsx';
import { maskCommands, runByKey } from './commands.ts';
import { KeepOutsideOption } from './keepOutsideOption.tsx';
import { KeyList } from './keyList.tsx';
import { MaskSurface } from './maskSurface.tsx';
import { MaskToolbar } from './maskToolbar.tsx';
import type { MaskView } from './maskView.ts';
import { coverageOf } from '../maskPixels/maskPixels.ts';
import { paintingOf } from '../maskPixels/maskToSend.ts';
import { toolsOf } from './tools.ts';

/** Shows the editor of the first input's mask, or asks for an input. */
export function MaskEditor(context: StudioContext): JSX.Element {
  const { store, host } = context;
  const [input] = inputsOf(store.state);
  if (input) {
    return <Editor key={input.id} {...context} input={input} />;
  }
  const pick = (): Promise<void> =>
    store.attempt(async () => {
      store.addInputs(await host.ask('pickInputs', {}));
      focusAfterRender(() => document.querySelector<HTMLElement>('.mask-editor [tabindex="0"]'));
    });
  return (
    <div class="mask-editor no-input">
      <p>{l10n.t('A mask marks the part of an image to change. Add an image first.')}</p>
      <Button icon="add" onClick={() => void pick()}>
        {l10n.t('Add Images…')}
      </Button>
    </div>
  );
}

interface EditorProps extends StudioContext {
  input: StudioInput;
}

function Editor({ store, host, input }: EditorProps): JSX.Element {
  const { draft, isMac } = store.state;
  const painting = paintingOf(store, host, input);
  const side = Math.min(input.width, input.height);
  const tools = toolsOf(store, side);
  const [view, setView] = useState<MaskView>();
  const [scale, setScale] = useState(1);
  const [areKeysShown, showKeys] = useState(false);
  const [note, setNote] = useFittedMask(store, input);
  const [isLoadLost, setIsLoadLost] = useState(false);
  const [coverage, setCoverage] = useState(0);
  const isShort = useIsShort();
  const [areOptionsShown, showOptions] = useState(false);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const [spoken, say] = useSpoken();
  const persistedZoom = usePersistedZoom(store, input.id);
  useEffect(() => tools.onDidChange(() => redraw(undefined)), [tools]);
  useEffect(() => tools.fit(side), [tools, side]);
  useEffect(() => {
    const show = async (shown: MaskView): Promise<void> => {
      await shown.show(doneOf(draft.mask));
      setIsLoadLost(painting.isLoadLost);
      if (!shown.isDrawing) {
        setCoverage(coverageOf(painting.mask));
      }
    };
    if (view) {
      void show(view);
    }
  }, [view, painting, draft.mask]);
  const lost = isLoadLost
    ? l10n.t('The loaded mask can no longer be read. Paint it again, or load it from a file.')
    : undefined;
  useEffect(() => {
    if (lost !== undefined) {
      say(lost);
    }
  }, [lost]);
  const commands = maskCommands({
    store,
    host,
    view,
    painting,
    tools,
    input,
    say,
    showKeys: () => showKeys(true),
    toggleOptions: () => showOptions(!areOptionsShown),
  });
  const { brush, eraser, rectangle, lasso, subtract } = commands;
  return (
    // The keys work wherever the focus is inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div class="mask-editor" onKeyDown={(event) => runByKey(event, commands)}>
      <MaskToolbar
        label={l10n.t('Mask')}
        tools={[
          [brush, eraser, rectangle, lasso, subtract, ...(isShort ? [commands.options] : [])],
          [commands.undo, commands.redo],
          [commands.invert, commands.fill, commands.clear],
          [commands.load, commands.save],
        ]}
        view={commands}
        scale={scale}
        isMac={isMac}
      />
      {!isShort && <BrushOptions tools={tools} />}
      {isShort && areOptionsShown && (
        <BrushPopover close={() => showOptions(false)}>
          <BrushOptions tools={tools} />
        </BrushPopover>
      )}
      <div class="hint">
        <p id="mask-hint" class={isShort && !lost && note === undefined ? 'only-spoken' : undefined}>
          {lost ?? note ?? l10n.t('Paint over what you want to change.')}
        </p>
        <p class="coverage" role="status">
          {coverageText(coverage)}
        </p>
        {isShort && <KeepOutsideOption store={store} isShort />}
      </div>
      <MaskSurface
        input={input}
        label={l10n.t('Mask of {0}', input.name)}
        amountText={(amount) => (amount < 128 ? undefined : l10n.t('marked'))}
        painting={painting}
        tools={tools}
        zoom={draft.view.mask?.input === input.id ? draft.view.mask : undefined}
        onView={setView}
        onOperation={(operation) => {
          setNote(undefined);
          store.paint(operation);
        }}
        onZoom={persistedZoom}
        onScale={setScale}
        onProblem={setNote}
        say={say}
      />
      {areKeysShown && <KeyList commands={commands} isMac={isMac} close={() => showKeys(false)} />}
      {!isShort && <KeepOutsideOption store={store} />}
      <p ref={spoken} class="only-spoken" role="status" />
    </div>
  );
}

/**
 * Fits the mask to the first input, and notes whether that removes or clears it.
 *
 * @returns the note below the tools, and its setter
 */
function useFittedMask(
  store: StudioStore,
  input: StudioInput,
): [note: string | undefined, setNote: (note: string | undefined) => void] {
  const [note, setNote] = useState<string>();
  const { mask, inputs } = store.state.draft;
  useEffect(() => {
    const next = store.fitMask();
    if (canHaveMask(mask) && !canHaveMask(next)) {
      const isOtherSize = mask.size?.width !== input.width || mask.size.height !== input.height;
      setNote(
        !canUndo(next)
          ? l10n.t('The mask was removed with the image it was painted on.')
          : isOtherSize
            ? l10n.t(
                'The mask was cleared because {0} has a different size. Select Undo to restore it.',
                input.name,
              )
            : l10n.t(
                'The mask was cleared because it was painted on another image. Select Undo to restore it.',
              ),
      );
    }
  }, [store, mask, input, inputs]);
  return [note, setNote];
}

/** Returns the `ref` of a live region, and a function that reads a text out there. */
export function useSpoken(): [spoken: RefObject<HTMLParagraphElement | null>, say: (text: string) => void] {
  const spoken = useRef<HTMLParagraphElement>(null);
  const say = (text: string): void => {
    if (spoken.current) {
      // A repeated text must differ to be read out again.
      spoken.current.textContent = spoken.current.textContent === text ? `${text}\u00a0` : text;
    }
  };
  return [spoken, say];
}

/** Below this height of the page, the image has precedence over text and options. */
const shortPage = '(height < 560px)';

export function useIsShort(): boolean {
  const [isShort, setIsShort] = useState(() => matchMedia(shortPage).matches);
  useEffect(() => {
    const query = matchMedia(shortPage);
    const listen = (): void => setIsShort(query.matches);
    query.addEventListener('change', listen);
    return () => query.removeEventListener('change', listen);
  }, []);
  return isShort;
}

function coverageText(coverage: number): string {
  if (coverage === 0) {
    return l10n.t('Nothing marked');
  }
  const percent = Math.min(coverage < 1 ? 99 : 100, Math.round(100 * coverage));
  return percent === 0 ? l10n.t('Less than 1% marked') : l10n.t('{0}% marked', percent);
}

/** Milliseconds without a change before the zoom is stored: one turn of the wheel has many steps. */
const pause = 300;

export function usePersistedZoom(store: StudioStore, input: string): (zoom: Zoom | undefined) => void {
  const pending = useRef<{ zoom: Zoom | undefined; timer: ReturnType<typeof setTimeout> }>(undefined);
  const flush = (): void => {
    if (pending.current) {
      const { zoom, timer } = pending.current;
      clearTimeout(timer);
      pending.current = undefined;
      store.updateView({ mask: zoom ? { ...zoom, input } : null });
    }
  };
  useEffect(() => flush, [store]);
  return (zoom) => {
    clearTimeout(pending.current?.timer);
    pending.current = { zoom, timer: setTimeout(flush, pause) };
  };
}
