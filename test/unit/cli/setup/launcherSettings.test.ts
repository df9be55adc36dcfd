import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { withLauncherSettings } from '../../../../src/cli/setup/launcherSettings.ts';
import { memoryFolder } from '../../../support/memoryFolder.ts';

describe('the settings that the launcher names', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(memoryFolder, 'limner-settings-'));
    file = join(folder, 'launcher.json');
  });
  after(async () => rm(folder, { recursive: true }));

  async function set(environment: Record<string, string>): Promise<void> {
    await writeFile(file, JSON.stringify({ extension: '', environment }));
  }

  const saved = {
    LIMNER_HOME: '/home/ada/limner',
    LIMNER_BASE_URL: 'https://images.example.com',
    LIMNER_MODEL: 'painter',
    LIMNER_MODELS: '[{"id":"painter"}]',
  };

  it('count where the environment of the client has none, as they are by now', async () => {
    await set(saved);
    const env = { LIMNER_LAUNCHER: file, LIMNER_BASE_URL: saved.LIMNER_BASE_URL, LIMNER_MODEL: '' };
    assert.deepEqual(withLauncherSettings(env), { ...saved, LIMNER_LAUNCHER: file });
    assert.equal(withLauncherSettings({ ...env, LIMNER_MODEL: 'sketcher' })['LIMNER_MODEL'], 'sketcher');
    assert.deepEqual(withLauncherSettings({ ...env, LIMNER_MODEL: '${env:LIMNER_MODEL}' }), {
      ...saved,
      LIMNER_LAUNCHER: file,
    });
    await set({ ...saved, LIMNER_MODEL: 'new-painter' });
    assert.equal(withLauncherSettings(env)['LIMNER_MODEL'], 'new-painter');
  });

  it('leave the service to the client, whose key is for that, and its models with it', async () => {
    await set(saved);
    const env = { LIMNER_LAUNCHER: file };
    const elsewhere = { ...env, LIMNER_BASE_URL: 'https://other.example.com' };
    for (const given of [env, elsewhere]) {
      assert.deepEqual(withLauncherSettings(given), { ...given, LIMNER_HOME: saved.LIMNER_HOME });
    }
  });

  it('are none without a launcher', () => {
    for (const env of [{ LIMNER_MODEL: 'painter' }, { LIMNER_LAUNCHER: '' }]) {
      assert.equal(withLauncherSettings(env), env);
    }
  });

  it('are texts, whatever they are written as, and all of them where the client names no service either', async () => {
    await writeFile(
      file,
      JSON.stringify({ environment: { LIMNER_AGENTS_DAILY_LIMIT: 5, LIMNER_PRICES: '{}' } }),
    );
    const env = { LIMNER_LAUNCHER: file };
    assert.deepEqual(withLauncherSettings(env), {
      ...env,
      LIMNER_AGENTS_DAILY_LIMIT: '5',
      LIMNER_PRICES: '{}',
    });
  });

  it('of a service leave its result hosts and prices to it', async () => {
    const ofService = {
      LIMNER_RESULT_HOSTS: 'nas.local',
      LIMNER_PRICES: '{}',
      LIMNER_MODELS: '[]',
      LIMNER_MODEL: 'a',
    };
    await set({ ...saved, ...ofService });
    const here = { LIMNER_LAUNCHER: file, LIMNER_BASE_URL: saved.LIMNER_BASE_URL };
    assert.deepEqual(withLauncherSettings(here), { ...here, LIMNER_HOME: saved.LIMNER_HOME, ...ofService });
    const elsewhere = { ...here, LIMNER_BASE_URL: 'https://other.example.com' };
    assert.deepEqual(withLauncherSettings(elsewhere), { ...elsewhere, LIMNER_HOME: saved.LIMNER_HOME });
  });

  it('are said to be damaged where they are no settings', async () => {
    for (const text of ['null', '"text"', '{}', '{"environment": null}', '{"environment": "text"}']) {
      await writeFile(file, text);
      assert.throws(() => withLauncherSettings({ LIMNER_LAUNCHER: file }), {
        name: 'TypeError',
        message: `${file} is damaged.`,
      });
    }
    await rm(file);
    assert.throws(() => withLauncherSettings({ LIMNER_LAUNCHER: file }), { code: 'ENOENT' });
  });
});
