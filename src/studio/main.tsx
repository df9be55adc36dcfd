import '@vscode/codicons/dist/codicon.css';
import './studio.css';
import { config } from '@vscode/l10n';
import { render } from 'preact';
import { Host } from './store/host.ts';
import { readPage } from './store/page.ts';
import { oneActAPress } from './components/ignoreKeyRepeat.ts';
import { Studio } from './studio.tsx';
import { Work } from './store/studioStore.ts';

const { texts, state } = readPage();
if (texts) {
  config({ contents: texts });
}
oneActAPress();
const host = new Host();
const work = new Work(state, host);
render(<Studio work={work} host={host} />, document.body);
