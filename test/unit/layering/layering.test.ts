import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { folderOf, houses } from '../../../scripts/rooms.ts';
import { filesLike, projectFolder } from '../../support/folders.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

/** A copy of the rooms with one import each; what the linter says of them is the rule. */
const { path: folder, remove } = temporaryFolder('layering');

const forbidden: Record<string, string> = {
  'src/common/other.ts': `import 'vscode';`,
  'src/common/reaching.ts': `import '../images/formats/sniff.ts';`,
  'src/images/formats/other.ts': `import 'https';`,
  'src/images/formats/reaching.ts': `import '../../service/http/endpoints.ts';`,
  'src/images/formats/up.ts': `import '../codecs/pixels.ts';`,
  'src/service/wire/other.ts': `import '../../engine/task/task.ts';`,
  'src/service/wire/undici.ts': `import 'undici';`,
  'src/service/http/database.ts': `import 'node:sqlite';`,
  'src/service/http/up.ts': `import '../wire/imageService.ts';`,
  'src/engine/task/other.ts': `import 'node:http2';`,
  'src/engine/task/reaching.ts': `import '../run/engine.ts';`,
  'src/engine/files/aside.ts': `import '../store/taskStore.ts';`,
  'src/demo/http/other.ts': `import '../../service/http/endpoints.ts';`,
  'src/cli/commands/other.ts': `import '../../vscode/window/settings.ts';`,
  'src/cli/setup/demo.ts': `import '../../demo/endpoints/demoService.ts';\nimport '../commands/program.ts';`,
  'src/vscode/window/reaching.ts': `import '../extension.ts';`,
  'src/vscode/window/loading.ts': `import { openEngine } from '../../engine/run/engine.ts';\nvoid openEngine;`,
  'src/vscode/window/commands.ts': `import { Commands } from '../commands.ts';\nvoid Commands;`,
  'src/vscode/window/undici.ts': `import 'undici';`,
  'src/vscode/generate/page.ts': `import '../../studio/studio.tsx';`,
  'src/studio/protocol/other.ts': `import 'vscode';`,
  'src/studio/protocol/reaching.ts': `import '../store/host.ts';`,
  'src/studio/compose/node.ts': `import 'node:fs';`,
  'src/studio/compose/schema.ts': `import { draft } from '../protocol/draft.ts';\nvoid draft;`,
  'src/studio/compose/host.ts': `import '../../vscode/window/settings.ts';`,
  'src/engine/run/circleOne.ts': `import type { Two } from './circleTwo.ts';\nexport type One = Two;`,
};

const allowed: Record<string, string> = {
  'src/vscode/extension.ts': `import 'vscode';\nimport './window/settings.ts';\nvoid import('../engine/run/engine.ts');`,
  'src/vscode/window/typed.ts': `import type { Engine } from '../../engine/run/engine.ts';\nexport type Held = Engine;`,
  'src/vscode/generate/plain.ts': `import { sniffImage } from '../../images/formats/sniff.ts';\nvoid sniffImage;`,
  'src/engine/run/down.ts': `import '../../service/http/endpoints.ts';\nimport '../store/taskStore.ts';`,
  'src/engine/run/circleTwo.ts': `import './down.ts';`,
  'src/images/formats/down.ts': `import '../../common/text.ts';`,
  'src/service/http/net.ts': `import 'node:https';\nimport type { Submission } from '../terms/messages.ts';\nexport type Sent = Submission;`,
  'src/studio/compose/typed.ts': `import type { Draft } from '../protocol/draft.ts';\nexport type Kept = Draft;`,
};

void describe('the layering rule', () => {
  let complaints = '';

  before(() => {
    const circle = {
      'src/engine/run/circleTwo.ts': `import type { One } from './circleOne.ts';\nexport type Two = One;`,
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

test('every file of src is in a room, and no room has more files than one sees at a glance', () => {
  const folders = houses.flatMap((house) => house.rooms.map((room) => folderOf(house, room)));
  const files = filesLike('src/*/**/*.*').filter((file) => !file.endsWith('README.md'));
  assert.deepEqual(new Set(files.map((file) => `${dirname(file)}/`)), new Set(folders));
  const rooms = houses.flatMap((house) => house.rooms.filter(({ name }) => name !== ''));
  assert.ok(rooms.length <= 48, `there are ${rooms.length} rooms`);
  for (const folder of folders) {
    const count = files.filter(
      (file) => `${dirname(file)}/` === folder && !file.endsWith('README.md'),
    ).length;
    assert.ok(count <= 15, `${folder} holds ${count} files`);
  }
});

test('the README of each house walks through its rooms, and names files that exist', () => {
  for (const house of houses) {
    const file = `src/${house.name}/README.md`;
    const text = readFileSync(join(projectFolder, file), 'utf8');
    for (const { name } of house.rooms.filter((room) => room.name !== '')) {
      assert.ok(text.includes(`\`${name}/\``), `${file} does not name ${name}/`);
    }
    for (const [, path = ''] of text.matchAll(/`([\w/]+\.tsx?)`/gu)) {
      assert.notDeepEqual(filesLike(`src/${house.name}/**/${path}`), [], `${file} names ${path}`);
    }
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
