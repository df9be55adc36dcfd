import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { projectFolder } from '../../host/folders.ts';
import { temporaryFolder } from '../../host/temporaryFolder.ts';

/** A copy of the rooms with one import each; what the linter says of them is the rule. */
const { path: folder, remove } = temporaryFolder('layering');

const forbidden: Record<string, string> = {
  'src/other.ts': `import 'vscode';`,
  'src/studio/other.ts': `import 'vscode';`,
  'src/studio/reaching.ts': `import '../editor/settings.ts';`,
  'src/editor/reaching.ts': `import '../extension.ts';`,
  'src/editor/loading.ts': `import { openEngine } from '../engine.ts';\nvoid openEngine;`,
  'src/editor/undici.ts': `import 'undici';`,
  'src/cli/other.ts': `import '../editor/settings.ts';`,
  'src/demo/other.ts': `import '../service/endpoints.ts';`,
  'src/tasks/other.ts': `import 'node:http2';`,
  'src/tasks/reaching.ts': `import '../engine.ts';`,
  'src/service/other.ts': `import '../tasks/task.ts';`,
  'src/service/undici.ts': `import 'undici';`,
  'src/images/other.ts': `import 'https';`,
  'src/common/other.ts': `import 'vscode';`,
  'src/common/reaching.ts': `import '../images/sniff.ts';`,
  'src/images/reaching.ts': `import '../service/endpoints.ts';`,
};

const allowed: Record<string, string> = {
  'src/extension.ts': `import 'vscode';\nimport './editor/settings.ts';\nvoid import('./engine.ts');`,
  'src/editor/typed.ts': `import type { Engine } from '../engine.ts';\nexport type Held = Engine;`,
  'src/tasks/down.ts': `import '../service/endpoints.ts';\nimport '../images/sniff.ts';`,
  'src/images/common.ts': `import '../common/truncate.ts';`,
  'src/service/net.ts': `import 'node:https';`,
};

void describe('the layering rule', () => {
  let complaints = '';

  before(() => {
    for (const [file, text] of Object.entries({ ...forbidden, ...allowed })) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${text}\n`);
    }
    complaints = lint();
  });
  after(remove);

  for (const file of Object.keys(forbidden)) {
    void it(`forbids ${forbidden[file]?.split('\n')[0] ?? ''} in ${file}`, () => {
      assert.ok(complaints.includes(file), complaints);
    });
  }

  for (const file of Object.keys(allowed)) {
    void it(`allows what ${file} imports`, () => {
      assert.ok(!complaints.includes(file), complaints);
    });
  }
});

/** What the project's linter says of the copies, one complaint a line. */
function lint(): string {
  const rules = readFileSync(join(projectFolder, '.oxlintrc.json'), 'utf8');
  writeFileSync(join(folder, '.oxlintrc.json'), rules.replace('"typeAware": true', '"typeAware": false'));
  const program = join(projectFolder, 'node_modules', 'oxlint', 'bin', 'oxlint');
  const only = ['--allow', 'all', '--deny', 'no-restricted-imports', '--format', 'unix'];
  const { stdout } = spawnSync(process.execPath, [program, ...only, 'src'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return stdout;
}
