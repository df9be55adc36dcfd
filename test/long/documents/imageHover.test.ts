import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { attempt, clickSurely } from '../../host/window/pointer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { eventually } from '../../support/eventually.ts';
import { story } from '../../support/story.ts';
import { passTime, startDemoServiceSession, type DemoServiceSession } from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';
import { pictures } from '../../ui/pictures.ts';

story('the image that a page names under the pointer', (part) => {
  let all: DemoServiceSession;

  before(async () => {
    await mkdir(pictures, { recursive: true });
    all = await startDemoServiceSession({
      async prepare({ workspace }) {
        const page = '<h1>Birds</h1>\n\n<img src="images/a-grey-heron.png" alt="A heron">\n';
        await writeFile(join(workspace, 'birds.html'), page);
      },
    });
    const { limner, service, workbench } = all;
    await limner.generate('A grey heron');
    await passTime(service, 'the heron', async () => limner.tasks.says('A grey heron', '1 image'));
    await workbench.openFile('birds.html');
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  /** Rests on the image's address. */
  const point = async (): Promise<void> => {
    const { page } = all.workbench;
    await page.mouse.move(5, 5);
    await page.locator('.view-line span').filter({ hasText: 'a-grey-heron.png' }).last().hover();
    await page.locator('.monaco-hover').getByText('256 × 256 · A grey heron').waitFor(attempt);
  };

  const press = async (action: string): Promise<void> =>
    clickSurely(all.workbench.page.locator('.monaco-hover').getByText(action, { exact: true }), point);

  part('can be edited from there', async () => {
    const { workbench } = all;
    // Nothing is known about the page until it was read.
    await eventually(
      'the hover',
      async () =>
        point().then(
          () => true,
          () => false,
        ),
      Boolean,
    );
    await workbench.page.locator('.monaco-hover').getByText('Open Studio', { exact: true }).waitFor();
    await workbench.page.screenshot({
      path: join(pictures, 'hover.png'),
      animations: 'disabled',
      caret: 'hide',
    });
    await press('Edit…');
    await workbench.quickInput.box.filter({ hasText: 'Edit a-grey-heron.png' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  part('is opened in the studio from there', async () => {
    const { workbench } = all;
    await press('Open Studio');
    const studio = new StudioView(workbench);
    await studio.main.getByText('a-grey-heron.png').first().waitFor();
  });
});
