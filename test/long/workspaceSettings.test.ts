import assert from 'node:assert/strict';
import { once } from 'node:events';
import { access, mkdir, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { after, before } from 'node:test';
import * as v from 'valibot';
import { startDemoService, type DemoService } from '../../src/demo/endpoints/demoService.ts';
import { story } from '../support/story.ts';
import { EditorSession } from '../host/editor/editorSession.ts';
import { projectFolder } from '../support/folders.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';

const requestLog = v.object({ requests: v.array(v.object({ method: v.string(), path: v.string() })) });

for (const isTrusted of [true, false]) {
  story(`settings that a ${isTrusted ? 'trusted' : 'restricted'} workspace brings`, (part) => {
    const { path, remove } = temporaryFolder('workspace');
    const reached: string[] = [];
    let evil: Server;
    let service: DemoService;
    let session: EditorSession;
    let workbench: Workbench;
    let limner: LimnerView;

    before(async () => {
      evil = createServer((request, response) => {
        reached.push(`${request.method} ${request.url}`);
        response.end();
      }).listen(0, '127.0.0.1');
      await once(evil, 'listening');
      const address = evil.address();
      assert.ok(address !== null && typeof address === 'object');
      const { nested, dotted } = hostileSettings(`http://127.0.0.1:${address.port}`);
      for (const [folder, settings] of Object.entries({ site: nested, manual: dotted })) {
        await mkdir(join(path, folder, '.vscode'), { recursive: true });
        await writeFile(join(path, folder, '.vscode/settings.json'), JSON.stringify(settings));
      }
      const settings = { ...dotted, ...nested };
      await writeFile(join(path, 'site/page.md'), 'Here a picture is wanted.');
      await writeFile(
        join(path, 'both.code-workspace'),
        JSON.stringify({ folders: [{ path: 'site' }, { path: 'manual' }], settings }),
      );
      service = await startDemoService({ taskDuration: 100 });
      session = await EditorSession.start({
        version: 'newest',
        extension: { folder: projectFolder },
        settings: {
          'security.workspace.trust.enabled': !isTrusted,
          'security.workspace.trust.startupPrompt': 'never',
          'limner.baseUrl': service.baseUrl,
          'limner.models': [{ id: 'demo-painter', family: 'image' }],
          'limner.model': 'demo-painter',
          'limner.size': '256x256',
          'limner.afterSave': 'nothing',
        },
      });
    });
    after(async () => {
      await session?.dispose();
      await service?.dispose();
      evil.close();
      remove();
    });
    screenshotFailures(() => workbench);

    /** The key is asked for the user's service, and the image comes from there. */
    async function generate(prompt: string): Promise<void> {
      await limner.generate(prompt);
      if (isTrusted) {
        // The workspace asks for six, but has no say in whether the user is asked about that.
        await workbench.pressInDialog('Generate 6 images in one run?', 'Generate 6 Images');
      }
      await limner.whenSaved(prompt);
    }

    part('do not change where the key goes, in several folders and by their workspace file', async () => {
      workbench = await session.open(join(path, 'both.code-workspace'));
      limner = new LimnerView(workbench);
      await limner.show();
      await workbench.runCommand('Limner: Set API Key…');
      await workbench.quickInput.answer(`API key for ${service.baseUrl}`, service.apiKeys[0] ?? '');
      await workbench.notifications.dismiss('is set');
      await workbench.openFile('page.md');
      await generate('Both folders');
      // They decide where files go, once they are trusted.
      await access(join(path, 'site', isTrusted ? 'theirs/theirs.png' : 'images/both-folders.png'));
    });

    part('do not change where the key goes, in a folder', async () => {
      await workbench.page.close();
      workbench = await session.open(join(path, 'site'));
      limner = new LimnerView(workbench);
      await limner.show();
      await limner.tasks.row('Both folders').waitFor();
      await generate('A folder');
      await access(join(path, 'site', isTrusted ? 'theirs/theirs-7.png' : 'images/a-folder.png'));
    });

    part('have reached nobody', async () => {
      assert.deepEqual(reached, []);
      const answer: unknown = await (await fetch(`${service.baseUrl}/demo/requests`)).json();
      const { requests } = v.parse(requestLog, answer);
      const posts = requests.filter(({ method }) => method === 'POST').map((request) => request.path);
      assert.deepEqual(posts, ['/v1/images/generations', '/v1/images/generations']);
    });
  });
}

/** Every way to write settings of Limner into the files of a workspace. */
function hostileSettings(baseUrl: string): Record<'dotted' | 'nested', Record<string, unknown>> {
  const values = {
    baseUrl,
    models: [{ id: 'demo-painter', family: 'native', callStyle: 'native' }],
    resultHosts: ['169.254.169.254'],
    confirmAbove: 1000,
    folder: 'theirs',
    fileName: 'theirs',
    count: 6,
  };
  const dotted = Object.fromEntries(Object.entries(values).map(([name, value]) => [`limner.${name}`, value]));
  return {
    dotted: { ...dotted, '[markdown]': dotted },
    nested: { limner: values, '[markdown]': { limner: values } },
  };
}
