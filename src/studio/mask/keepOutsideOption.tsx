import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import { modelOf, type StudioStore } from '../store/studioStore.ts';

/** Shows the option to keep everything outside the mask, or why it is unavailable. */
export function KeepOutsideOption({
  store,
  isShort = false,
}: {
  store: StudioStore;
  isShort?: boolean;
}): JSX.Element {
  const model = modelOf(store.state);
  const takesNoMask = model?.mask === 'none';
  const explanation = l10n.t(
    'If the result is the same size as the image, the original pixels are restored outside the mask, with a soft edge inside it. It is saved losslessly as PNG or WebP. The result as received stays available.',
  );
  return (
    <div class="keep-outside">
      {takesNoMask && (
        <p class="reason">
          {l10n.t(
            "{0} doesn't support masks. Your mask is kept for a model that does. To use this model, clear the mask.",
            model.name,
          )}
        </p>
      )}
      <label title={explanation}>
        <input
          type="checkbox"
          checked={store.state.draft.keepOutside}
          disabled={takesNoMask}
          aria-describedby="keep-outside-note"
          onChange={({ currentTarget }) => store.keepOutside(currentTarget.checked)}
        />
        <span>{l10n.t('Keep everything outside the mask')}</span>
      </label>
      <p id="keep-outside-note" class={isShort ? 'only-spoken' : undefined}>
        {explanation}
      </p>
    </div>
  );
}
