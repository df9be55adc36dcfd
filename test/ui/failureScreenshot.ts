import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { afterEach } from 'node:test';
import { outFolder } from '../support/folders.ts';
import type { Workbench } from '../host/window/workbench.ts';

/** Environment variable: the folder for these pictures, instead of `out/ui`. */
export const picturesVariable = 'LIMNER_TEST_PICTURES';

/** Returns the path of the screenshot of a failed test. @param name with those of its suites */
export function pictureOf(folder: string, file: string, name: string): string {
  return join(folder, `${`${basename(file, '.test.ts')} ${name}`.replaceAll(/\W+/g, '-').slice(0, 200)}.png`);
}

/** Saves a screenshot after a test that failed, and prints its path. */
export function screenshotFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    const window = workbench();
    if (window && 'fullName' in context && 'passed' in context && !context.passed) {
      const folder = process.env[picturesVariable] ?? join(outFolder, 'ui');
      const file = pictureOf(folder, context.filePath ?? '', context.fullName);
      await mkdir(folder, { recursive: true });
      await window.screenshot(file);
      console.log(`What the window showed: ${file}`);
    }
  });
}
