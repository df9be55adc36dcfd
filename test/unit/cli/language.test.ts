import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { linesOf, World } from '../../support/cli/limner.ts';
import { McpSession, textOf } from '../../support/cli/mcpSession.ts';
import { bundle } from '../../support/cli/program.ts';
import {
  bracketed,
  outsideBrackets,
  shippedTexts,
  translatedProgram,
} from '../../support/cli/translatedProgram.ts';
import { temporaryFolder } from '../../support/temporaryFolder.ts';

const german = {
  'Usage:': 'Aufruf:',
  'Exit codes:': 'Exit-Codes:',
  'stopped by Ctrl+C': 'mit Strg+C gestoppt',
  'error: {0}': 'Fehler: {0}',
  "error: unknown option '{0}'": "Fehler: unbekannte Option '{0}'",
  "error: option '{0}' argument '{1}' is invalid. {2}": "Fehler: {1} geht nicht für '{0}'. {2}",
  'Enter a whole number, 1 or greater.': 'Bitte eine ganze Zahl ab 1.',
  '(Did you mean {0}?)': '(War {0} gemeint?)',
  'Use {0} to show usage information.': '{0} zeigt, wie es geht.',
  'The prompt is empty.': 'Der Prompt ist leer.',
  'Not billed': 'Nicht berechnet',
  'Use one of {0}./kept': 'Möglich sind {0}.',
  "{0} isn't valid. {1}/kept": '{0} ist ungültig. {1}',
  completed: 'fertig',
};

const languages = {
  LC_ALL: undefined,
  LC_MESSAGES: undefined,
  LANG: undefined,
};
const inGerman = { ...languages, LANG: 'de_DE.UTF-8' };
const inBrackets = { ...languages, LC_MESSAGES: 'xx' };

