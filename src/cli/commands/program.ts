import * as l10n from '@vscode/l10n';
import { Command, CommanderError, Option } from 'commander';
import * as english from '../../common/english.ts';
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
import { languageIn } from '../setup/language.ts';
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
import { helpWords } from '../output/helpLayout.ts';
import { exitCodes, openOutput, type Output } from '../output/output.ts';
import { usageErrorText } from '../output/usageErrors.ts';
import type { FinishOptions } from './finishImages.ts';
import type { PaintOptions } from './readRequest.ts';
import type { TasksOptions } from './tasks.ts';
import { jsonLine } from '../output/terminalText.ts';
import { messageOf } from '../../common/limnerError.ts';
import { speak } from '../../engine/messages/language.ts';

interface McpOptions extends ConfigOptions {
  verbose?: true;
  config?: ClientName;
}

// Before the first text.
speak(languageIn(process.env));
// A reader that is gone, such as head, ends no command.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', () => undefined);
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
    .option(
      '--anyway',
      l10n.t('with {0}: keep the cut-out even if the check of the result fails', '--transparent'),
    )
    .addOption(fit)
    .option(
      '--focus <x,y>',
      l10n.t('with crop: the point to keep, from {0} (top left) to {1}', '0,0', '1,1'),
      point,
    )
    .option(
      '--fill <color>',
      l10n.t(
        'with pad: {0}, {1}, or a color like {2} (default: {3})',
        'transparent',
        'edge',
        '#ff8800',
        '"transparent"',
      ),
    )
    .option(
      '--trim <margin>',
      l10n.t(
        'cut off what is transparent around a subject, but for a margin such as {0} or {1}',
        '8px',
        '5%',
      ),
      margin,
    )
    .addOption(
      new Option('--multiples <name>', l10n.t('round the size up'))
        .choices(['16', 'powerOfTwo'])
        .argParser(multiples),
    );
}

function withPaintOptions(command: Command, style: (value: string) => string): Command {
  return withFinishOptions(
    command,
    new Option(
      '--fit <way>',
      l10n.t('make images of another size have {0} (default: {1})', '--size', '"off"'),
    ).choices(fits),
    l10n.t(
      "make the background transparent in the model's own way, or else have the subject painted on one flat color, and remove that",
    ),
  )
    .option(
      '--two-grounds',
      l10n.t(
        'have it painted on white and then edited to black, and make it transparent by the difference: two images are billed',
      ),
    )
    .option('--embed-prompt', l10n.t('write the prompt, the model, and that a model made it into each file'))
    .option(
      '--file-quality <number>',
      l10n.t('quality of JPEG or WebP files whose names ask for that, 1 to 100'),
      positive,
    )
    .option('--model <id>', l10n.t('model ID, as used by the service'))
    .option('--size <WxH>', l10n.t('size in pixels, for example {0}', '1024x1024'), size)
    .option('--quality <name>', l10n.t('quality, for example {0}', 'standard'))
    .option('--n <number>', l10n.t('number of images'), positive, 1)
    .option('--call-style <style>', l10n.t('how to call the service'), style, 'auto')
    .option('--folder <path>', l10n.t("folder for the images; created if it doesn't exist"), '.')
    .option(
      '--name <template>',
      l10n.t(
        'file name: {0}; {1}, {2}, or {3} makes that format',
        '{prompt} {date} {time} {model} {index} {name} {id}',
        '.png',
        '.jpg',
        '.webp',
      ),
      '{prompt}',
    )
    .option('--over-budget', l10n.t('send it even if {0} is exceeded', 'LIMNER_BUDGET'))
    .option(
      '--wait <duration>',
      l10n.t(
        'how long to wait at most, such as {0}, {1}, or {2}; the task goes on at the service (default: no limit)',
        '90s',
        '10m',
        '1h',
      ),
      duration,
    )
    .option('--json', l10n.t('print one line of JSON instead of paths'))
    .option('--verbose', l10n.t('log every request and step'));
}

const program = new Command('limner')
  .description(l10n.t('Generates and edits images through an image service and saves them as files.'))
  .version(manifest.version, undefined, l10n.t('output the version number'))
  .helpOption('-h, --help', l10n.t('display help for command'))
  .helpCommand('help [command]', l10n.t('display help for command'))
  .configureHelp(helpWords())
  .configureOutput({ outputError: (text, write) => write(usageErrorText(text)) })
  .addHelpText('after', programHelp)
  .addHelpText('afterAll', environmentHelp)
  .showHelpAfterError(l10n.t('Use {0} to show usage information.', '--help'))
  .exitOverride()
  // Before anything is loaded that an older version cannot even parse.
  .hook('preAction', () => {
    if (isTooOld(process.versions.node)) {
      program.error(
        english.t(
          'error: Limner requires Node.js {0} or newer; this is {1}.',
          oldestNode,
          process.versions.node,
        ),
      );
    }
  });

withPaintOptions(
  program
    .command('generate')
    .description(l10n.t('generate an image from a prompt and print its path'))
    .argument('<prompt>', l10n.t('prompt that describes the image; - reads it from standard input')),
  callStyle,
)
  .addHelpText('after', generateHelp)
  .action(paint);

