import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EditorSession } from '../test/host/editor/editorSession.ts';
import { outFolder, projectFolder } from '../test/support/folders.ts';
import { requireNode24 } from '../test/support/nodeVersion.ts';
import { requireLinux } from '../test/support/platform.ts';

/*
 * `npm start`: VS Code with the extension as it was built, for a user with a browser. The workspace stays, the
 * editor's own data does not.
 */
requireNode24();
requireLinux('npm start');
const workspace = join(outFolder, 'start');
await mkdir(workspace, { recursive: true });
const readme = join(workspace, 'README.md');
if (!existsSync(readme)) {
  await writeFile(readme, '# A place to paint\n\nImages land in the folder `images`.\n');
}

const session = await EditorSession.start({
  builtIn: 'all',
  version: 'newest',
  extension: { folder: projectFolder },
  ownBrowser: true,
});
console.log(`
VS Code with Limner: ${session.url(workspace)}

In the Limner view choose "Use the Built-in Demo Service", then "Generate Image…".
Workspace: ${workspace}
After a build, "Developer: Reload Window" loads what is new. Ctrl+C ends all of it.`);
