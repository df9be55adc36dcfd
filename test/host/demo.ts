import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { EditorSession } from './editorSession.ts';
import { outFolder, projectFolder } from './folders.ts';
import { LimnerView } from './limnerView.ts';
import { requireNode24 } from './nodeVersion.ts';

/*
 * `npm run demo`: the main job through the real editor, unattended. Prints where the image and a picture of the
 * whole window are; both stay.
 */
requireNode24();
const prompt = 'A lighthouse on a cliff at dusk, oil painting';
const folder = join(outFolder, 'demo', new Date().toISOString().replaceAll(':', '-'));
const workspace = join(folder, 'workspace');
const screenshot = join(folder, 'screenshot.png');
await mkdir(workspace, { recursive: true });

try {
  const files = await paint();
  for (const file of files) {
    console.log(`Image: ${file}`);
  }
  console.log(`Screenshot: ${screenshot}`);
} catch (error) {
  console.error(`The demo failed: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function paint(): Promise<string[]> {
  const session = await EditorSession.start({ version: 'newest', extension: { folder: projectFolder } });
  try {
    console.log(`Generating "${prompt}" in VS Code …`);
    const workbench = await session.open(workspace);
    const limner = new LimnerView(workbench);
    await limner.show();
    await limner.useDemoService();
    await limner.generate(prompt);
    await limner.whenSaved(prompt);
    await workbench.webview.locator('img').waitFor();
    await workbench.screenshot(screenshot);
    const images = join(workspace, 'images');
    return (await readdir(images)).map((name) => join(images, name));
  } finally {
    await session.dispose();
  }
}
