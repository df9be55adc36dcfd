import { text } from 'node:stream/consumers';
import * as l10n from '@vscode/l10n';
import { sentencesText } from '../../common/text.ts';
import { runText } from '../../engine/messages/costText.ts';
import { spokenLanguage } from '../../engine/messages/language.ts';
import { billAhead } from '../../engine/task/spending.ts';
import type { Output } from '../output/output.ts';
import { printable } from '../output/terminalText.ts';
import { openCliEngine } from '../setup/cliEngine.ts';
import type { Environment } from '../setup/environment.ts';
import { Interruption } from './interruption.ts';
import { type PaintOptions, readRequest, withSentMask } from './readRequest.ts';
import { watch } from './watch.ts';

/**
 * `limner generate` and `limner edit`: starts one task, waits for it and prints the saved paths.
 *
 * @returns the exit code
 * @throws LimnerError when nothing was sent, for a reason that the user can correct
 */
export async function paint(
  prompt: string,
  options: PaintOptions,
  environment: Environment,
  output: Output,
): Promise<number> {
  const words = prompt === '-' ? await text(process.stdin) : prompt;
  const request = await readRequest(words, options, environment, (note) => output.say(printable(note)));
  if (request.family === 'native' && (options.size !== undefined || options.quality !== undefined)) {
    output.say(
      sentencesText([
        l10n.t("{0} and {1} have no effect in native calls and aren't sent.", '--size', '--quality'),
        ...(request.finish?.size ? [l10n.t('The images are fitted to the size.')] : []),
      ]),
    );
  }
  if (request.onBlack || request.price) {
    const run = runText(billAhead([request], spokenLanguage().tag), new URL(request.baseUrl).host);
    output.say(request.onBlack ? l10n.t('On white and on black: {0}', run) : run);
  }
  const engine = await openCliEngine(() => environment, output);
  const interruption = new Interruption(output, options.wait);
  try {
    const ready = await withSentMask(request, engine, environment);
    for (const note of ready.notes) {
      output.say(printable(note));
    }
    const { id } = await engine.runner.start(ready.request, { isBeyondBudget: options.overBudget });
    return await watch([id], { engine, output, interruption });
  } finally {
    await engine.dispose();
    interruption.dispose();
  }
}
