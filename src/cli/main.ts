import { Command, InvalidArgumentError, Option } from 'commander';
import { readEnvironment } from './environment.ts';
import { advise, exitCodes, openOutput } from './output.ts';
import { paint, type PaintOptions } from './paint.ts';
import { tasks, type TasksOptions } from './tasks.ts';

const environmentHelp = `
Environment:
  LIMNER_BASE_URL   address of the service, with or without /v1
  LIMNER_API_KEY    its key; there is no option for it, since others can read the arguments of a process
  LIMNER_MODEL      model when --model is not given
  LIMNER_HOME       folder of the task list, shared by all runs
  HTTPS_PROXY, HTTP_PROXY, NO_PROXY   as usual

Exit codes:
  0    every image is saved
  1    failed; the message says what it may have cost
  2    wrong arguments
  3    the connection broke before the service answered: it may have been billed
  130  stopped by Ctrl+C
`;

function positive(value: string): number {
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1) {
    throw new InvalidArgumentError('It takes a whole number from 1.');
  }
  return number;
}

function collect(value: string, before: string[] | undefined): string[] {
  return [...(before ?? []), value];
}

function withPaintOptions(command: Command): Command {
  return command
    .argument('<prompt>', 'what to paint, or what to change')
    .option('--model <id>', 'model identifier, as the service knows it')
    .option('--size <WxH>', 'size in pixels, for example 1024x1024')
    .option('--quality <name>', 'quality, for example standard')
    .option('--n <number>', 'number of images', positive, 1)
    .addOption(
      new Option('--call-style <style>', 'how to call the service; auto is async')
        .choices(['auto', 'async', 'sync', 'native', 'nativeStream'])
        .default('auto'),
    )
    .option('--folder <path>', 'folder for the images; created when missing', '.')
    .option(
      '--name <template>',
      'file name without extension: {prompt} {date} {time} {model} {index} {id}',
      '{prompt}',
    )
    .option('--json', 'print one line of JSON instead of paths');
}

async function finish(
  json: boolean,
  run: (output: ReturnType<typeof openOutput>) => Promise<number>,
): Promise<void> {
  const output = openOutput(process.stdout, process.stderr, json);
  try {
    process.exitCode = await run(output);
  } catch (error) {
    process.exitCode = exitCodes.failed;
    const { isLimnerError } = await import('../engine.ts');
    if (!isLimnerError(error)) {
      throw error;
    }
    const record = error.toRecord();
    if (json) {
      output.result(JSON.stringify({ error: record }));
    }
    output.say([record.message, advise(record)].join(' ').trim());
  }
}

const environment = readEnvironment(process.env, process.platform);

const program = new Command('limner')
  .description('Paints images through an image service and saves them as files.')
  .addHelpText('after', environmentHelp)
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? exitCodes.ok : exitCodes.usage);
  });

withPaintOptions(program.command('generate').description('paint an image from a prompt and print its path'))
  .addHelpText(
    'after',
    `
Examples:
  limner generate "a red fox in the snow, watercolour" --folder images --size 1024x1024
  limner generate "app icon, a paper boat" --n 4 --name "boat-{index}" --json
`,
  )
  .action(async (prompt: string, options: PaintOptions) =>
    finish(options.json === true, async (output) => paint(prompt, options, environment, output)),
  );

withPaintOptions(
  program.command('edit').description('change an image as an instruction says and print the new path'),
)
  .addOption(
    new Option('--image <path>', 'image to change; more than once for models that take several')
      .argParser(collect)
      .makeOptionMandatory(),
  )
  .option('--mask <path>', 'PNG of the same size; its transparent area is what changes')
  .addHelpText(
    'after',
    `
Examples:
  limner edit "make it night" --image hero.png --name hero-night
  limner edit "a hat" --image portrait.png --mask hat-area.png
`,
  )
  .action(async (prompt: string, options: PaintOptions) =>
    finish(options.json === true, async (output) => paint(prompt, options, environment, output)),
  );

program
  .command('tasks')
  .description('list tasks, newest first, or take up unfinished ones')
  .option('--limit <number>', 'how many to list', positive, 20)
  .option('--resume', 'go on with unfinished tasks and wait until they end')
  .option('--json', 'print a line of JSON for each task')
  .action(async (options: TasksOptions) =>
    finish(options.json === true, async (output) => tasks(options, environment, output)),
  );

program
  .command('service')
  .description('run the demo service: prints one line of JSON with its address, keys and models, and stays')
  .helpOption(false)
  .allowUnknownOption()
  .argument('[options...]')
  .action(async (_options: string[], _parsed: unknown, command: Command) => {
    const { runService } = await import('../demo/index.ts');
    await runService(command.args);
  });

program.parseAsync().catch((error: unknown) => {
  console.error(error);
  process.exitCode = exitCodes.failed;
});
