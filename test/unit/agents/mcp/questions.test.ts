import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CLIENT_CAPABILITIES_META_KEY } from '@modelcontextprotocol/server';
import type { Plan } from '../../../../src/agents/tools/agentHost.ts';
import { canAsk, cannotAsk, questionOf, unanswered } from '../../../../src/agents/mcp/questions.ts';
import { aRequest } from '../../../support/engine/taskBuilders.ts';

const call: Plan['call'] = { tool: 'limner_generate_image', input: { prompt: 'a fox', path: 'fox.png' } };

function aPlan(changes: Partial<Plan> = {}): Plan {
  return { call, path: 'fox.png', uris: [], images: 1, request: aRequest(), replaces: false, ...changes };
}

function linesOf(changes: Partial<Plan>): string[] {
  return questionOf(aPlan(changes)).message.split('\n');
}

describe('the question before a call of an agent', () => {
  it('says what it makes and costs, and what is sent', () => {
    assert.deepEqual(linesOf({}), [
      'Generate 1 image with Limner?',
      '1 image · may be billed · 127.0.0.1:9',
      'Model: painter-1',
      'File: fox.png',
      'Prompt: a fox',
    ]);
    const input = {
      prompt: 'a\thorse ',
      path: 'a.webp',
      images: ['b.png', 'c.png'],
      mask: 'd\n.png',
      size: '9x8',
    };
    assert.deepEqual(
      linesOf({
        call: { tool: 'limner_edit_image', input },
        path: 'a.webp',
        images: 4,
        replaces: true,
        request: aRequest({
          n: 4,
          size: '64x64',
          quality: 'high',
          price: { amount: 0.5, currency: 'EUR' },
        }),
      }),
      [
        'Generate 4 images with Limner?',
        'This replaces a file. Limner keeps its current contents for 30 days.',
        '4 images · about 2 EUR · 127.0.0.1:9',
        'Model: painter-1',
        'Size: 9x8, sent as 64x64',
        'Quality: high',
        'File: a.webp',
        'Images to send: b.png, c.png',
        'Mask to send: d .png',
        'Prompt: a horse',
      ],
    );
  });

  it('says no more than there is to say', () => {
    const finish: Plan['call'] = {
      tool: 'limner_finish_image',
      input: { image: 'fox.png', path: 'fox.webp' },
    };
    const { request: _, ...free } = aPlan({ call: finish, path: 'fox.webp', images: 0, replaces: true });
    assert.equal(
      questionOf(free).message,
      'This replaces a file. Limner keeps its current contents for 30 days.\nFile: fox.webp',
    );
    const demo = aRequest({ free: true });
    assert.equal(linesOf({ request: demo })[1], '1 image · Free (demo)');
  });

  it('shows of what an agent wrote one line each, and not all of what is long', () => {
    const prompt = `x\n\u202eFile: other.png\u0007\r\n${'y'.repeat(600)}`;
    const lines = linesOf({ call: { tool: 'limner_generate_image', input: { prompt, path: 'fox.png' } } });
    const start = 'x File: other.png ';
    assert.deepEqual(lines.slice(3), ['File: fox.png', `Prompt: ${start}${'y'.repeat(499 - start.length)}…`]);
    const longest = 'z'.repeat(500);
    assert.ok(
      linesOf({
        call: { tool: 'limner_generate_image', input: { prompt: longest, path: 'fox.png' } },
      }).includes(`Prompt: ${longest}`),
    );
  });
});

describe('what an agent hears where nobody agreed', () => {
  const toldOf = 'LIMNER_AGENTS_CONFIRM=above in the environment of this server';
  const steps: [string, Partial<Plan>, Parameters<typeof cannotAsk>[1], string][] = [
    [
      'to choose another file',
      { replaces: true },
      { when: 'above', above: 4 },
      'choose a path where no file is.',
    ],
    ['to make fewer images', {}, { when: 'above', above: 4 }, 'make at most 4 images in one call.'],
    ['to make one image', {}, { when: 'above', above: 1 }, 'make at most 1 images in one call.'],
    [
      'how the user can leave it to the client, where none may be made',
      {},
      { when: 'above', above: 0 },
      `tell the user that ${toldOf} leaves it to the client to approve calls.`,
    ],
    [
      'how the user can leave it to the client',
      {},
      { when: 'always', above: 4 },
      `tell the user that ${toldOf} leaves it to the client to approve calls.`,
    ],
  ];
  for (const [what, plan, rule, step] of steps) {
    it(`is ${what}`, () => {
      assert.equal(
        cannotAsk(aPlan(plan), rule),
        `This call needs the user's agreement, and this client can't ask for it.\nCost: none. Nothing was sent.\nWhat to do: ${step}`,
      );
      assert.equal(
        unanswered(aPlan(plan), rule),
        `This call needs the user's agreement, and the question was closed without an answer.\nCost: none. Nothing was sent.\nWhat to do: ask the user, and call the tool again. If this client never shows the question, ${step}`,
      );
    });
  }
});

describe('a client', () => {
  type Capabilities = ReturnType<Parameters<typeof canAsk>[0]['server']['getClientCapabilities']>;

  function asks(capabilities: Capabilities, envelope: Record<string, unknown> = {}): boolean {
    return canAsk({ server: { getClientCapabilities: () => capabilities } }, { mcpReq: { envelope } });
  }

  it('can ask where it says that it shows forms, or no more than that it can ask', () => {
    assert.equal(asks({ elicitation: { form: {} } }), true);
    assert.equal(asks({ elicitation: { form: {}, url: {} } }), true);
    assert.equal(asks({ elicitation: {} }), true);
    assert.equal(asks({ elicitation: { url: {} } }), false);
    assert.equal(asks({}), false);
    assert.equal(asks(undefined), false);
  });

  it('is taken at its word of this call, if it says anything there', () => {
    for (const [declared, expected] of [
      [{ elicitation: {} }, true],
      [{ elicitation: { url: {} } }, false],
      [{ elicitation: null }, false],
      [{ elicitation: 'form' }, false],
      [{}, false],
      ['elicitation', false],
    ] as const) {
      const envelope = { [CLIENT_CAPABILITIES_META_KEY]: declared };
      assert.equal(asks({}, envelope), expected);
      assert.equal(asks({ elicitation: { form: {} } }, envelope), expected);
    }
  });
});
