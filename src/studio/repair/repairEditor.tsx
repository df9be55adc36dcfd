import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { Backdrop } from '../components/backdrop.tsx';
import { Button } from '../components/button.tsx';
import { focusAfterRender } from '../components/focus.ts';
import { BrushOptions, BrushPopover } from '../mask/brushOptions.tsx';
import { runByKey } from '../mask/commands.ts';
import { KeyList } from '../mask/keyList.tsx';
import { useIsShort, usePersistedZoom, useSpoken } from '../mask/maskEditor.tsx';
import { MaskSurface } from '../mask/maskSurface.tsx';
import { MaskToolbar } from '../mask/maskToolbar.tsx';
import type { MaskView } from '../mask/maskView.ts';
import { toolsOf } from '../mask/tools.ts';
import { alphaOf, readPixels } from '../maskPixels/decodeMask.ts';
import { encodeMaskPng } from '../maskPixels/encodeMaskPng.ts';
import { coverageOf } from '../maskPixels/maskPixels.ts';
import { Painting } from '../maskPixels/painting.ts';
import type { Repair } from '../protocol/draft.ts';
import type { StudioReplies } from '../protocol/messages.ts';
import { canUndo, doneOf } from '../store/maskHistory.ts';
import type { StudioContext } from '../store/studioStore.ts';
import { Declined } from '../store/undoStack.ts';
import { repairCommands } from './repairCommands.ts';
import { RepairLayer, type RepairPixels } from './repairLayer.ts';

type Images = Pick<StudioReplies['openRepair'], 'name' | 'width' | 'height' | 'sha256'> & RepairPixels;

/** Shows the repair of a file's transparency. */
export function RepairEditor(context: StudioContext): JSX.Element | null {
  const { repair } = context.store.state.draft;
  return repair && <Loaded key={repair.uri} {...context} repair={repair} />;
}

interface RepairProps extends StudioContext {
  repair: Repair;
}

/** Loads the pixels of the file, and again once it has changed. */
function Loaded(props: RepairProps): JSX.Element {
  const { store, host, repair } = props;
  const [images, setImages] = useState<Images | 'lost'>();
  const load = async (): Promise<void> => {
    try {
      const { url, source, ...facts } = await host.ask('openRepair', { uri: repair.uri });
      setImages({
        ...facts,
        file: await readPixels(url),
        source: source ? await pixelsOf(source) : undefined,
      });
    } catch (error) {
      setImages('lost');
      throw error;
    }
  };
  const isFromTab = useRef(document.activeElement?.matches('[role="tab"]') === true);
  useEffect(() => {
    void store.attempt(async () => {
      await load();
      // The button that opened the repair is gone. A user who moves among the tabs goes on from there.
      if (!isFromTab.current) {
        focusAfterRender(() => document.querySelector<HTMLElement>('.repair-editor .mask-surface'));
      }
    });
  }, []);
  if (images === undefined || images === 'lost') {
    return (
      <div class="mask-editor no-input" aria-busy={images === undefined}>
        <p>{images ? l10n.t("The image can't be repaired.") : l10n.t('Loading…')}</p>
        <Button onClick={() => store.closeRepair()}>{l10n.t('Close')}</Button>
      </div>
    );
  }
  return <Editor key={images.sha256} {...props} images={images} reload={load} />;
}

interface EditorProps extends RepairProps {
  images: Images;
  reload: () => Promise<void>;
}

