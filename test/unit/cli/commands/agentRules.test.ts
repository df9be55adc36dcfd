import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { confirmRuleOf, limitsOf } from '../../../../src/cli/commands/mcpHost.ts';
import { readEnvironment } from '../../../../src/cli/setup/environment.ts';

type Rule = ReturnType<typeof confirmRuleOf>;

/** Returns when the user is asked, and what is said of the variables. */
function ruleOf(variables: Record<string, string>): [Rule, string[]] {
  const problems: string[] = [];
  const { agents } = readEnvironment(variables, 'linux');
  return [confirmRuleOf(agents, (problem) => problems.push(problem)), problems];
}

/** Returns how many images agents may have made in one run, and in 24 hours. */
function limits(variables: Record<string, string>): number[] {
  const { session, day } = limitsOf(readEnvironment(variables, 'linux').agents);
  return [session, day];
}

describe('the person is asked before a call of an agent', () => {
  const rules: [string, Record<string, string>, Rule, string[]][] = [
    ['always where nothing is set', {}, { when: 'always', above: 4 }, []],
    ['always', { LIMNER_AGENTS_CONFIRM: 'always' }, { when: 'always', above: 4 }, []],
    ['once in a session', { LIMNER_AGENTS_CONFIRM: 'session' }, { when: 'session', above: 4 }, []],
    ['above four images', { LIMNER_AGENTS_CONFIRM: 'above' }, { when: 'above', above: 4 }, []],
    [
      'above as many as are set',
      { LIMNER_AGENTS_CONFIRM: 'above', LIMNER_AGENTS_CONFIRM_ABOVE: '12' },
      { when: 'above', above: 12 },
      [],
    ],
    [
      'always where the rule means nothing',
      { LIMNER_AGENTS_CONFIRM: 'Session' },
      { when: 'always', above: 4 },
      ['LIMNER_AGENTS_CONFIRM must be always, session, or above, not "Session": asking always.'],
    ],
    ...['-1', '1.5', '1e3', 'x1', '1x', '1234567890'].map((above): (typeof rules)[number] => [
      `always where the number means nothing: ${above}`,
      { LIMNER_AGENTS_CONFIRM: 'above', LIMNER_AGENTS_CONFIRM_ABOVE: above },
      { when: 'above', above: 0 },
      [`LIMNER_AGENTS_CONFIRM_ABOVE must be a number, not "${above}": asking always.`],
    ]),
    [
      'as the rule says where the number does not count',
      { LIMNER_AGENTS_CONFIRM: 'session', LIMNER_AGENTS_CONFIRM_ABOVE: 'four' },
      { when: 'session', above: 0 },
      [],
    ],
  ];
  for (const [when, variables, rule, problems] of rules) {
    it(when, () => assert.deepEqual(ruleOf(variables), [rule, problems]));
  }
});

describe('agents may have made', () => {
  const [run, day] = ['LIMNER_AGENTS_SESSION_LIMIT', 'LIMNER_AGENTS_DAILY_LIMIT'];

  it('20 images in one run and 50 in 24 hours, unless the variables say otherwise', () => {
    assert.deepEqual(limits({}), [20, 50]);
    assert.deepEqual(limits({ [run]: '0', [day]: '999999999' }), [0, 999_999_999]);
  });

  it('none where a limit is no number', () => {
    for (const name of [run, day]) {
      for (const value of ['ten', '-1', '1 2', '${limit}']) {
        assert.throws(() => limits({ [name]: value }), {
          code: 'over_budget',
          message: `${name} must be a number of images, not "${value}".`,
          billing: 'no',
          sent: false,
        });
      }
    }
  });
});
