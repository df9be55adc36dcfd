import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { fetchOnce } from '../fetch/cache.ts';
import { chromiumVersion, launchProfile } from '../fetch/chromium.ts';
import { startEditor } from './editor.ts';
import { editorVersions, type EditorVersion } from '../fetch/editorVersions.ts';
import { Workbench } from '../window/workbench.ts';

/** Where every browser of tests finds its VS Code: what it keeps of VS Code's own files goes by this name. */
export const workbenchHost = 'localhost:8999';

/** The folders of a profile in which a browser keeps files, and scripts as it has compiled them. */
const caches = ['Cache', 'Code Cache'];

/**
 * Opens a browser that knows VS Code's own files already, as a person's does: a window opens in three quarters of the
 * time. It knows nothing else.
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
  // The oldest is opened too seldom for that to pay.
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
        // A browser compiles what it comes back to, and keeps that once it has been of use.
        for (let time = 0; time < 3; time++) {
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
