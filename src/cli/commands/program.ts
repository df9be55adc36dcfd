import { Command, CommanderError, Option } from 'commander';
import manifest from '../../../package.json' with { type: 'json' };
import {
  callStyle,
  collect,
  duration,
  editStyle,
  margin,
  multiples,
  point,
  positive,
  size,
} from './argumentValues.ts';
import { type ClientName, clients } from '../../agents/clients/clients.ts';
import type { ConfirmRule } from '../../agents/tools/agreement.ts';
import type { ConfigOptions, InstallOptions } from './clients.ts';
import { fits } from '../../common/requestValues.ts';
import { type Environment, isTooOld, oldestNode, readEnvironment } from '../setup/environment.ts';
import { withLauncherSettings } from '../setup/launcherSettings.ts';
import { fail } from '../output/failure.ts';
import {
  editHelp,
  environmentHelp,
  finishHelp,
  generateHelp,
  mcpHelp,
  programHelp,
  tasksHelp,
} from './help.ts';
import { exitCodes, openOutput, type Output } from '../output/output.ts';
import type { FinishOptions } from './finishImages.ts';
import type { PaintOptions } from './readRequest.ts';
import type { TasksOptions } from './tasks.ts';
import { jsonLine } from '../output/terminalText.ts';
import { messageOf } from '../../common/limnerError.ts';

interface McpOptions extends ConfigOptions {
  verbose?: true;
  config?: ClientName;
}

const readCurrent = (): Environment => readEnvironment(withLauncherSettings(process.env), process.platform);
const environment = readCurrent();

async function run(
  options: { json?: true; verbose?: true },
  command: (output: Output) => Promise<number>,
): Promise<void> {
  const output = openOutput(process.stdout, process.stderr, {
    ...options,
    canDraw: process.env['TERM'] !== 'dumb',
  });
  const code = await command(output).catch((error: unknown) => fail(error, output));
  process.exitCode = output.isBroken ? Math.max(code, exitCodes.failed) : code;
}

async function paint(prompt: string, options: PaintOptions): Promise<void> {
  // Loaded only here: help and usage errors need neither the engine nor an HTTP client.
  const command = await import('./paint.ts');
  await run(options, async (output) => command.paint(prompt, options, environment, output));
}

/** Adds the options of what becomes of images before they are files. */
function withFinishOptions(command: Command, fit: Option, transparentHelp: string): Command {
  return command
    .option('--transparent', transparentHelp)
    .addOption(fit)
    .option('--focus <x,y>', 'with crop: the point to keep, from 0,0 (top left) to 1,1', point)
    .option('--fill <color>', 'with pad: transparent, edge, or a color like #ff8800 (default: "transparent")')
    .option(
      '--trim <margin>',
      'cut off what is transparent around a subject, but for a margin such as 8px or 5%',
      margin,
    )
    .addOption(
      new Option('--multiples <name>', 'round the size up')
        .choices(['16', 'powerOfTwo'])
        .argParser(multiples),
    );
}

function withPaintOptions(command: Command, style: (value: string) => string): Command {
  return withFinishOptions(
    command,
    new Option('--fit <way>', 'make images of another size have --size (default: "off")').choices(fits),
    "make the background transparent in the model's own way, or else have the subject painted on one flat color, and remove that",
  )
    .option(
      '--two-grounds',
      'have it painted on white and then edited to black, and make it transparent by the difference: two images are billed',
    )
    .option('--embed-prompt', 'write the prompt, the model, and that a model made it into each file')
    .option(
      '--file-quality <number>',
      'quality of JPEG or WebP files whose names ask for that, 1 to 100',
      positive,
    )
    .option('--model <id>', 'model ID, as used by the service')
    .option('--size <WxH>', 'size in pixels, for example 1024x1024', size)
    .option('--quality <name>', 'quality, for example standard')
    .option('--n <number>', 'number of images', positive, 1)
    .option('--call-style <style>', 'how to call the service', style, 'auto')
    .option('--folder <path>', "folder for the images; created if it doesn't exist", '.')
    .option(
      '--name <template>',
      'file name: {prompt} {date} {time} {model} {index} {name} {id}; .png, .jpg, or .webp makes that format',
      '{prompt}',
    )
    .option('--over-budget', 'send it even if LIMNER_BUDGET is exceeded')
    .option(
      '--wait <duration>',
      'how long to wait at most, such as 90s, 10m, or 1h; the task goes on at the service (default: no limit)',
      duration,
    )
    .option('--json', 'print one line of JSON instead of paths')
    .option('--verbose', 'log every request and step');
}

const program = new Command('limner')
  .description('Generates and edits images through an image service and saves them as files.')
  .version(manifest.version)
  .addHelpText('after', programHelp)
  .addHelpText('afterAll', environmentHelp)
  .showHelpAfterError('Use --help to show usage information.')
  .exitOverride()
  // Before anything is loaded that an older version cannot even parse.
  .hook('preAction', () => {
    if (isTooOld(process.versions.node)) {
      program.error(
        `error: Limner requires Node.js ${oldestNode} or newer; this is ${process.versions.node}.`,
      );
    }
  });

withPaintOptions(
  program
    .command('generate')
    .description('generate an image from a prompt and print its path')
    .argument('<prompt>', 'prompt that describes the image; - reads it from standard input'),
  callStyle,
)
  .addHelpText('after', generateHelp)
  .action(paint);