withPaintOptions(
  program
    .command('edit')
    .description(l10n.t('edit an image and print the path of the result'))
    .argument('<prompt>', l10n.t('prompt that describes the change; - reads it from standard input'))
    .addOption(
      new Option(
        '--image <path>',
        l10n.t('PNG, JPEG, or WebP image to edit; repeat for models that take several'),
      )
        .argParser(collect)
        .makeOptionMandatory(),
    )
    .option(
      '--mask <path>',
      l10n.t('PNG of the same size as the first image; its transparent area is edited'),
    ),
  editStyle,
)
  .addHelpText('after', editHelp)
  .action(paint);

withFinishOptions(
  program
    .command('finish')
    .description(
      l10n.t('make new files of images, at no cost: another format, size, or margin; prints their paths'),
    )
    .argument('<image...>', l10n.t('PNG, JPEG, or WebP images; none is replaced'))
    .addOption(
      new Option('--format <name>', l10n.t('format of the new file')).choices(['png', 'jpeg', 'webp']),
    )
    .option('--quality <number>', l10n.t('quality of JPEG or WebP, 1 to 100'), positive)
    .option('--lossless', l10n.t('WebP that keeps every pixel'))
    .option('--size <WxH>', l10n.t('size in pixels, for example {0}', '1200x630'), size),
  new Option('--fit <way>', l10n.t('how another shape becomes that size (default: {0})', '"crop"')).choices(
    fits.filter((way) => way !== 'off'),
  ),
  l10n.t('remove the background, which must be one flat color'),
)
  .option(
    '--folder <path>',
    l10n.t("folder for the new files; created if it doesn't exist (default: beside each image)"),
  )
  .option('--json', l10n.t('print a line of JSON for each image'))
  .addHelpText('after', finishHelp)
  .action(async (images: string[], options: FinishOptions) => {
    const { finishImages } = await import('./finishImages.ts');
    await run(options, async (output) => finishImages(images, options, output));
  });

program
  .command('tasks')
  .description(l10n.t('list tasks, newest first, or continue unfinished ones'))
  .argument('[id...]', l10n.t('only these tasks'))
  .option('--limit <number>', l10n.t('number of tasks to list'), positive, 20)
  .option('--resume', l10n.t('continue unfinished tasks and wait until they end'))
  .option('--send', l10n.t('the same, and send prompts that were never sent'))
  .option('--over-budget', l10n.t('with {0}: send them even if {1} is exceeded', '--send', 'LIMNER_BUDGET'))
  .addOption(
    new Option('--stop', l10n.t('stop watching the given tasks; unsent ones are never sent')).conflicts([
      'resume',
      'send',
    ]),
  )
  .option(
    '--wait <duration>',
    l10n.t(
      'with {0} or {1}: how long to wait at most, such as {2}, {3}, or {4} (default: no limit)',
      '--resume',
      '--send',
      '90s',
      '10m',
      '1h',
    ),
    duration,
  )
  .option('--folder <path>', l10n.t('with {0}: folder for images that could not be saved', '--resume'))
  .option('--json', l10n.t('print a line of JSON for each task'))
  .option('--verbose', l10n.t('log every request and step'))
  .addHelpText('after', tasksHelp)
  .action(async (ids: string[], options: TasksOptions) => {
    const { tasks } = await import('./tasks.ts');
    await run(options, async (output) => tasks(ids, options, environment, output));
  });

program
  .command('mcp')
  .description(
    l10n.t('serve the tools of agents over the Model Context Protocol, on standard input and output'),
  )
  .option('--verbose', l10n.t('log every request and step to standard error'))
  .addOption(
    new Option(
      '--config <client>',
      l10n.t('print what a client needs to start this server, and serve nothing'),
    ).choices(Object.keys(clients)),
  )
  .addOption(
    new Option('--confirm <when>', l10n.t('with {0}: when Limner asks before images', '--config')).choices([
      'always',
      'session',
      'above',
    ] satisfies ConfirmRule['when'][]),
  )
  .option(
    '--install',
    l10n.t("with {0}: write it into the client's file instead, after showing the change", '--config'),
  )
  .option('--yes', l10n.t('with {0}: write without asking', '--install'))
  .addHelpText('after', mcpHelp)
  .action(async ({ config, ...options }: McpOptions, command: Command) => {
    if (config !== undefined) {
      const { configure } = await import('./clients.ts');
      await run({}, async (output) => configure(config, options, output));
      return;
    }
    if (options.confirm ?? options.install ?? options.yes) {
      command.error(
        english.t(
          'error: {0}, {1}, and {2} need {3}.',
          '--confirm',
          '--install',
          '--yes',
          '--config <client>',
        ),
      );
    }
    const { mcp } = await import('./mcp.ts');
    await run(options, async (output) => mcp(readCurrent, output, manifest.version));
  });

program
  .command('skill')
  .description(l10n.t('print what an agent should know about painting with Limner, as a {0}', 'SKILL.md'))
  .addOption(
    new Option('--install <client>', l10n.t("write it into the client's folder of skills instead")).choices(
      Object.keys(clients),
    ),
  )
  .option('--yes', l10n.t('with {0}: write without asking', '--install'))
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
    l10n.t(
      'run the demo service: prints one line of JSON with its URL, API keys, and models, and keeps running',
    ),
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
      process.stderr.write(`${l10n.t('error: {0}', messageOf(error))}\n`);
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
