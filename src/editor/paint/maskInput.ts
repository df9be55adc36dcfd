import { parse } from 'node:path';
import * as vscode from 'vscode';
import type { ModelEntry } from '../../service/modelOptions.ts';
import type { TaskInput } from '../../tasks/task.ts';
import type { EngineHost } from '../window/engineHost.ts';
import { refuse } from '../failures/refusal.ts';
import { newInputFile } from './inputFolder.ts';
import type { InputImage } from './inputImages.ts';
import { readMaskFile } from '../../images/damage/repairMaskFile.ts';
import { describeInput } from '../../tasks/files/taskInput.ts';

/**
 * The mask as it is sent: in the convention that the model's entry names, whichever of the two it has; as it is where
 * the entry names none.
 *
 * @throws LimnerError `unsupported_image` when it cannot be read
 */
export async function maskInput(engine: EngineHost, model: ModelEntry, mask: InputImage): Promise<TaskInput> {
  if (model.mask !== 'alpha' && model.mask !== 'white') {
    return mask.input;
  }
  const codecs = await (await engine.get()).codecs();
  const bytes = await codecs.convertMask(await readMaskFile(mask.input.path), model.mask).catch(() => {
    throw refuse(
      'unsupported_image',
      vscode.l10n.t('The mask {0} is damaged or too large to read.', mask.name),
    );
  });
  const file = await newInputFile(engine, `${parse(mask.name).name}.png`);
  await vscode.workspace.fs.writeFile(file, bytes);
  return describeInput(file.fsPath, mask.input.uri);
}
