import * as l10n from '@vscode/l10n';
import { examples, paragraph, section, whole } from '../output/helpLayout.ts';

const isOnWindows = process.platform === 'win32';

/** Ends the help of every command. */
export function environmentHelp(): string {
  const model = '[{"id": "my-model", "sizes": ["1024x1024"], "mask": "white", "price": 0.04}]';
  const prices = '{"my-model": {"amount": 0.04, "currency": "USD", "variants": {"1536x1024 high": 0.25}}}';
  const budget = '{"day": "2 USD", "month": "20 USD, 200 images"}';
  return [
    section(l10n.t('Environment:'), 20, [
      ['LIMNER_BASE_URL', l10n.t('URL of the service, with or without /v1; https, or http on this machine')],
      [
        'LIMNER_API_KEY',
        l10n.t('its API key; there is no option for it because others can read process arguments'),
      ],
      ['LIMNER_MODEL', l10n.t('model to use when {0} is not given', '--model')],
      [
        'LIMNER_MODELS',
        l10n.t(
          "JSON: what models can do, as in VS Code's setting {0}, such as {1}; {2} is where a service is asked for its tasks, if not at the usual path",
          'limner.models',
          whole(model),
          '"taskPath": "/v1/tasks/{id}"',
        ),
      ],
      [
        'LIMNER_CALL_STYLE',
        l10n.t("how to call the service where neither {0} nor the model's entry says it", '--call-style'),
      ],
      [
        'LIMNER_STYLE',
        l10n.t('style of new images where {0} is not given; an agent may name another one', '--style'),
      ],
      ['LIMNER_HOME', l10n.t('folder for the task list, shared by all runs')],
      [
        'LIMNER_RESULT_HOSTS',
        l10n.t('hosts on private networks that results may be fetched from, separated by commas'),
      ],
      [
        'LIMNER_PRICES',
        l10n.t(
          'JSON: what an image of each model costs, before its entry, such as {0}, or {1}',
          whole('{"my-model": 0.04}'),
          whole(prices),
        ),
      ],
      [
        'LIMNER_BUDGET',
        l10n.t(
          'JSON: what may be spent, such as {0}; a run with no price in one of the currencies needs a limit in images',
          whole(budget),
        ),
      ],
      ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', l10n.t('proxies, as usual; not used for this machine')],
      [
        'LC_ALL, LC_MESSAGES, LANG',
        l10n.t('language of what Limner says, as usual; English without a translation'),
      ],
    ]),
    section(l10n.t('Exit codes:'), 7, [
      ['0', l10n.t('every image that was asked for was saved, whole and as it was asked for')],
      [
        '1',
        l10n.t(
          "failed, or an image is missing, damaged, or not as it was asked for: its background couldn't be removed, or it couldn't get its format or size; or the time of {0} is over; the message says what, and what may have been billed",
          '--wait',
        ),
      ],
      ['2', l10n.t('an argument, file, or variable is invalid; nothing was sent')],
      ['3', l10n.t('the outcome of the request is unknown; it may have been billed')],
      ['4', l10n.t('the budget would be exceeded; nothing was sent')],
      ['130', l10n.t('stopped by Ctrl+C')],
      ['143', l10n.t('stopped by SIGTERM')],
      ['129', l10n.t('the terminal was closed')],
    ]),
  ].join('');
}

export function programHelp(): string {
  return section(l10n.t('Get started:'), 36, [
    ['limner service', l10n.t('run a demo service on this machine, with an API key to try')],
    ['limner generate "a red fox"', l10n.t('generate an image and print its path')],
    ['limner tasks --resume', l10n.t('continue interrupted tasks at no extra cost')],
    [
      'limner finish fox.png --format webp',
      l10n.t('make a file of another format or size of it, at no cost'),
    ],
  ]);
}

