import './start.css';
import { t } from '@vscode/l10n';
import type { JSX } from 'preact';
import type { Parts } from '../parts.ts';
import { Button } from '../parts/button.tsx';

/** What stands in place of the composer while there is no service or no model. */
export function Start({ work, host }: Parts): JSX.Element {
  const connect = (demo: boolean): Promise<void> =>
    work.attempt(async () => {
      await host.ask('connect', { demo });
    });
  return (
    <section class="composer start" aria-label={t('Compose')}>
      <h2>{t('Paint with words')}</h2>
      <p>
        {work.state.isConnected
          ? t('Tell Limner which model of your service to use, and images are made right here.')
          : t(
              'Connect Limner to an image service, and images are made right here and saved in your project.',
            )}
      </p>
      <Button primary icon="plug" onClick={() => void connect(false)}>
        {t('Connect to a Service…')}
      </Button>
      <p>{t('Or look around first: the demo service runs on your machine, and costs nothing.')}</p>
      <Button icon="beaker" onClick={() => void connect(true)}>
        {t('Use the Demo Service')}
      </Button>
    </section>
  );
}
