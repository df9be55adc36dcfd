/** Ends the help of every command. */
export const environmentHelp = `
Environment:
  LIMNER_BASE_URL   address of the service, with or without /v1: https, or http on this machine
  LIMNER_API_KEY    its key; there is no option for it, since others can read the arguments of a process
  LIMNER_MODEL      model when --model is not given
  LIMNER_HOME       folder of the task list, shared by all runs
  LIMNER_RESULT_HOSTS   hosts on private networks that results may come from, separated by commas
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY   as usual; none is used for this machine

Exit codes:
  0    every image is saved
  1    failed, or not everything is saved; the message says what it may have cost
  2    the arguments, files or variables given cannot be used; nothing was sent
  3    nobody knows what became of the request: it may have been billed
  130  stopped by Ctrl+C        143  stopped by SIGTERM        129  the terminal was closed
`;

/** Follows the help of the program. */
export const programHelp = `
Start here:
  limner service                    a demo service on this machine, with a key to try
  limner generate "a red fox"       prints the path of the image
  limner tasks --resume             goes on with what was interrupted, without paying again
`;

/** Follows the help of `limner generate`. */
export const generateHelp = `
Call styles:
  auto, async     the service makes a task of it, which survives Ctrl+C and broken connections
  sync            the answer carries the images; cut off, it is lost
  native, nativeStream   the service's second model family; size and quality have no effect

Examples:
  limner generate "a red fox in the snow, watercolour" --folder images --size 1024x1024
  limner generate "app icon, a paper boat" --n 4 --name "boat-{index}"
  limner generate - --json < prompt.txt | jq -r '.files[]'
`;

/** Follows the help of `limner edit`. */
export const editHelp = `
Examples:
  limner edit "make it night" --image hero.png --name "{name}-night"
  limner edit "a hat" --image portrait.png --mask hat-area.png
  limner edit "the boat of the first on the lake of the second" --image boat.png --image lake.png
`;

/** Follows the help of `limner tasks`. */
export const tasksHelp = `
A prompt is never sent twice, and one that was not sent only with --send.

Examples:
  limner tasks                      the newest tasks, their files and what went wrong
  limner tasks --resume             go on with all that is unfinished: watch, fetch, save
  limner tasks --resume --folder ~/Pictures   the same; what could not be saved goes there
  limner tasks --json | jq -r 'select(.status == "completed") | .files[]'
`;
