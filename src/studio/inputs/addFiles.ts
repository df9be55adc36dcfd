import * as l10n from '@vscode/l10n';
import type { Parts } from '../store/studioContext.ts';

/** In bytes; nothing that a service takes is as large, and it would go through a message. */
const largest = 100 * 1024 * 1024;

/** Takes images that were pasted or dropped from the desktop. */
export async function addFiles({ work, host }: Parts, files: readonly File[]): Promise<void> {
  for (const file of files) {
    const name = file.name || l10n.t('Pasted image');
    if (file.size > largest) {
      throw new Error(l10n.t('{0} is too large to be an input image.', name));
    }
    const bytes = new Uint8Array(await file.arrayBuffer());
    work.addInputs([await host.ask('addInputBytes', { name, bytes })]);
  }
}
