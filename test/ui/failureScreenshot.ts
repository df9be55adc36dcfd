import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach } from 'node:test';
import { outFolder } from '../host/folders.ts';
import type { Workbench } from '../host/workbench.ts';

/** Environment variable: the folder for these pictures, instead of `out/ui`. */
export const picturesVariable = 'LIMNER_TEST_PICTURES';

/** Saves what the window shows after a test that failed, and says where. */
export function screenshotFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    const window = workbench();
    if (window && 'passed' in context && !context.passed) {
      const folder = process.env[picturesVariable] ?? join(outFolder, 'ui');
      const file = join(folder, `${context.name.replaceAll(/\W+/g, '-')}.png`);
      await mkdir(folder, { recursive: true });
      await window.screenshot(file);
      console.log(`What the window showed: ${file}`);
    }
  });
}
