import '@vscode/codicons/dist/codicon.css';
import './studio.css';
import { config } from '@vscode/l10n';
import { render } from 'preact';
import { returnFocusFromDialogs } from './components/focus.ts';
import { Host, readPage } from './store/host.ts';
import { ComparePage } from './comparePage.tsx';
import { Studio } from './studio.tsx';
import { StudioStore } from './store/studioStore.ts';

const data = readPage();
if (data.texts) {
  config({ contents: data.texts });
}
ignoreKeyRepeat();
returnFocusFromDialogs();
if ('comparison' in data) {
  render(<ComparePage comparison={data.comparison} />, document.body);
} else {
  const host = new Host(data.page);
  void host.open();
  const store = new StudioStore(data.state, host);
  render(<Studio store={store} host={host} />, document.body);
}

/** Ignores the repeats of a key that is held on a button: some buttons cost money. */
function ignoreKeyRepeat(): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.repeat && event.key === 'Enter' && event.target instanceof HTMLButtonElement) {
        event.preventDefault();
      }
    },
    true,
  );
}
