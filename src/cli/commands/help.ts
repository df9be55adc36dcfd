const isOnWindows = process.platform === 'win32';

/** Ends the help of every command. */
export const environmentHelp = `
Environment:
  LIMNER_BASE_URL   URL of the service, with or without /v1; https, or http on this machine
  LIMNER_API_KEY    its API key; there is no option for it because others can read process arguments
  LIMNER_MODEL      model to use when --model is not given
  LIMNER_MODELS     JSON: what models can do, as in VS Code's setting limner.models, such as
                    [{"id": "my-model", "sizes": ["1024x1024"], "mask": "white", "price": 0.04}]; "taskPath":
                    "/v1/tasks/{id}" is where a service is asked for its tasks, if not at the usual path
  LIMNER_CALL_STYLE   how to call the service where neither --call-style nor the model's entry says it
  LIMNER_HOME       folder for the task list, shared by all runs
  LIMNER_RESULT_HOSTS   hosts on private networks that results may be fetched from, separated by commas
  LIMNER_PRICES     JSON: what an image of each model costs, before its entry, such as {"my-model": 0.04}, or
                    {"my-model": {"amount": 0.04, "currency": "USD", "variants": {"1536x1024 high": 0.25}}}
  LIMNER_BUDGET     JSON: what may be spent, such as {"day": "2 USD", "month": "20 USD, 200 images"}; a run with no price
                    in one of the currencies needs a limit in images
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY   proxies, as usual; not used for this machine

Exit codes:
  0    every image that was asked for was saved, whole and as it was asked for
  1    failed, or an image is missing, damaged, or not as it was asked for: its background couldn't be removed, or it
       couldn't get its format or size; or the time of --wait is over; the message says what, and what may have been billed
  2    an argument, file, or variable is invalid; nothing was sent
  3    the outcome of the request is unknown; it may have been billed
  4    the budget would be exceeded; nothing was sent
  130  stopped by Ctrl+C        143  stopped by SIGTERM        129  the terminal was closed
`;

export const programHelp = `
Get started:
  limner service                    run a demo service on this machine, with an API key to try
  limner generate "a red fox"       generate an image and print its path
  limner tasks --resume             continue interrupted tasks at no extra cost
  limner finish fox.png --format webp   make a file of another format or size of it, at no cost
`;

export const generateHelp = `
Call styles:
  auto            as LIMNER_CALL_STYLE or the model's entry says, or else async
  async           the service runs a task, which survives Ctrl+C and lost connections
  sync            the response contains the images; if it is interrupted, they are lost
  native, nativeStream   the service's second model family; size and quality have no effect

Examples:
  limner generate "a red fox in the snow, watercolor" --folder images --size 1024x1024
  limner generate "app icon, a paper boat" --n 4 --name "boat-{index}"
${
  isOnWindows
    ? `  limner generate "a red fox" --wait 10m; if (!$?) { limner tasks --resume --wait 1h }
  cmd /c "limner generate - --json < prompt.txt" | ConvertFrom-Json | select -expand files`
    : `  limner generate "a red fox" --wait 10m || limner tasks --resume --wait 1h
  limner generate - --json < prompt.txt | jq -r '.files[]'`
}
`;

export const editHelp = `
Examples:
  limner edit "make it night" --image hero.png --name "{name}-night"
  limner edit "a hat" --image portrait.png --mask hat-area.png
  limner edit "put the first image's boat on the second's lake" --image boat.png --image lake.png
`;

export const finishHelp = `
Nothing is sent and nothing is billed. A file that is already as asked for stays alone, and its own path is printed.

Examples:
  limner finish hero.png --format webp --quality 80
  limner finish photo.jpg --size 1200x630 --focus 0.5,0.2
  limner finish icon.png --trim 5% --size 512x512 --fit pad --json
  limner finish *.png --format webp
`;

export const tasksHelp = `
A prompt is never sent twice. A prompt that was not sent yet is sent only with --send.

Examples:
  limner tasks                      list the newest tasks, their files, and what went wrong
  limner tasks --resume             continue all unfinished tasks: watch, fetch, save
  limner tasks --resume --folder ${isOnWindows ? String.raw`$HOME\Pictures` : '~/Pictures'}   the same; images that could not be saved go there
${
  isOnWindows
    ? '  limner tasks --json | ConvertFrom-Json | where status -eq completed | select -expand files'
    : `  limner tasks --json | jq -r 'select(.status == "completed") | .files[]'`
}
`;

export const mcpHelp = `
An MCP client starts it; --config prints what the client needs, without the API key, as "Limner: Copy MCP Configuration…"
does in VS Code. With --confirm above, a client that can't show Limner's question approves calls itself.

Examples:
  limner mcp --config codex                            print what goes into ~/.codex/config.toml
  limner mcp --config gemini --confirm above --install   write it into ~/.gemini/settings.json, after showing the change
  limner skill --install gemini                        the same for what an agent should know about painting

Environment, besides what is below:
  LIMNER_API_KEY_FILE   file with the API key, where LIMNER_API_KEY is not set
  LIMNER_WORKSPACE    project folder; when it is not set, the current folder, or in a home folder the one that the client
                      has open
  LIMNER_AGENTS_CONFIRM   when the person is asked through the client: always (default), session, or above
  LIMNER_AGENTS_CONFIRM_ABOVE   with above: calls that make more images ask first (default: 4)
  LIMNER_AGENTS_SESSION_LIMIT, LIMNER_AGENTS_DAILY_LIMIT   most images in one run (20), and in 24 hours (50)
`;
