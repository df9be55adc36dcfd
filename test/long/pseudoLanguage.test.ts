import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import * as v from 'valibot';
import { closeMenus } from '../host/window/contextMenu.ts';
import { LimnerView } from '../host/window/limnerView.ts';
import { StudioView } from '../host/window/studioView.ts';
import type { Workbench } from '../host/window/workbench.ts';
import { outsideBrackets, shippedTexts } from '../support/cli/translatedProgram.ts';
import { outFolder, projectFolder } from '../support/folders.ts';
import { story } from '../support/story.ts';
import { temporaryFolder } from '../support/temporaryFolder.ts';
import {
  type DemoServiceSession,
  injectFault,
  passTime,
  startDemoServiceSession,
} from '../ui/demoServiceSession.ts';
import { screenshotFailures } from '../ui/failureScreenshot.ts';
import { fillStore } from '../ui/filledStore.ts';
import { seededTask } from '../ui/seededTask.ts';
import { shownTexts } from '../ui/shownTexts.ts';

const language = 'xx';
const pictures = join(outFolder, 'screenshots');

/** Names, numbers, units, and words of the service, which are the same in every language. */
const terms =
  /\b(?:PNG|JPEG|WebP|SVG|ICO|MB|KB|px|cm|Ctrl(?:\+[A-Z])?|Del|F2|Shift|Alt|Enter|Esc|Escape|Demo Painter|Demo Sketch|demo-\S+|A\s+well|A\s+red\s+fox|a-red-fox\S*|images(?:\/\S+)?|No such colour|Limner|VS Code|MCP|JSON|URL|127\.0\.0\.1\S*|\d+K?)\b/gu;

/** Makes a text that is as long as the longest translation may be, and known again. */
const pseudo = (text: string): string => `⟦${text}${'~'.repeat(Math.ceil(0.4 * text.length))}⟧`;

const texts = v.record(
  v.string(),
  v.union([
    v.string(),
    v.pipe(
      v.object({ message: v.string() }),
      v.transform(({ message }) => message),
    ),
  ]),
);

function pseudoTexts(file: string): Record<string, string> {
  const english = v.parse(texts, JSON.parse(readFileSync(join(projectFolder, file), 'utf8')));
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]));
}

/** Returns what a text has that no translation made. */
function foreign(text: string): string {
  return outsideBrackets(text)
    .replaceAll(terms, '')
    .replaceAll(/[^\p{L}]+/gu, ' ')
    .trim();
}

async function flawsOf(place: Locator): Promise<string[]> {
  return (
    (await shownTexts(place))
      // A line of facts may end with an ellipsis.
      .filter(({ text, isCut }) => (isCut && !text.includes(' · ')) || foreign(text) !== '')
      .map(({ text, isCut }) => `${isCut ? 'cut' : 'untranslated'}: ${text}`)
  );
}

story('a window in a language that there is not', (part) => {
  const folder = temporaryFolder('pseudo');
  let all: DemoServiceSession;
  let workbench: Workbench;
  let limner: LimnerView;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    for (const name of ['package.json', 'package.nls.json', 'dist', 'media', 'skills']) {
      cpSync(join(projectFolder, name), join(folder.path, name), { recursive: true });
    }
    writeFileSync(
      join(folder.path, 'dist', `texts.${language}.json`),
      shippedTexts(pseudoTexts('l10n/bundle.l10n.json')),
    );
    writeFileSync(
      join(folder.path, `package.nls.${language}.json`),
      JSON.stringify(pseudoTexts('package.nls.json')),
    );
    all = await startDemoServiceSession({
      extension: folder.path,
      async prepare({ userData, workspace, service }) {
        const images = join(workspace, 'images');
        await mkdir(images);
        await fillStore(userData, [
          seededTask({ service, workspace, images }, 'A well', {
            status: 'unknown',
            error: {
              code: 'outcome_unknown',
              message:
                'Limner was closed before the service responded; the request may have reached the service.',
              billing: 'maybe',
            },
          }),
        ]);
      },
    });
    await all.workbench.page.close();
    workbench = await all.session.open(all.workspace, { language });
    limner = new LimnerView(workbench);
    await limner.show();
  });
  after(async () => {
    await all.dispose();
    folder.remove();
  });
  screenshotFailures(() => workbench);

  const run = async (command: string): Promise<void> => workbench.runCommand(`Limner: ${pseudo(command)}`);

  part('has no other words in the list, its tooltips, and its menu', async () => {
    const tooltip = await limner.tasks.hover('A well', '⟦');
    assert.equal(foreign(await tooltip.innerText()), '');
    await limner.tasks.openMenu('A well', pseudo('Copy Prompt'));
    const items = await workbench.page.locator('.monaco-menu').getByRole('menuitem').allInnerTexts();
    assert.deepEqual(items.map(foreign).filter(Boolean), []);
    await closeMenus(workbench.page);
  });

  part('has no other words in the palette', async () => {
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.fill('>Limner: ');
    await workbench.quickInput.options.nth(5).waitFor();
    const commands = await workbench.quickInput.options.allInnerTexts();
    // VS Code shows the English title below.
    assert.deepEqual(commands.map((text) => foreign(text.split('\n')[0] ?? '')).filter(Boolean), []);
    await workbench.page.keyboard.press('Escape');
  });

  part('has no other words in the prompt box', async () => {
    await run('Generate Image…');
    await workbench.quickInput.box.filter({ hasText: '⟦Describe the image' }).waitFor();
    await workbench.screenshot(join(pictures, 'pseudo-prompt.png'));
    const { box } = workbench.quickInput;
    const words = [
      // VS Code counts in its own language.
      (await box.innerText()).replace(/\d+ Results/u, ''),
      await workbench.quickInput.input.getAttribute('placeholder'),
      ...(await workbench.quickInput.buttons()),
    ];
    assert.deepEqual(words.map((text) => foreign(text ?? '')).filter(Boolean), []);
    await workbench.quickInput.answer(pseudo('Describe the image'), 'A red fox');
    await passTime(
      all.service,
      'the image',
      async () =>
        (await limner.tasks
          .description('A red fox')
          .filter({ hasText: /1 image/u })
          .count()) > 0,
    );
  });

  part('has no other words in what it reports', async () => {
    await injectFault(all.service, { kind: 'status', on: 'generations', status: 400 });
    await limner.tasks.chooseFromMenu('A red fox', pseudo('Run Again'));
    const toast = workbench.page
      .locator('.notification-toast')
      .filter({ hasText: '⟦The service rejected the request' });
    await toast.waitFor();
    await workbench.screenshot(join(pictures, 'pseudo-failure.png'));
    assert.equal(foreign((await toast.innerText()).replace(/Source: .*/u, '')), '');
  });

  part('has no other words in the studio, and none that are cut', async () => {
    await run('Open Studio');
    const studio = new StudioView(workbench);
    await studio.whenShown();
    await studio.main.getByRole('button', { name: pseudo('Generate Image') }).waitFor();
    for (const width of [1280, 800]) {
      await workbench.page.setViewportSize({ width, height: 800 });
      for (const tab of await studio.main.getByRole('tab').all()) {
        await tab.click();
        await workbench.screenshot(
          join(pictures, `pseudo-studio-${width}-${await tab.getAttribute('id')}.png`),
        );
        assert.deepEqual(await flawsOf(studio.main), []);
      }
    }
  });
});
