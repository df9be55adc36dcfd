import '@vscode/codicons/dist/codicon.css';
import './studio.css';
import { config } from '@vscode/l10n';
import { render } from 'preact';
import { Host } from './host.ts';
import { readPage } from './page.ts';
import { oneActAPress } from './parts/oneActAPress.ts';
import { Studio } from './studio.tsx';
import { Work } from './work.ts';

const { texts, state } = readPage();
if (texts) {
  config({ contents: texts });
}
oneActAPress();
const host = new Host();
const work = new Work(state, host);
render(<Studio work={work} host={host} />, document.body);
