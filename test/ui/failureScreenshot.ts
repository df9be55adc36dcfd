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

/** Saves a screenshot of a window that did not get ready for its tests, and prints its path. */
export async function screenshotOfStart(workbench: Workbench): Promise<void> {
  await save(workbench, process.argv[1] ?? '', 'start');
}

async function save(workbench: Workbench, testFile: string, name: string): Promise<void> {
  const folder = process.env[picturesVariable] ?? join(outFolder, 'ui');
  const file = pictureOf(folder, testFile, name);
  await mkdir(folder, { recursive: true });
  await workbench.screenshot(file);
  console.log(`What the window showed: ${file}`);
}

/** Saves a screenshot after a test that failed, and prints its path. */
export function screenshotFailures(workbench: () => Workbench | undefined): void {
  afterEach(async (context) => {
    const window = workbench();
    if (window && 'fullName' in context && 'passed' in context && !context.passed) {
      await save(window, context.filePath ?? '', context.fullName);
    }
  });
}
