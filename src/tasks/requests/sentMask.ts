import { writeFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { LimnerError, notSent } from '../../common/limnerError.ts';
import type { Codecs } from '../../images/codecs/codecs.ts';
import { readMaskFile } from '../../images/damage/repairMaskFile.ts';
import type { ModelEntry } from '../../service/modelOptions.ts';
import { describeInput } from '../files/taskInput.ts';
import type { TaskInput } from '../task.ts';

export interface MaskServices {
  codecs: () => Promise<Pick<Codecs, 'convertMask'>>;
  /** Returns a new path for a file that is kept as long as its task. */
  newPath: (name: string) => Promise<string>;
}

/**
 * Returns a mask as it is sent: converted to the convention of the model's entry, or as it is where the entry names
 * none.
 *
 * @throws LimnerError `unsupported_image` when it cannot be read
 */
export async function sentMask(
  mask: TaskInput,
  { mask: convention }: Pick<ModelEntry, 'mask'>,
  { codecs, newPath }: MaskServices,
): Promise<TaskInput> {
  if (convention !== 'alpha' && convention !== 'white') {
    return mask;
  }
  const { convertMask } = await codecs();
  const bytes = await readMaskFile(mask.path)
    .then(async (read) => convertMask(read, convention))
    .catch((error: unknown) => {
      throw new LimnerError('unsupported_image', `The mask ${mask.name} is damaged or too large to read.`, {
        ...notSent,
        cause: error,
      });
    });
  const path = await newPath(`${parse(mask.name).name}.png`);
  await writeFile(path, bytes);
  return describeInput(path, mask.uri);
}
