import assert from 'node:assert/strict';
import { copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { projectFolder } from '../support/folders.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { companyHosts, CompanyNetwork } from './companyNetwork.ts';
import { startDemoServiceSession, type DemoServiceSession } from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { privateAuthority } from './privateAuthority.ts';

const { service, results } = companyHosts;

/** A prompt for each way to call the service, by the key that runs it. */
const runs = {
  A: { prompt: 'Asked and polled', callStyle: 'async' },
  S: { prompt: 'Answered at once', callStyle: 'sync' },
  N: { prompt: 'Answered natively', callStyle: 'native', model: 'demo-sketch-a' },
  E: { prompt: 'Answered in events', callStyle: 'nativeStream', model: 'demo-sketch-a' },
};

for (const credentials of [undefined, 'ada:pass-4711']) {
  void describe(`a proxy ${credentials === undefined ? 'that lets everybody through' : 'that asks for a password'}, and a private authority`, () => {
    const folder = temporaryFolder('authority');
    let network: CompanyNetwork;
    let all: DemoServiceSession;

    before(async () => {
      const authority = join(folder.path, 'authority.pem');
      await writeFile(authority, privateAuthority.certificate);
      network = await CompanyNetwork.start({ ...(credentials !== undefined && { credentials }) });
      all = await startDemoServiceSession({
        demo: { clock: 'running', taskDuration: 0, syncDuration: 0 },
        settings: {
          'limner.baseUrl': `https://${service}`,
          'http.proxy': network.proxyUrl,
          'http.systemCertificates': false,
        },
        env: { NODE_EXTRA_CA_CERTS: authority },
        async prepare({ userData, workspace, service: demo }) {
          network.serve(demo);
          await copyFile(join(projectFolder, 'media/icon.png'), join(workspace, 'icon.png'));
          const bindings = Object.entries(runs).map(([key, args]) => ({
            key: `ctrl+alt+${key}`,
            command: 'limner.generate',
            args,
          }));
          const edit = { command: 'limner.edit', args: { prompt: 'Make it round', images: ['icon.png'] } };
          await writeFile(
            join(userData, 'User/keybindings.json'),
            JSON.stringify([...bindings, { key: 'ctrl+alt+r', ...edit }]),
          );
        },
      });
    });
    after(async () => {
      await all.dispose();
      network.stop();
      folder.remove();
    });
    screenshotFailures(() => all?.workbench);

    void it('carry every call', async () => {
      const { limner, workbench } = all;
      for (const key of [...Object.keys(runs), 'R']) {
        await workbench.page.keyboard.press(`Control+Alt+${key}`);
      }
      for (const { prompt } of [...Object.values(runs), { prompt: 'Make it round' }]) {
        await limner.whenSaved(prompt);
      }
      assert.deepEqual(network.paths, [
        `GET ${service}/v1/images/generations/…`,
        `GET ${results}/api/async-images/…`,
        `POST ${service}/v1/images/edits`,
        `POST ${service}/v1/images/generations`,
        `POST ${service}/v1beta/models/demo-sketch-a:generateContent`,
        `POST ${service}/v1beta/models/demo-sketch-a:streamGenerateContent?alt=sse`,
      ]);
    });
  });
}