describe('limner, in the language of its user', { concurrency: 2 }, () => {
  let world: World;
  const own = temporaryFolder('bundled');
  before(async () => {
    const program = translatedProgram(bundle(own.path), {
      de: shippedTexts(german),
      xx: bracketed,
      fr: '["Utilisation',
      it: '["Uso:"]',
      nl: '[]',
    });
    own.remove();
    world = await World.open({}, program);
  });
  after(async () => world[Symbol.asyncDispose]());

  it('helps', async () => {
    const { stdout } = await world.run(['tasks', '--help'], inGerman);
    assert.match(stdout, /^Aufruf: limner tasks \[options\] \[id\.\.\.\]\n/u);
    assert.match(stdout, /\nExit-Codes:\n[^]*\n {2}130 {2}mit Strg\+C gestoppt\n/u);
    // What has no translation stays English.
    assert.match(stdout, /\nOptions:\n/u);
  });

  it('says what is wrong with its arguments, in its own words and in those of its parser', async () => {
    const says = async (...args: string[]): Promise<string> => (await world.run(args, inGerman)).stderr;
    assert.equal(
      await says('tasks', '--limt'),
      "Fehler: unbekannte Option '--limt'\n(War --limit gemeint?)\n--help zeigt, wie es geht.\n",
    );
    assert.match(
      await says('tasks', '--limit', '0'),
      /^Fehler: 0 geht nicht für '--limit <number>'\. Bitte eine ganze Zahl ab 1\.\n/u,
    );
    assert.match(await says('generate', ' '), /^Fehler: Der Prompt ist leer\. Nicht berechnet\.\n$/u);
    const { stderr } = await world.run(['generate', 'a'], { ...inGerman, LIMNER_CALL_STYLE: 'fast' });
    assert.match(
      stderr,
      /^Fehler: LIMNER_CALL_STYLE ist ungültig\. Möglich sind auto, async, sync, native oder nativeStream\./u,
    );
  });

  it('takes it from LC_ALL before LC_MESSAGES before LANG, and speaks English where it has no translation', async () => {
    assert.equal(await title(world, { LC_ALL: 'de_AT.UTF-8', LANG: 'en_US.UTF-8' }), 'Aufruf:');
    assert.equal(await title(world, { LC_ALL: 'C', LANG: 'de_DE.UTF-8' }), 'Usage:');
    assert.equal(await title(world, { LC_ALL: '', LC_MESSAGES: 'de', LANG: 'C' }), 'Aufruf:');
    assert.equal(await title(world, { LANG: 'C' }), 'Usage:');
    for (const broken of ['fr', 'it', 'nl', 'ja_JP.UTF-8']) {
      assert.equal(await title(world, { LANG: broken }), 'Usage:', broken);
    }
  });

  it('writes times, numbers, and texts of a list in it', async () => {
    const { stdout } = await world.run(['generate', 'a fox', '--size', '64x64'], inGerman);
    assert.match(stdout, /\.png\n$/u);
    assert.match(
      (await world.run(['tasks'], inGerman)).stdout,
      /^\w+ {2}\d\d\.\d\d\.\d{4}, \d\d:\d\d {2}fertig {2}a fox$/mu,
    );
    assert.match(
      (await world.run(['tasks'])).stdout,
      /^\w+ {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}completed {2}a fox$/mu,
    );
  });

  it('prints the same JSON in every language', async () => {
    await world.run(['generate', 'a cat, demo:fail', '--size', '64x64'], inBrackets);
    const commands: { args: string[]; env?: Record<string, string | undefined> }[] = [
      { args: ['tasks'] },
      { args: ['tasks', 'none'] },
      { args: ['tasks', '--limit', '0'] },
      { args: ['tasks', '--limt'] },
      { args: ['generate', ' '] },
      { args: ['generate', 'a', '--fit', 'bend'] },
      { args: ['generate', 'a'], env: { LIMNER_API_KEY: undefined } },
      { args: ['generate', 'a'], env: { LIMNER_CALL_STYLE: 'fast' } },
      { args: ['finish', 'none*.png'] },
    ];
    for (const { args, env } of commands) {
      const [plain, translated] = await Promise.all(
        [{}, inBrackets].map(async (language) => world.run([...args, '--json'], { ...env, ...language })),
      );
      assert.ok(plain && translated);
      assert.equal(translated.stdout, plain.stdout);
      assert.equal(translated.code, plain.code);
      assert.notEqual(plain.stdout, '', args.join(' '));
      assert.ok(plain.code === 0 || translated.stderr.includes('⟦'), translated.stderr);
      const rest = outsideBrackets(translated.stderr);
      assert.doesNotMatch(rest, /(?:\p{L}{2,} ){2}/u);
    }
  });

  it('leaves no word of its help in English', async () => {
    const terms = [
      /(?:limner|cmd) .*/u,
      /-\w, --[\w-]+/u,
      /--[\w-]+(?: <[^>]+>)?/u,
      /\w+(?: \[options\])?(?: [<[][\w.]+[>\]])?/u,
      /<[\w.]+>|\[[\w.]+\]/u,
      /[A-Z_]+(?:, [A-Z_]+)*/u,
      /native, nativeStream/u,
    ];
    const isTerm = new RegExp(`^(?:${terms.map(({ source }) => source).join('|')})?$`, 'u');
    for (const command of [[], ['generate'], ['edit'], ['finish'], ['tasks'], ['mcp'], ['skill']]) {
      const { stdout } = await world.run([...command, '--help'], inBrackets);
      assert.ok(stdout.includes('⟦'));
      for (const line of linesOf(outsideBrackets(stdout))) {
        assert.match(line.trim(), isTerm);
      }
    }
  });

  it('answers agents in English, and asks the user in the language of the user', async () => {
    await using session = await McpSession.open(world, {
      answer: 'accept',
      env: { LC_ALL: 'xx', LIMNER_AGENTS_CONFIRM: 'always' },
    });
    const replies = [
      await session.call('limner_generate_image', { prompt: 'a fox', path: 'fox.webp', size: '90x60' }),
      await session.call('limner_generate_image', { prompt: 'demo:fail', path: 'cat.png' }),
      await session.call('limner_generate_image', { prompt: ' ', path: 'none.png' }),
      await session.call('limner_edit_image', { prompt: 'red', images: ['none.png'], path: 'red.png' }),
    ].map(textOf);
    assert.match(replies[0] ?? '', /^Saved fox\.webp /u);
    assert.doesNotMatch(replies.join('\n'), /⟦/u);
    assert.match(session.questions[0] ?? '', /^⟦Generate 1 image with Limner\?⟧\n/u);
    assert.equal(outsideBrackets(session.questions.join('\n')).replaceAll(/[^\p{L}]/gu, ''), '');
    const messages = session.progress.map(({ message = '' }) => message);
    assert.ok(
      messages.every((message) => message.startsWith('⟦')),
      messages.join('\n'),
    );
    assert.doesNotMatch(session.stderr, /⟦/u);
  });
});

/** Returns the first word of the help. */
async function title(world: World, env: Record<string, string | undefined>): Promise<string> {
  const { code, stdout, stderr } = await world.run(['--help'], { ...languages, ...env });
  assert.deepEqual({ code, stderr }, { code: 0, stderr: '' });
  return stdout.slice(0, stdout.indexOf(' '));
}