withPaintOptions(
  program
    .command('edit')
    .description('edit an image and print the path of the result')
    .argument('<prompt>', 'prompt that describes the change; - reads it from standard input')
    .addOption(
      new Option('--image <path>', 'PNG, JPEG, or WebP image to edit; repeat for models that take several')
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .option('--mask <path>', 'PNG of the same size as the first image; its transparent area is edited'),
  editStyle,
)
  .addHelpText('after', editHelp)
  .action(paint);

withFinishOptions(
  program
    .command('finish')
    .description('make new files of images, at no cost: another format, size, or margin; prints their paths')
    .argument('<image...>', 'PNG, JPEG, or WebP images; none is replaced')
    .addOption(new Option('--format <name>', 'format of the new file').choices(['png', 'jpeg', 'webp']))
    .option('--quality <number>', 'quality of JPEG or WebP, 1 to 100', positive)
    .option('--lossless', 'WebP that keeps every pixel')
    .option('--size <WxH>', 'size in pixels, for example 1200x630', size),
  new Option('--fit <way>', 'how another shape becomes that size (default: "crop")').choices(
    fits.filter((way) => way !== 'off'),
  ),
  'remove the background, which must be one flat color',
)
  .option(
    '--folder <path>',
    "folder for the new files; created if it doesn't exist (default: beside each image)",
  )
  .option('--json', 'print a line of JSON for each image')
  .addHelpText('after', finishHelp)
  .action(async (images: string[], options: FinishOptions) => {
    const { finishImages } = await import('./finishImages.ts');
    await run(options, async (output) => finishImages(images, options, output));
  });

program
  .command('tasks')
  .description('list tasks, newest first, or continue unfinished ones')
  .argument('[id...]', 'only these tasks')
  .option('--limit <number>', 'number of tasks to list', positive, 20)
  .option('--resume', 'continue unfinished tasks and wait until they end')
  .option('--send', 'the same, and send prompts that were never sent')
  .option('--over-budget', 'with --send: send them even if LIMNER_BUDGET is exceeded')
  .addOption(
    new Option('--stop', 'stop watching the given tasks; unsent ones are never sent').conflicts([
      'resume',
      'send',
    ]),
  )
  .option(
    '--wait <duration>',
    'with --resume or --send: how long to wait at most, such as 90s, 10m, or 1h (default: no limit)',
    duration,
  )
  .option('--folder <path>', 'with --resume: folder for images that could not be saved')
  .option('--json', 'print a line of JSON for each task')
  .option('--verbose', 'log every request and step')
  .addHelpText('after', tasksHelp)
  .action(async (ids: string[], options: TasksOptions) => {
    const { tasks } = await import('./tasks.ts');
    await run(options, async (output) => tasks(ids, options, environment, output));
  });

program
  .command('mcp')
  .description('serve the tools of agents over the Model Context Protocol, on standard input and output')
  .option('--verbose', 'log every request and step to standard error')
  .addOption(
    new Option(
      '--config <client>',
      'print what a client needs to start this server, and serve nothing',
    ).choices(Object.keys(clients)),
  )
  .addOption(
    new Option('--confirm <when>', 'with --config: when Limner asks before images').choices([
      'always',
      'session',
      'above',
    ] satisfies ConfirmRule['when'][]),
  )
  .option('--install', "with --config: write it into the client's file instead, after showing the change")
  .option('--yes', 'with --install: write without asking')
  .addHelpText('after', mcpHelp)
  .action(async ({ config, ...options }: McpOptions, command: Command) => {
    if (config !== undefined) {
      const { configure } = await import('./clients.ts');
      await run({}, async (output) => configure(config, options, output));
      return;
    }
    if (options.confirm ?? options.install ?? options.yes) {
      command.error('error: --confirm, --install, and --yes need --config <client>.');
    }
    const { mcp } = await import('./mcp.ts');
    await run(options, async (output) => mcp(readCurrent, output, manifest.version));
  });

program
  .command('skill')
  .description('print what an agent should know about painting with Limner, as a SKILL.md')
  .addOption(
    new Option('--install <client>', "write it into the client's folder of skills instead").choices(
      Object.keys(clients),
    ),
  )
  .option('--yes', 'with --install: write without asking')
  .action(async ({ install, ...options }: InstallOptions & { install?: ClientName }) => {
    const { installSkill, skillPage } = await import('./clients.ts');
    if (install !== undefined) {
      await run({}, async (output) => installSkill(install, options, output));
      return;
    }
    process.stdout.write(await skillPage());
  });

program
  .command('service')
  .description(
    'run the demo service: prints one line of JSON with its URL, API keys, and models, and keeps running',
  )
  .helpOption(false)
  .allowUnknownOption()
  .argument('[options...]')
  .action(async (_options: string[], _parsed: unknown, command: Command) => {
    const { runService } = await import('../../demo/endpoints/runService.ts');
    try {
      await runService(command.args);
    } catch (error) {
      const isSystem = error instanceof Error && 'syscall' in error;
      process.stderr.write(`error: ${messageOf(error)}\n`);
      process.exitCode = isSystem ? exitCodes.failed : exitCodes.usage;
    }
  });

// Electron passes arguments like Node.js when it runs as that.
program
  .parseAsync(undefined, 'electron' in process.versions ? { from: 'node' } : undefined)
  .catch((error: unknown) => {
    if (!(error instanceof CommanderError)) {
      throw error;
    }
    process.exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (error.exitCode !== 0 && process.argv.includes('--json')) {
      const message = error.message.replace(/^error: /u, '');
      process.stdout.write(`${jsonLine({ error: { code: 'invalid_request', message, billing: 'no' } })}\n`);
    }
  });
