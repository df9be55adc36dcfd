import { render } from 'preact';
import { returnFocusFromDialogs } from './components/focus.ts';
import { ignoreKeyRepeat } from './components/keys.ts';
import { Host, readPage } from './store/host.ts';
import { Studio } from './studio.tsx';
import { StudioStore } from './store/studioStore.ts';

const { page, state } = readPage();
ignoreKeyRepeat();
returnFocusFromDialogs();
const host = new Host(page);
void host.open();
const store = new StudioStore(state, host);
render(<Studio store={store} host={host} />, document.body);
