import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import * as settingNames from '../../src/vscode/window/settingNames.ts';
import { Models } from '../../src/vscode/generate/models.ts';
import { ServiceConnection } from '../../src/vscode/generate/serviceConnection.ts';
import { DemoServiceProcess } from '../../src/vscode/window/demoServiceProcess.ts';
import { KeyStore, ServiceNames } from '../../src/vscode/window/serviceNames.ts';
import { Settings } from '../../src/vscode/window/settings.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import { aRequest } from '../support/engine/taskBuilders.ts';
import { Secrets } from './secrets.ts';

/** Nothing answers there. */
const [old, moved, other] = ['http://127.0.0.1:9', 'http://127.0.0.1:10', 'https://images.example.com'];
const description = (baseUrl: string) => ({ baseUrl, resultHost: baseUrl, apiKeys: ['sk-demo'], models: [] });

describe('the demo service on another port', () => {
  const folder = temporaryFolder('demo');
  const log = vscode.window.createOutputChannel('Demo Service Test', { log: true });
  const secrets = new Secrets();
  const keys = new KeyStore(secrets);
  const settings = new Settings(log);
  const configure = async (baseUrl: string | undefined): Promise<void> =>
    settings.update(settingNames.baseUrl, baseUrl);
  let configured: { baseUrl: string; model: string };
  let demo: DemoServiceProcess;
  let service: ServiceConnection;

  before(() => {
    configured = { baseUrl: settings.baseUrl, model: settings.model };
  });
  beforeEach(() => {
    const program = join(folder.path, 'demo.js');
    writeFileSync(
      program,
      `console.log(${JSON.stringify(JSON.stringify(description(moved)))}); process.on('disconnect', () => {});`,
    );
    let last: unknown = description(old);
    const globalState = {
      get: () => last,
      async update(_key: string, value: unknown) {
        last = value;
        return Promise.resolve();
      },
    };
    demo = new DemoServiceProcess({ globalState, asAbsolutePath: () => program }, log);
    const engine = { plainHttpOrigins: [], allowPlainHttp: async () => Promise.resolve() };
    service = new ServiceConnection(engine, settings, keys, demo);
  });
  after(async () => {
    await configure(configured.baseUrl === '' ? undefined : configured.baseUrl);
    await settings.update(settingNames.model, configured.model === '' ? undefined : configured.model);
    keys.dispose();
    log.dispose();
    folder.remove();
  });

  it('takes the setting along, and its requests remain its own', async () => {
    await configure(old);
    assert.equal(await service.ready(), moved);
    assert.equal(settings.baseUrl, moved);
    assert.equal(secrets.held.get(`apiKey:${moved}`), 'sk-demo');
    assert.ok(service.isInUse({ baseUrl: old, free: true }));
    assert.ok(!service.isInUse({ baseUrl: old }));
  });

  it('leaves the setting alone where another service is in use', async () => {
    await configure(other);
    assert.equal(await service.startDemo(), moved);
    assert.equal(settings.baseUrl, other);
    assert.ok(!service.isInUse({ baseUrl: moved, free: true }));
    assert.ok(service.isInUse({ baseUrl: `${other}/v1` }));
  });

  it('is named after the model, as every service is', async () => {
    await settings.update(settingNames.model, 'painter');
    await configure(other);
    assert.equal(new ServiceNames(settings, demo).label, 'painter · images.example.com');
  });

  it('is free, and nothing else is', async () => {
    await service.startDemo();
    const models = new Models(settings, demo, log);
    const free = (request: Parameters<typeof aRequest>[0]): boolean =>
      models.priced(aRequest(request)).free === true;
    assert.ok(free({ baseUrl: moved }));
    assert.ok(!free({ baseUrl: old, free: true }));
    assert.ok(!free({ baseUrl: other, free: true }));
  });
});
