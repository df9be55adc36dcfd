import './start.css';
import * as l10n from '@vscode/l10n';
import type { JSX } from 'preact';
import type { StudioContext } from '../store/studioContext.ts';
import { Button } from '../components/button.tsx';

/** Shown instead of the composer while there is no service or no model. */
export function Start({ store, host }: StudioContext): JSX.Element {
  const connect = (demo: boolean): Promise<void> =>
    store.attempt(async () => {
      await host.ask('connect', { demo });
    });
  return (
    <section class="composer start" aria-label={l10n.t('Compose')}>
      <h2>{l10n.t('Paint with words')}</h2>
      <p>
        {store.state.isConnected
          ? l10n.t('Tell Limner which model of your service to use, and create images right here.')
          : l10n.t(
              'Connect Limner to an image service to create images right here and save them in your workspace.',
            )}
      </p>
      <Button primary icon="plug" onClick={() => void connect(false)}>
        {l10n.t('Connect to a Service…')}
      </Button>
      <p>{l10n.t('Or look around first. The demo service runs on this machine and costs nothing.')}</p>
      <Button icon="beaker" onClick={() => void connect(true)}>
        {l10n.t('Use Demo Service')}
      </Button>
    </section>
  );
}
