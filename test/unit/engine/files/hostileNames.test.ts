import assert from 'node:assert/strict';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { describeInput } from '../../../../src/engine/files/taskInput.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { json, picture } from '../../../support/service/loopbackService.ts';
import { pngFile } from '../../../support/images/pngFile.ts';
import { World } from '../../../support/engine/world.ts';

/** Texts that mean something to file systems, terminals, logs, browsers or Markdown. */
const hostile: Record<string, string> = {
  'a path': '../../../etc/passwd',
  'an absolute path': '/etc/passwd',
  'a path of Windows': String.raw`..\..\C:\Windows\win.ini`,
  'a stream of Windows': 'fox.png:hidden:$DATA',
  'an encoded path': '%2e%2e%2f%2e%2e%2fetc',
  'a NUL': 'fox\0.exe',
  'a device of Windows': 'CON',
  'a device of Windows with an extension': 'lpt1.txt',
  '300 characters': 'x'.repeat(300),
  '300 wide characters': '狐'.repeat(300),
  'a right-to-left mark': 'fox\u202egnp.exe',
  'line breaks': 'fox\r\n2026-01-01 00:00:00.000 [error] forged\u2028forged\u2029forged\u0085forged',
  'control characters': 'fox\u001b[2J\u001b]0;title\u0007\u009b31m\b\b\b',
  'half a character': 'fox \ud83e',
  Markdown: '[click](command:workbench.action.quit) ![x](https://evil.example/x.png)',
  HTML: '<img src=x onerror=alert(1)><script>alert(1)</script>',
  'a quotation mark': 'fox"; filename="evil.exe',
  'dots alone': '..',
  'a hidden name': '.bashrc',
  'spaces around it': '  fox.  ',
  'an option': '--force',
  'a placeholder': '{id}{prompt}/{name}',
};

describe('texts of others', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create();
  });
  afterEach(() => world.dispose());

  async function run(changes: Partial<TaskRequest>): Promise<Task> {
    const engine = await world.open();
    const { id } = await engine.runner.start(world.request(changes));
    const task = await engine.runner.outcome(id);
    await world.close(engine);
    return task;
  }

  /** One picture, in the folder that was meant, under a name that means nothing anywhere; and no line is forged. */
  async function assertHarmless(): Promise<void> {
    const [name, ...others] = await readdir(join(world.workspace, 'images'));
    assert.deepEqual(others, []);
    assert.match(name ?? '', /^[^\p{C}\p{Zl}\p{Zp}<>:"/\\|?*\s.-][^\p{C}\p{Zl}\p{Zp}<>:"/\\|?*]*\.png$/u);
    assert.doesNotMatch(name ?? '', /^(?:con|prn|aux|nul|com\d|lpt\d)\./iu);
    assert.ok(Buffer.byteLength(name ?? '') <= 130);
    assert.deepEqual(await readdir(world.workspace), ['images']);
    for (const line of world.log.lines) {
      assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
    }
  }

  for (const [what, text] of Object.entries(hostile)) {
    it(`in a prompt, a model's id or a template lead nowhere: ${what}`, async () => {
      world.service.delivers(picture());
      const task = await run({
        prompt: text,
        model: text,
        target: { ...world.request().target, fileName: `${text}{prompt}${text}{model}` },
      });
      assert.equal(task.status, 'completed');
      await assertHarmless();
    });

    it(`in what the service says lead nowhere: ${what}`, async () => {
      world.service.delivers(picture());
      const url = `${world.service.baseUrl}/api/async-images/0.png`;
      world.service.on('POST /v1/images/generations', json(202, { id: text, status: text }));
      const isPath = text === '..';
      const path = `/v1/images/generations/${encodeURIComponent(text.toWellFormed())}`;
      world.service.on(
        `GET ${path}`,
        json(200, { id: text, status: text, progress: text }),
        json(500, { error: { message: text, type: text, code: text } }),
        json(200, { id: text, status: 'completed', data: [{ url, revised_prompt: text }] }),
      );
      const task = await run({});
      if (isPath) {
        assert.equal(task.error?.code, 'outcome_unknown');
        assert.equal(world.service.seen.length, 1);
        return;
      }
      assert.equal(task.status, 'completed', JSON.stringify(task.error));
      await assertHarmless();
      const asked = world.service.seen.filter(({ method }) => method === 'GET').map((call) => call.path);
      assert.deepEqual([...new Set(asked)], [path, '/api/async-images/0.png']);
    });

    it(`in an error lead nowhere: ${what}`, async () => {
      const words = { message: text, type: text, code: text };
      world.service.on('POST /v1/images/generations', json(400, { error: words }));
      const { error } = await run({});
      for (const shown of [
        error?.message,
        error?.service?.message,
        error?.service?.type,
        error?.service?.code,
      ]) {
        assert.doesNotMatch(shown ?? '', /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      }
      for (const line of world.log.lines) {
        assert.doesNotMatch(line, /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u);
      }
    });
  }

  it('in the name of a file that is edited lead nowhere', async () => {
    // Those that the disk takes.
    const foreign = process.platform === 'win32' ? /[<>:"/\\|?*\p{Cc}]|[. ]$|^(?:con|lpt1)\b/iu : /[/\0]/u;
    const names = Object.values(hostile).filter(
      (text) => !foreign.test(text) && Buffer.byteLength(text) < 200,
    );
    const folder = join(world.home, '..', 'inputs');
    await mkdir(folder);
    for (const name of names.filter((text) => text !== '..' && text.isWellFormed())) {
      const path = join(folder, name);
      await writeFile(path, pngFile({ width: 1, height: 1, bitDepth: 8, colourType: 0, lines: [0, 0] }));
      world.service.delivers(picture());
      world.service.on('POST /v1/images/edits', json(202, { id: 'task_1', status: 'queued' }));
      const target = { ...world.request().target, fileName: '{name}-edited' };
      const task = await run({ kind: 'edit', images: [await describeInput(path)], target });
      assert.equal(task.status, 'completed', name);
      const form = world.service.seen.findLast((call) => call.path.endsWith('/edits'))?.body ?? '';
      const heads = form.match(/Content-Disposition: [^\r]*/gu) ?? [];
      assert.equal(
        heads.filter((head) => /form-data; name="image"; filename="[^"\p{Cc}]*"$/u.test(head)).length,
        1,
        name,
      );
      assert.deepEqual(
        heads.map((head) => /name="([^"]*)"/u.exec(head)?.[1]),
        ['model', 'prompt', 'image'],
      );
    }
    for (const name of await readdir(join(world.workspace, 'images'))) {
      assert.match(name, /^[^\p{C}<>:"/\\|?*\s.][^\p{C}<>:"/\\|?*]*\.png$/u);
    }
  });
});