function Editor({ store, host, repair, images, reload }: EditorProps): JSX.Element {
  const { draft, isMac } = store.state;
  const { name, width, height, sha256, source } = images;
  const painting = useMemo(() => {
    const size = { width, height };
    return new Painting(
      size,
      async () => Promise.reject(new Error('A repair loads no mask.')),
      alphaOf(images.file),
    );
  }, [images]);
  const side = Math.min(width, height);
  const tools = toolsOf(store, side);
  const [view, setView] = useState<MaskView>();
  const [scale, setScale] = useState(1);
  const [coverage, setCoverage] = useState(() => coverageOf(painting.mask));
  const [areKeysShown, showKeys] = useState(false);
  const [areOptionsShown, showOptions] = useState(false);
  const [showsRemoved, showRemoved] = useState(true);
  const [reach, setReach] = useState(1);
  const [isSaving, setIsSaving] = useState(false);
  const [, redraw] = useReducer((times: number) => times + 1, 0);
  const [spoken, say] = useSpoken();
  const isShort = useIsShort();
  const persistedZoom = usePersistedZoom(store, repair.uri);
  const layer = useRef<RepairLayer>(undefined);
  useEffect(() => tools.onDidChange(() => redraw(undefined)), [tools]);
  useEffect(() => tools.fit(side), [tools, side]);
  useEffect(() => layer.current?.showRemoved(showsRemoved), [showsRemoved]);
  useEffect(() => {
    const show = async (shown: MaskView): Promise<void> => {
      await shown.show(doneOf(repair));
      if (!shown.isDrawing) {
        setCoverage(coverageOf(painting.mask));
      }
    };
    if (view) {
      void show(view);
    }
  }, [view, painting, repair]);
  const commands = repairCommands({
    store,
    view,
    tools,
    say,
    reach,
    showsRemoved,
    showRemoved,
    showKeys: () => showKeys(true),
    toggleOptions: () => showOptions(!areOptionsShown),
  });
  const save = (isCopy: boolean): void => {
    const saving = async (): Promise<void> => {
      await painting.show(doneOf(repair));
      const alpha = await encodeMaskPng(painting.mask);
      const saved = await host.ask('saveRepair', { uri: repair.uri, sha256, alpha, isCopy });
      if (!saved) {
        return;
      }
      store.closeRepair(true);
      leave();
      const { change } = saved;
      if (change !== undefined) {
        store.done({
          label: l10n.t('repaired {0}', saved.name),
          isShown: true,
          undo: async () => {
            if (!(await host.ask('undoOriginal', { change }))) {
              throw new Declined();
            }
          },
        });
      }
    };
    setIsSaving(true);
    void store
      .attempt(async () => {
        try {
          await store.acts.during(saving);
        } catch (error) {
          await reload();
          // The new contents have an editor of their own.
          focusAfterRender(() => document.querySelector<HTMLElement>('.repair-editor .mask-surface'));
          throw error;
        }
      })
      .finally(() => setIsSaving(false));
  };
  const { brush, eraser, rectangle, lasso, subtract, options } = commands;
  const edges = (
    <span class="edge-options" role="group" aria-label={l10n.t('Edge')}>
      <label>
        <span>{l10n.t('Edge')}</span>
        <input
          type="number"
          class="input"
          min={1}
          max={20}
          value={reach}
          aria-label={l10n.t('Edge, in Pixels')}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            valueAsNumber >= 1 && valueAsNumber <= 20 && setReach(Math.round(valueAsNumber))
          }
          // Shows what the buttons take, in place of a number that is out of range.
          onChange={({ currentTarget }) => (currentTarget.value = String(reach))}
        />
        <span>{l10n.t('px')}</span>
      </label>
      {[commands.shrink, commands.grow, commands.soften].map(({ label, run }) => (
        <Button key={label} onClick={run}>
          {label}
        </Button>
      ))}
    </span>
  );
  return (
    // The keys work wherever the focus is inside.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div class="mask-editor repair-editor" onKeyDown={(event) => runByKey(event, commands)}>
      <MaskToolbar
        label={l10n.t('Repair')}
        tools={[
          [brush, eraser, rectangle, lasso, subtract, ...(isShort ? [options] : [])],
          [commands.undo, commands.redo],
          [commands.fill, commands.clear, ...(source ? [commands.removed] : [])],
        ]}
        view={commands}
        scale={scale}
        isMac={isMac}
      >
        <Backdrop backdrop={draft.view.backdrop} change={(backdrop) => store.updateView({ backdrop })} />
      </MaskToolbar>
      {!isShort && <BrushOptions tools={tools}>{edges}</BrushOptions>}
      {isShort && areOptionsShown && (
        <BrushPopover close={() => showOptions(false)}>
          <BrushOptions tools={tools}>{edges}</BrushOptions>
        </BrushPopover>
      )}
      <div class="hint">
        <p id="mask-hint" class={isShort ? 'only-spoken' : undefined}>
          {source
            ? l10n.t('Keep brings the original back, Remove clears it. The faint parts are removed.')
            : l10n.t(
                "Remove clears, Keep makes see-through areas solid. What is gone can't be brought back: the image as received isn't here.",
              )}
        </p>
        <p class="coverage" role="status">
          {l10n.t('{0}% visible', Math.round(100 * coverage))}
        </p>
      </div>
      <MaskSurface
        input={{ name, width, height }}
        label={l10n.t('Repair of {0}', name)}
        amountText={(amount) => (amount < 128 ? l10n.t('removed') : l10n.t('kept'))}
        layerOn={(canvas) => (layer.current = new RepairLayer(canvas, images, painting.mask, showsRemoved))}
        painting={painting}
        tools={tools}
        zoom={draft.view.mask?.input === repair.uri ? draft.view.mask : undefined}
        onView={setView}
        onOperation={(operation) => store.paintRepair(operation)}
        onZoom={persistedZoom}
        onScale={setScale}
        onProblem={() => {}}
        say={say}
      />
      <div class="repair-buttons">
        <Button
          primary
          icon="save"
          title={l10n.t('Replaces {0}, which can be undone', name)}
          disabled={!canUndo(repair) || isSaving}
          onClick={() => save(false)}
        >
          {l10n.t('Save')}
        </Button>
        <Button icon="save-as" disabled={!canUndo(repair) || isSaving} onClick={() => save(true)}>
          {l10n.t('Save as New File')}
        </Button>
        <Button
          disabled={isSaving}
          onClick={() => {
            store.closeRepair();
            leave();
          }}
        >
          {l10n.t('Close')}
        </Button>
      </div>
      {areKeysShown && <KeyList commands={commands} isMac={isMac} close={() => showKeys(false)} />}
      <p ref={spoken} class="only-spoken" role="status" />
    </div>
  );
}

async function pixelsOf(png: Uint8Array<ArrayBuffer>): Promise<ReturnType<typeof readPixels>> {
  const url = URL.createObjectURL(new Blob([png], { type: 'image/png' }));
  try {
    return await readPixels(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** Focuses what is shown once the repair is closed. */
function leave(): void {
  focusAfterRender(() =>
    document.querySelector<HTMLElement>('.zoom-pane, .tile-image, [role="tab"][aria-selected="true"]'),
  );
}