export function generateHelp(): string {
  return [
    section(l10n.t('Call styles:'), 18, [
      ['auto', l10n.t("as {0} or the model's entry says, or else as {1}", 'LIMNER_CALL_STYLE', 'async')],
      ['async', l10n.t('the service runs a task, which survives Ctrl+C and lost connections')],
      ['sync', l10n.t('the response contains the images; if it is interrupted, they are lost')],
      ['native, nativeStream', l10n.t("the service's second model family; size and quality have no effect")],
    ]),
    examples(l10n.t('Examples:'), [
      'limner generate "a red fox in the snow, watercolor" --folder images --size 1024x1024',
      'limner generate "app icon, a paper boat" --n 4 --name "boat-{index}"',
      'limner generate --set icons.md --folder icons --size 64x64 --transparent --name "{name}.webp"',
      ...(isOnWindows
        ? [
            'limner generate "a red fox" --wait 10m; if (!$?) { limner tasks --resume --wait 1h }',
            'cmd /c "limner generate - --json < prompt.txt" | ConvertFrom-Json | select -expand files',
          ]
        : [
            'limner generate "a red fox" --wait 10m || limner tasks --resume --wait 1h',
            "limner generate - --json < prompt.txt | jq -r '.files[]'",
          ]),
    ]),
  ].join('');
}

export function editHelp(): string {
  return examples(l10n.t('Examples:'), [
    'limner edit "make it night" --image hero.png --name "{name}-night"',
    'limner edit "a hat" --image portrait.png --mask hat-area.png',
    `limner edit "put the first image's boat on the second's lake" --image boat.png --image lake.png`,
  ]);
}

export function finishHelp(): string {
  return [
    paragraph(
      l10n.t(
        'Nothing is sent and nothing is billed. A file that is already as asked for stays alone, and its own path is printed.',
      ),
    ),
    examples(l10n.t('Examples:'), [
      'limner finish hero.png --format webp --quality 80',
      'limner finish photo.jpg --size 1200x630 --focus 0.5,0.2',
      'limner finish icon.png --trim 5% --size 512x512 --fit pad --json',
      'limner finish *.png --format webp',
      'limner finish hero.png --set densities,webp --width 400',
      'limner finish logo.png --set favicon,apple-touch,pwa --folder public',
    ]),
  ].join('');
}

export function tasksHelp(): string {
  const pictures = isOnWindows ? String.raw`$HOME\Pictures` : '~/Pictures';
  const completed = isOnWindows
    ? 'limner tasks --json | ConvertFrom-Json | where status -eq completed | select -expand files'
    : `limner tasks --json | jq -r 'select(.status == "completed") | .files[]'`;
  return [
    paragraph(
      l10n.t('A prompt is never sent twice. A prompt that was not sent yet is sent only with {0}.', '--send'),
    ),
    section(l10n.t('Examples:'), 36, [
      ['limner tasks', l10n.t('list the newest tasks, their files, and what went wrong')],
      ['limner tasks --resume', l10n.t('continue all unfinished tasks: watch, fetch, save')],
      [
        `limner tasks --resume --folder ${pictures}`,
        l10n.t('the same; images that could not be saved go there'),
      ],
    ]),
    `  ${completed}\n`,
  ].join('');
}

export function mcpHelp(): string {
  return [
    paragraph(
      l10n.t(
        'An MCP client starts it; {0} prints what the client needs, without the API key, as "Limner: Copy MCP Configuration…" does in VS Code. With {1}, a client that can\'t show Limner\'s question approves calls itself.',
        '--config',
        '--confirm above',
      ),
    ),
    section(l10n.t('Examples:'), 55, [
      ['limner mcp --config codex', l10n.t('print what goes into {0}', '~/.codex/config.toml')],
      [
        'limner mcp --config gemini --confirm above --install',
        l10n.t('write it into {0}, after showing the change', '~/.gemini/settings.json'),
      ],
      ['limner skill --install gemini', l10n.t('the same for what an agent should know about painting')],
    ]),
    section(l10n.t('Environment, besides what is below:'), 22, [
      ['LIMNER_API_KEY_FILE', l10n.t('file with the API key, where {0} is not set', 'LIMNER_API_KEY')],
      [
        'LIMNER_WORKSPACE',
        l10n.t(
          'project folder; when it is not set, the current folder, or in a home folder the one that the client has open',
        ),
      ],
      [
        'LIMNER_AGENTS_CONFIRM',
        l10n.t(
          'when the user is asked through the client: {0} (default), {1}, or {2}',
          'always',
          'session',
          'above',
        ),
      ],
      [
        'LIMNER_AGENTS_CONFIRM_ABOVE',
        l10n.t('with {0}: calls that make more images ask first (default: {1})', 'above', 4),
      ],
      [
        'LIMNER_AGENTS_SESSION_LIMIT, LIMNER_AGENTS_DAILY_LIMIT',
        l10n.t('most images in one run ({0}), and in 24 hours ({1})', 20, 50),
      ],
    ]),
  ].join('');
}
