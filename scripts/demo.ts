import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionId } from '../src/vscode/window/names.ts';
import { EditorSession } from '../test/host/editor/editorSession.ts';
import { outFolder, projectFolder } from '../test/support/folders.ts';
import { LimnerView } from '../test/host/window/limnerView.ts';
import { requireNode24 } from '../test/support/nodeVersion.ts';
import { requireLinux } from '../test/support/platform.ts';
import type { Workbench } from '../test/host/window/workbench.ts';

/*
 * `npm run demo`: the main job through the real editor, unattended: an image is generated and then edited. Prints
 * where both are and a picture of the whole window; all of it stays.
 */
requireNode24();
requireLinux('npm run demo');
const prompt = 'A lighthouse at dusk';
const change = 'make it night';
const folder = join(outFolder, 'demo', new Date().toISOString().replaceAll(':', '-'));
const workspace = join(folder, 'workspace');
const screenshot = join(folder, 'screenshot.png');
await mkdir(workspace, { recursive: true });

console.log('Starting VS Code …');
const session = await EditorSession.start({
  version: 'newest',
  extension: { folder: projectFolder },
  builtIn: 'all',
});
try {
  console.log(`Generating "${prompt}" in VS Code, then editing it: "${change}" …`);
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

/** Returns the paths of the images, the original first. */
async function paint(workbench: Workbench): Promise<string[]> {
  const limner = new LimnerView(workbench);
  try {
    await limner.show();
    await limner.useDemoService();
    await limner.generate(prompt);
    await limner.whenSaved(prompt);
    await workbench.editorTab('a-lighthouse-at-dusk.png').waitFor();
    await workbench.runCommand('Limner: Edit Image…');
    await limner.answerEdit(change);
    await limner.whenSaved(change);
    await workbench.editorTab('a-lighthouse-at-dusk-edited.png').waitFor();
    await workbench.webview.locator('img').waitFor();
  } finally {
    await workbench.screenshot(screenshot);
  }
  const images = ['a-lighthouse-at-dusk.png', 'a-lighthouse-at-dusk-edited.png'].map((name) =>
    join(workspace, 'images', name),
  );
  await Promise.all(images.map(async (image) => access(image)));
  return images;
}
