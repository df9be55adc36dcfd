import { after, before, describe, it } from 'node:test';
import { StudioView } from '../../host/studioView.ts';
import { startDemoServiceSession } from '../demoServiceSession.ts';
import type { DemoServiceSession } from '../demoServiceSession.ts';
import { screenshotFailures } from '../failureScreenshot.ts';

void describe('the studio', () => {
  let all: DemoServiceSession;
  let studio: StudioView;

  before(async () => {
    all = await startDemoServiceSession();
    studio = new StudioView(all.workbench);
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  void it('opens from the palette, once', async () => {
    await studio.open();
    await studio.open();
  });
});
