import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { doorOf, filesOf, folderOf, rooms } from '../../../scripts/rooms.ts';
import { filesLike, projectFolder } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** A copy of the rooms with one import each; what the linter says of them is the rule. */
const { path: folder, remove } = temporaryFolder('layering');

const forbidden: Record<string, string> = {
  'src/common/other.ts': `import 'vscode';`,
  'src/common/reaching.ts': `import '../images/formats/sniff.ts';`,
  'src/images/damage/other.ts': `import 'https';`,
  'src/images/damage/reaching.ts': `import '../../service/endpoints.ts';`,
  'src/images/formats/up.ts': `import '../damage/findDamage.ts';`,
  'src/service/other.ts': `import '../tasks/task.ts';`,
  'src/service/undici.ts': `import 'undici';`,
  'src/service/http/database.ts': `import 'node:sqlite';`,
  'src/service/http/up.ts': `import '../imageService.ts';`,
  'src/tasks/other.ts': `import 'node:http2';`,
  'src/tasks/reaching.ts': `import '../engine.ts';`,
  'src/tasks/files/aside.ts': `import '../store/taskStore.ts';`,
  'src/demo/other.ts': `import '../service/endpoints.ts';`,
  'src/cli/commands/other.ts': `import '../../editor/window/settings.ts';`,
  'src/cli/commands/demo.ts': `import '../../demo/demoService.ts';`,
  'src/editor/window/reaching.ts': `import '../../extension.ts';`,
  'src/editor/window/loading.ts': `import { openEngine } from '../../engine.ts';\nvoid openEngine;`,
  'src/editor/window/commands.ts': `import { Commands } from '../commands/commands.ts';\nvoid Commands;`,
  'src/editor/failures/undici.ts': `import 'undici';`,
  'src/editor/paint/page.ts': `import '../../studio/studio.tsx';`,
  'src/studio/protocol/other.ts': `import 'vscode';`,
  'src/studio/protocol/reaching.ts': `import '../store/host.ts';`,
  'src/studio/inputs/node.ts': `import 'node:fs';`,
  'src/studio/inputs/schema.ts': `import { draft } from '../protocol/draft.ts';\nvoid draft;`,
  'src/studio/inputs/host.ts': `import '../../editor/window/settings.ts';`,
  'src/tasks/run/circleOne.ts': `import type { Two } from './circleTwo.ts';\nexport type One = Two;`,
};

const allowed: Record<string, string> = {
  'src/extension.ts': `import 'vscode';\nimport './editor/window/settings.ts';\nvoid import('./engine.ts');`,
  'src/editor/window/typed.ts': `import type { Engine } from '../../engine.ts';\nexport type Held = Engine;`,
  'src/editor/paint/plain.ts': `import { sniffImage } from '../../images/formats/sniff.ts';\nvoid sniffImage;`,
  'src/tasks/run/down.ts': `import '../../service/endpoints.ts';\nimport '../store/taskStore.ts';`,
  'src/tasks/run/circleTwo.ts': `import './down.ts';`,
  'src/images/damage/down.ts': `import '../../common/text.ts';`,
  'src/service/http/net.ts': `import 'node:https';\nimport type { Submission } from '../messages.ts';\nexport type Sent = Submission;`,
  'src/studio/inputs/typed.ts': `import type { Draft } from '../protocol/draft.ts';\nexport type Kept = Draft;`,
};

void describe('the layering rule', () => {
  let complaints = '';

  before(() => {
    const circle = {
      'src/tasks/run/circleTwo.ts': `import type { One } from './circleOne.ts';\nexport type Two = One;`,
    };
    for (const [file, text] of Object.entries({ ...allowed, ...forbidden, ...circle })) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${text}\n`);
    }
    complaints = lint();
  });
  after(remove);

  for (const [file, text] of Object.entries(forbidden)) {
    void it(`forbids ${text.split('\n')[0] ?? ''} in ${file}`, () => {
      assert.ok(complaints.includes(file), complaints);
    });
  }

  for (const file of Object.keys(allowed).filter((name) => !name.includes('circle'))) {
    void it(`allows what ${file} imports`, () => {
      assert.ok(!complaints.includes(file), complaints);
    });
  }
});

test('every file of src is in one room, and no room has more files than one sees at a glance', () => {
  const found = rooms.flatMap((room) => filesOf(room));
  const all = filesLike('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.d.ts'));
  assert.deepEqual(found.toSorted(), all.toSorted());
  for (const place of new Set(rooms.map((room) => folderOf(room)))) {
    const count = found.filter((file) => dirname(file) === place).length;
    assert.ok(count <= 17, `${place} holds ${count} files`);
  }
});

test('the door of every room begins with what lives there and what never comes in', () => {
  for (const room of rooms) {
    const door = doorOf(room);
    assert.ok(door, `${room.name} has no file ${room.door}`);
    const lines = readFileSync(join(projectFolder, door), 'utf8').split('\n');
    const end = lines.findIndex((line) => !line.startsWith('// '));
    assert.ok(end <= 3, `${door} begins with ${end} lines of comment`);
    assert.match(lines.slice(0, end).join('\n'), /^\/\/ Room: .[^]*\.\n\/\/ Never: .[^]*\.$/u, door);
  }
});

test('CONTRIBUTING walks through every room', () => {
  const text = readFileSync(join(projectFolder, 'CONTRIBUTING.md'), 'utf8');
  for (const room of rooms) {
    const place = room.files ? doorOf(room) : `${folderOf(room)}/`;
    assert.ok(text.includes(`\`${place}`), `CONTRIBUTING.md does not name ${place}`);
  }
});

/** What the project's linter says of the copies about imports, one complaint a line. */
function lint(): string {
  const config = JSON.stringify(pathToFileURL(join(projectFolder, 'oxlint.config.ts')).href);
  writeFileSync(
    join(folder, 'oxlint.config.ts'),
    `import all from ${config};
const { overrides, plugins, rules } = all;
const circles = { 'import/no-cycle': rules['import/no-cycle'] };
export default { plugins, overrides, categories: { correctness: 'off' }, rules: circles };
`,
  );
  const program = join(projectFolder, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const { stdout } = spawnSync(process.execPath, [program, '--format', 'unix', 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout.replaceAll('\\', '/');
}
