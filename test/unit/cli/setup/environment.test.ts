import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { readBudget } from '../../../../src/engine/run/engine.ts';
import { confirmRuleOf, limitsOf } from '../../../../src/cli/commands/mcpHost.ts';
import { budgetOf } from '../../../../src/cli/setup/money.ts';
import { isTooOld, readEnvironment } from '../../../../src/cli/setup/environment.ts';
import { temporaryFolder } from '../../../support/temporaryFolder.ts';

/** The key, and the beginning of why there is none. */
function read(variables: Record<string, string>): (string | undefined)[] {
  const { apiKey, keyProblem } = readEnvironment(variables, 'linux');
  return [apiKey, keyProblem?.slice(0, 60)];
}

describe('readEnvironment', () => {
  it('takes no limit for missing that a client of the MCP server did not resolve', () => {
    const reference = '${env:LIMIT}';
    const environment = readEnvironment(
      {
        LIMNER_BUDGET: reference,
        LIMNER_AGENTS_DAILY_LIMIT: reference,
        LIMNER_AGENTS_SESSION_LIMIT: reference,
        LIMNER_AGENTS_CONFIRM: reference,
      },
      'linux',
    );
    const { agents } = environment;
    assert.throws(() => readBudget(budgetOf(environment)), { code: 'over_budget' });
    assert.throws(() => limitsOf({ ...agents, dailyLimit: '5' }), { code: 'over_budget' });
    assert.throws(() => limitsOf({ ...agents, sessionLimit: '5' }), { code: 'over_budget' });
    const problems: string[] = [];
    assert.equal(confirmRuleOf(agents, (problem) => problems.push(problem)).when, 'always');
    assert.match(problems.join('\n'), /^LIMNER_AGENTS_CONFIRM must be .*asking always\.$/u);
  });

  it('takes nothing for set that is empty, or that a client of the MCP server did not resolve', () => {
    const { apiKey, agents, budget, model } = readEnvironment(
      {
        LIMNER_API_KEY: '${env:LIMNER_API_KEY}',
        LIMNER_WORKSPACE: '${workspaceFolder}',
        LIMNER_MODEL: ' ',
        LIMNER_BUDGET: '{"day": 2}',
      },
      'linux',
    );
    assert.deepEqual(
      [apiKey, agents.workspace, model, budget],
      [undefined, undefined, undefined, '{"day": 2}'],
    );
  });

  it('reads each variable, without the blanks around it', () => {
    const environment = readEnvironment(
      {
        LIMNER_API_KEY: ' key ',
        LIMNER_BASE_URL: ' https://images.example.com\n',
        LIMNER_MODEL: ' painter',
        LIMNER_MODELS: '[] ',
        LIMNER_CALL_STYLE: ' sync ',
        LIMNER_STYLE: ' icons ',
        LIMNER_HOME: ' data ',
        LIMNER_RESULT_HOSTS: ' nas.local, ,cdn.local:81\tlast.local ',
        LIMNER_BUDGET: ' {"day": 1}',
        LIMNER_PRICES: '{} ',
        http_proxy: ' one:1 ',
        HTTPS_PROXY: 'two:2',
        LIMNER_WORKSPACE: ' /site ',
        LIMNER_AGENTS_CONFIRM: ' above ',
        LIMNER_AGENTS_CONFIRM_ABOVE: ' 2 ',
        LIMNER_AGENTS_SESSION_LIMIT: ' 3 ',
        LIMNER_AGENTS_DAILY_LIMIT: ' 4 ',
      },
      'linux',
    );
    assert.deepEqual(environment, {
      apiKey: 'key',
      keyProblem: undefined,
      baseUrl: 'https://images.example.com',
      model: 'painter',
      models: '[]',
      callStyle: 'sync',
      style: 'icons',
      home: resolve('data'),
      resultHosts: ['nas.local', 'cdn.local:81', 'last.local'],
      budget: '{"day": 1}',
      prices: '{}',
      proxies: {
        http: { name: 'http_proxy', value: 'one:1' },
        https: { name: 'HTTPS_PROXY', value: 'two:2' },
      },
      agents: { workspace: '/site', confirm: 'above', confirmAbove: '2', sessionLimit: '3', dailyLimit: '4' },
    });
  });

  it('takes the variable of a proxy in lower case first', () => {
    const { proxies } = readEnvironment(
      { http_proxy: ' ', HTTP_PROXY: 'upper', https_proxy: 'lower', HTTPS_PROXY: 'upper' },
      'linux',
    );
    assert.deepEqual(proxies, {
      http: { name: 'HTTP_PROXY', value: 'upper' },
      https: { name: 'https_proxy', value: 'lower' },
    });
    const none = readEnvironment({}, 'linux');
    assert.deepEqual(none.proxies, { http: undefined, https: undefined });
    assert.deepEqual(none.resultHosts, []);
  });

  it('keeps the list where each system keeps such data', () => {
    const variables = { LOCALAPPDATA: resolve('/local'), XDG_DATA_HOME: resolve('/data') };
    const home = homedir();
    for (const [platform, given, folder] of [
      ['win32', variables, resolve('/local/limner')],
      ['win32', {}, join(home, 'AppData', 'Local', 'limner')],
      ['darwin', variables, join(home, 'Library', 'Application Support', 'limner')],
      ['linux', variables, resolve('/data/limner')],
      ['linux', {}, join(home, '.local', 'share', 'limner')],
    ] as const) {
      assert.equal(readEnvironment(given, platform).home, folder, platform);
      assert.equal(readEnvironment({ ...given, LIMNER_HOME: '${env:HOME}' }, platform).home, folder);
      assert.equal(readEnvironment({ ...given, LIMNER_HOME: '/mine' }, platform).home, resolve('/mine'));
    }
  });

  it('reads the key from a file, unless it is given', () => {
    const { path: folder, remove } = temporaryFolder('key');
    const [file, empty] = [join(folder, 'key.txt'), join(folder, 'empty.txt')];
    writeFileSync(file, 'key-of-ada\n');
    writeFileSync(empty, '\n');
    assert.deepEqual(read({ LIMNER_API_KEY: '${KEY}', LIMNER_API_KEY_FILE: file }), [
      'key-of-ada',
      undefined,
    ]);
    assert.deepEqual(read({ LIMNER_API_KEY: 'own', LIMNER_API_KEY_FILE: folder }), ['own', undefined]);
    assert.deepEqual(read({ LIMNER_API_KEY_FILE: empty }), [
      undefined,
      'The file of LIMNER_API_KEY_FILE is empty.',
    ]);
    assert.deepEqual(read({ LIMNER_API_KEY_FILE: folder }), [
      undefined,
      "The file of LIMNER_API_KEY_FILE can't be read: EISDIR: illeg",
    ]);
    remove();
  });

  it('takes for a reference only what is nothing else', () => {
    for (const [key, read] of [
      ['${KEY}', undefined],
      [' ${env:KEY} ', undefined],
      ['${}', undefined],
      ['a${KEY}', 'a${KEY}'],
      ['${KEY}b', '${KEY}b'],
      ['${A}${B}', '${A}${B}'],
      ['$KEY', '$KEY'],
    ] as const) {
      assert.equal(readEnvironment({ LIMNER_API_KEY: key }, 'linux').apiKey, read);
    }
  });
});

it('a version of Node.js is too old before 22.19', () => {
  const versions = ['4.20.0', '21.30.1', '22.0.0', '22.18.9', '22.19.0', '22.20.1', '23.0.0', '100.0.0'];
  assert.deepEqual(versions.map(isTooOld), [true, true, true, true, false, false, false, false]);
});
