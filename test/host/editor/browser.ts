import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { fetchOnce } from '../fetch/cache.ts';
import { chromiumVersion, launchProfile } from '../fetch/chromium.ts';
import { startEditor } from './editor.ts';
import { editorVersions, type EditorVersion } from '../fetch/editorVersions.ts';
import { Workbench } from '../window/workbench.ts';

/** The address of VS Code for every browser of the tests, under which VS Code's own files are cached. */
export const workbenchHost = 'localhost:8999';

/** Folders of a profile for cached files and compiled scripts. */
const caches = ['Cache', 'Code Cache'];

/**
 * Opens a browser with VS Code's own files in its cache, like a user's: a window opens in three quarters of the time.
 * Nothing else is cached.
 *
 * @param profile the folder for it, which is not there yet
 * @param port where VS Code listens
 */
export async function openBrowser(
  profile: string,
  port: number,
  version: EditorVersion,
): Promise<BrowserContext> {
  await mkdir(profile);
  // The oldest is opened too seldom for that to pay off.
  if (version === 'newest') {
    await copyCaches(await fetchKnownFiles(version), profile);
  }
  return launchProfile(profile, workbenchHost, port);
}

/** Returns a folder with the caches of a browser that has opened VS Code before. */
async function fetchKnownFiles(version: EditorVersion): Promise<string> {
  const { vscode } = editorVersions[version];
  return fetchOnce({
    name: `vscode-${vscode}-in-chromium-${await chromiumVersion()}`,
    notice: `Opening VS Code ${vscode} a few times to keep what the browser compiled`,
    megabytes: 40,
    fill: async (folder) => {
      const editor = await startEditor({ version });
      const profile = join(editor.path, 'browser');
      try {
        // A browser compiles what it loads repeatedly, and keeps that once it has been of use.
        for (let time = 0; time < 3; time++) {
          console.log(`  time ${time + 1} of 3`);
          const browser = await launchProfile(profile, workbenchHost, editor.door.port);
          const page = await browser.newPage();
          await page.goto(`http://${workbenchHost}/?ew=true`);
          await new Workbench(page).whenReady();
          await browser.close();
        }
        await copyCaches(profile, folder);
      } finally {
        await editor.dispose();
      }
    },
  });
}

async function copyCaches(from: string, to: string): Promise<void> {
  for (const name of caches) {
    await cp(join(from, 'Default', name), join(to, 'Default', name), { recursive: true });
  }
}
