import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionId } from '../../src/editor/names.ts';
import { EditorSession } from './editorSession.ts';
import { outFolder, projectFolder } from './folders.ts';
import { LimnerView } from './limnerView.ts';
import { requireNode24 } from './nodeVersion.ts';
import type { Workbench } from './workbench.ts';

/*
 * `npm run demo`: the main job through the real editor, unattended. Prints where the image and a picture of the
 * whole window are; both stay.
 */
requireNode24();
const prompt = 'A lighthouse at dusk';
const folder = join(outFolder, 'demo', new Date().toISOString().replaceAll(':', '-'));
const workspace = join(folder, 'workspace');
const screenshot = join(folder, 'screenshot.png');
await mkdir(workspace, { recursive: true });

const session = await EditorSession.start({ version: 'newest', extension: { folder: projectFolder } });
try {
  console.log(`Generating "${prompt}" in VS Code …`);
  for (const image of await paint(await session.open(workspace))) {
    console.log(`Image: ${image}`);
  }
  console.log(`Screenshot: ${screenshot}`);
} catch (error) {
  console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
  console.error(
    `What the window showed: ${screenshot}\nWhat Limner logged:\n${session.readLog(extensionId, 'Limner')}`,
  );
  process.exitCode = 1;
} finally {
  await session.dispose();
}

/** Returns the paths of the images. */
async function paint(workbench: Workbench): Promise<string[]> {
  const limner = new LimnerView(workbench);
  try {
    await limner.show();
    await limner.useDemoService();
    await limner.generate(prompt);
    await limner.whenSaved(prompt);
    await workbench.webview.locator('img').waitFor();
  } finally {
    await workbench.screenshot(screenshot);
  }
  const images = join(workspace, 'images');
  return (await readdir(images)).map((name) => join(images, name));
}
