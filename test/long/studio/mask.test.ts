import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { after, before } from 'node:test';
import type { Locator } from 'playwright-core';
import { decodeImage, encodeImage } from '../../../src/images/codecs/codecSet.ts';
import { story } from '../../support/story.ts';
import { accessibilityProblems } from '../../host/window/axe.ts';
import { eventually } from '../../support/eventually.ts';
import { draw } from '../../host/window/pointer.ts';
import { StudioComposer } from '../../host/window/studioComposer.ts';
import { StudioView } from '../../host/window/studioView.ts';
import { withOldChecksums } from '../../support/images/oldMaskFile.ts';
import {
  startDemoServiceSession,
  submissionsTo,
  taskDuration,
  type DemoServiceSession,
} from '../../ui/demoServiceSession.ts';
import { screenshotFailures } from '../../ui/failureScreenshot.ts';

const width = 400;
const height = 300;
const white = [255, 255, 255, 255];
const black = [0, 0, 0, 255];

interface Place {
  x: number;
  y: number;
}

/** A color that the demo service does not use. */
const plain = [255, 0, 255] as const;

story('the mask of the studio', (part) => {
  let all: DemoServiceSession;
  let studio: StudioView;
  let composer: StudioComposer;

  before(async () => {
    all = await startDemoServiceSession();
    const rgba = new Uint8Array(4 * width * height).map((_, index) => plain[index % 4] ?? 255);
    await writeFile(
      join(all.workspace, 'card.png'),
      await encodeImage({ width, height, rgba }, { format: 'png' }),
    );
    studio = new StudioView(all.workbench);
    composer = new StudioComposer(studio);
    await all.workbench.explorer.show();
    await all.workbench.explorer.chooseFromMenu('card.png', 'Open in Limner Studio');
    await studio.whenShown();
    await all.limner.show();
    await showMask();
  });
  after(() => all.dispose());
  screenshotFailures(() => all?.workbench);

  const surface = (): Locator => studio.frame.getByRole('application', { name: 'Mask of card.png' });
  const showMask = async (): Promise<void> => {
    await studio.frame.getByRole('tab', { name: 'Mask' }).click();
    await surface().waitFor();
  };
  const spoken = (text: string): Promise<void> =>
    studio.frame.locator('.mask-editor .only-spoken').filter({ hasText: text }).waitFor();
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) {
      await all.workbench.page.keyboard.press(key);
    }
  };

  /** Sends an edit, and waits for its image. @returns the places that differ from the original */
  async function edited(prompt: string, file: string): Promise<Place[]> {
    const { limner, service, workspace } = all;
    await composer.prompt.fill(prompt);
    await composer.button('Edit Masked Area').click();
    await limner.whenProgress(prompt, 10);
    await service.advance(2 * taskDuration);
    await limner.whenSaved(prompt);
    const picture = await decodeImage(await readFile(join(workspace, file)));
    assert.deepEqual([picture.width, picture.height], [width, height]);
    return changedPlaces(picture.rgba);
  }

  /** Waits until the mask is visible at a place of the image, or is not. */
  async function whenSeen(x: number, y: number, isSeen: boolean): Promise<void> {
    const seenNow = async (): Promise<boolean> =>
      surface().evaluate(
        (frame, { x, y }) => {
          const [image, canvas] = [frame.querySelector('img'), frame.querySelector('canvas')];
          if (!image || !canvas) {
            throw new Error('The picture is gone.');
          }
          const [picture, overlay] = [image.getBoundingClientRect(), canvas.getBoundingClientRect()];
          const density = canvas.width / overlay.width;
          const left = density * (picture.left - overlay.left + (x * picture.width) / image.offsetWidth);
          const top = density * (picture.top - overlay.top + (y * picture.height) / image.offsetHeight);
          const pixel = canvas.getContext('2d')?.getImageData(left, top, 1, 1);
          return (pixel?.data[3] ?? 0) > 0;
        },
        { x, y },
      );
    await eventually(`the mask at ${x}, ${y}`, seenNow, (seen) => seen === isSeen);
  }

  /** Returns the paths of the masks that Limner keeps, for the draft or for tasks. */
  async function keptMasks(folder: 'masks' | 'inputs'): Promise<string[]> {
    const { userDataFolder } = all.session;
    const files = await readdir(userDataFolder, { recursive: true });
    const found = files.filter((file) => file.endsWith('mask.png') && file.split(sep).includes(folder));
    assert.ok(found.length > 0);
    return found.map((file) => join(userDataFolder, file));
  }

  const load = async (file: string): Promise<void> => {
    await studio.frame.getByRole('button', { name: 'Load Mask from File…' }).click();
    await all.workbench.quickInput.pick(file);
  };

  /** Restores a task from the history, replacing what is painted. */
  const restore = async (prompt: string): Promise<void> => {
    await studio.frame.getByRole('tab', { name: 'History' }).click();
    await studio.frame.locator('.history-row').filter({ hasText: prompt }).dblclick();
    await all.workbench.pressInDialog('The studio contains a mask', 'Start Over');
    await studio.frame.getByRole('button', { name: 'Back to All Results' }).waitFor();
    await showMask();
  };

  /** Drags the mouse over these places of the image. */
  async function drag(...places: [x: number, y: number][]): Promise<void> {
    const [first, ...others] = places.map(([x, y]) => ({
      of: surface().locator('img'),
      part: { x: x / width, y: y / height },
    }));
    assert.ok(first);
    await draw(all.workbench.page, first, ...others);
  }

  part('is painted by the mouse, undone and redone', async () => {
    await drag([40, 40], [120, 60]);
    await whenSeen(80, 50, true);
    await studio.frame.getByText(/^\d+% marked$/).waitFor();
    await press('Control+z');
    await whenSeen(80, 50, false);
    await studio.frame.getByText('Nothing marked').waitFor();
    await press('Control+Shift+z');
    await whenSeen(80, 50, true);
    await studio.frame.getByRole('tab', { name: 'Results' }).click();
    // Empty, and focused as a tile would be.
    await studio.frame.locator('.results-empty').focus();
    await press('Control+z');
    await whenSeen(80, 50, false);
    await studio.main.locator('[role=tab]:focus').filter({ hasText: 'Mask' }).waitFor();
    await press('Control+Shift+z');
    await whenSeen(80, 50, true);
    await studio.frame.getByRole('button', { name: 'Undo' }).click();
    await whenSeen(80, 50, false);
    await composer.button('Edit Image').waitFor();
  });

  part('is taken away with Alt or the right button, while the keys stay here', async () => {
    const { keyboard, mouse } = all.workbench.page;
    await surface().focus();
    await press('Control+Shift+z');
    await whenSeen(80, 50, true);
    await keyboard.down('Alt');
    await drag([60, 40], [100, 60]);
    await keyboard.up('Alt');
    await whenSeen(80, 50, false);
    await press('e');
    await studio.frame.getByRole('button', { name: 'Eraser', pressed: true }).waitFor();
    await press('b', 'Control+z');
    await whenSeen(80, 50, true);
    await surface()
      .locator('img')
      .hover({ position: { x: 80, y: 50 }, force: true });
    await mouse.down({ button: 'right' });
    await mouse.up({ button: 'right' });
    await whenSeen(80, 50, false);
    await press('Control+z', 'Control+z');
    await studio.frame.getByText('Nothing marked').waitFor();
  });

  part('chooses the size at which everything outside is kept, and says so at every other', async () => {
    await surface().focus();
    await press('Control+Shift+z');
    await whenSeen(80, 50, true);
    assert.equal(await composer.size('Same as Input').isChecked(), true);
    await composer.size('1024×1024').check();
    await composer.region.getByText("Everything outside the mask can't be kept at 1024 × 1024.").waitFor();
    await composer.button('Use 400 × 300').click();
    await composer.button('Use 400 × 300').waitFor({ state: 'detached' });
    assert.equal(await composer.size('Same as Input').isChecked(), true);
  });

  part('is undone together with everything else that is done', async () => {
    await composer.button('Remove card.png').click();
    await composer.button('Add Images…').and(studio.frame.locator(':focus')).waitFor();
    await studio.frame.getByText('Removed card.png').waitFor({ state: 'attached' });
    await press('Control+z');
    await studio.frame.getByText('Undone: removed card.png').waitFor({ state: 'attached' });
    await whenSeen(80, 50, true);
    await press('Control+z');
    await composer.size('1024×1024').and(studio.frame.locator(':checked')).waitFor({ state: 'attached' });
    await press('Control+z');
    await whenSeen(80, 50, false);
    await composer.size('Auto').check();
  });

  part('is painted by the keyboard alone, and sent as it was painted', async () => {
    await surface().focus();
    await press('r', 'ArrowLeft', 'Enter');
    await spoken('Drawing started');
    await press(
      'ArrowRight',
      'ArrowRight',
      'ArrowRight',
      'ArrowDown',
      'Shift+ArrowDown',
      'Alt+ArrowDown',
      'Enter',
    );
    await spoken('Drawing stopped');
    await press('i', 'Control+z');
    await studio.frame.getByLabel('Keep everything outside the mask').uncheck();
    const changed = await edited('a door', 'card-edited.png');
    assert.equal(changed.filter(isInside).length, 30 * 61);
    assert.equal(changed.filter((place) => !isInside(place)).length, 0);
  });

  part('leaves everything outside as it was, as a comparison says', async () => {
    await studio.frame.getByRole('button', { name: 'Image of "a door"' }).click();
    await studio.frame.getByRole('button', { name: 'Compare' }).click();
    await studio.frame.getByRole('button', { name: 'Difference' }).click();
    await studio.frame.getByText('Outside the mask: nothing changed.').waitFor();
    await studio.frame.getByRole('button', { name: 'Back to All Results' }).click();
    await showMask();
  });

  part('takes its first key as soon as it is there', async () => {
    const scale = studio.frame.locator('.mask-editor .scale');
    await studio.frame.getByRole('tab', { name: 'Results' }).click();
    await surface().waitFor({ state: 'detached' });
    await studio.frame.locator('body').evaluate((body) => {
      const end = performance.now() + 60_000;
      const press = (): void => {
        const plus = new KeyboardEvent('keydown', { key: '+', bubbles: true });
        body.querySelector('.mask-surface')?.dispatchEvent(plus);
        setTimeout(() => {
          const scale = body.querySelector('.mask-editor .scale')?.textContent;
          if (performance.now() < end && (scale === undefined || scale === '100%')) {
            press();
          }
        });
      };
      press();
    });
    await showMask();
    await scale.filter({ hasText: '125%' }).waitFor();
    await surface().focus();
    await press('0');
    await scale.filter({ hasText: '100%' }).waitFor();
  });

  part('lies in its frame as it was left', async () => {
    const scale = studio.frame.locator('.mask-editor .scale');
    await showMask();
    await scale.filter({ hasText: '100%' }).waitFor();
    await surface().focus();
    await press('+');
    await scale.filter({ hasText: '125%' }).waitFor();
    await studio.frame.getByRole('tab', { name: 'Results' }).click();
    await surface().waitFor({ state: 'detached' });
    await showMask();
    await scale.filter({ hasText: '125%' }).waitFor();
    await surface().focus();
    await press('0');
    await scale.filter({ hasText: '100%' }).waitFor();
  });

  part('has no problem of accessibility, with its list of keys', async () => {
    await surface().focus();
    await press('?');
    const list = studio.frame.getByRole('dialog', { name: 'Keyboard Shortcuts' });
    await list.getByText('Cancel the current drawing').waitFor();
    await list.locator(':focus').waitFor();
    assert.deepEqual(await accessibilityProblems(studio.frame.locator('body')), []);
    await press('Escape');
    await list.waitFor({ state: 'detached' });
    await surface().and(studio.frame.locator(':focus')).waitFor();
  });

  part('is still there after a reload, with its history', async () => {
    await all.workbench.reload();
    await studio.whenShown();
    await showMask();
    await whenSeen(200, 200, true);
    await whenSeen(80, 50, false);
    await surface().focus();
    await press('Control+z');
    await whenSeen(200, 200, false);
    await press('Control+y');
    await whenSeen(200, 200, true);
  });

  part('is loaded from a file that is white where the image is to change', async () => {
    const rgba = Uint8Array.from(allPlaces().flatMap(({ x }) => (x < 90 ? white : black)));
    const stencil = await encodeImage({ width, height, rgba }, { format: 'png' });
    await writeFile(join(all.workspace, 'stencil.png'), stencil);
    await load('stencil.png');
    await whenSeen(60, 40, true);
    await whenSeen(200, 200, false);
    await surface().focus();
    await press('Control+z');
    await whenSeen(60, 40, false);
    await whenSeen(200, 200, true);
  });

  part('is not loaded from a damaged file, which is said, and stays as it is', async () => {
    await writeFile(
      join(all.workspace, 'torn.png'),
      (await readFile(join(all.workspace, 'stencil.png'))).subarray(0, 200),
    );
    await load('torn.png');
    const problem = studio.frame
      .getByRole('alert')
      .filter({ hasText: "torn.png is damaged: it's truncated" });
    await problem.waitFor();
    await problem.getByRole('button', { name: 'Dismiss' }).click();
    await whenSeen(200, 200, true);
    await whenSeen(60, 40, false);
  });

  part('is loaded from a file that an earlier version saved with wrong checksums', async () => {
    const stencil = await readFile(join(all.workspace, 'stencil.png'));
    await writeFile(join(all.workspace, 'old.png'), withOldChecksums(stencil));
    await load('old.png');
    await spoken('Mask loaded');
    await whenSeen(60, 40, true);
    await whenSeen(200, 200, false);
  });

  part('is shown in a draft whose mask file has wrong checksums', async () => {
    await rewrite(await keptMasks('masks'), withOldChecksums);
    await all.workbench.reload();
    await studio.whenShown();
    await showMask();
    await whenSeen(60, 40, true);
  });

  part(
    'goes on where a loaded mask cannot be read any more, and says so before anything is sent',
    async () => {
      const lost = 'The loaded mask can no longer be read';
      await rewrite(await keptMasks('masks'), (bytes) => bytes.subarray(0, 100));
      await all.workbench.reload();
      await studio.whenShown();
      const before = await submissionsTo(all.service);
      await composer.prompt.fill('a gate');
      await composer.button('Edit Masked Area').click();
      await composer.problem.filter({ hasText: lost }).waitFor();
      assert.equal(await submissionsTo(all.service), before);
      await showMask();
      await studio.frame.locator('#mask-hint').filter({ hasText: lost }).waitFor();
      await drag([300, 100], [340, 100]);
      await whenSeen(320, 100, true);
      await all.workbench.reload();
      await studio.whenShown();
      await showMask();
      await whenSeen(320, 100, true);
      await whenSeen(60, 40, false);
      await surface().focus();
      await press('Control+z', 'Control+z');
      await whenSeen(320, 100, false);
      await whenSeen(200, 200, true);
      await studio.frame.locator('#mask-hint').filter({ hasText: 'Paint over' }).waitFor();
    },
  );

  part('protects every pixel outside of it from a service that goes beyond it', async () => {
    await all.limner.show();
    await showMask();
    await studio.frame.getByLabel('Keep everything outside the mask').check();
    const changed = await edited('a wall demo:loose', 'card-edited-2.png');
    assert.equal(changed.filter((place) => !isInside(place)).length, 0);
    assert.ok(changed.length > 1000, String(changed.length));
  });

  part('comes back with a task from the history, also when it was stored with wrong checksums', async () => {
    await rewrite(await keptMasks('inputs'), withOldChecksums);
    await showMask();
    await surface().focus();
    await press('Delete', 'f');
    await restore('a wall');
    await whenSeen(200, 200, true);
    await whenSeen(60, 40, false);
  });

  part('is left out, which is said, when it cannot be read any more', async () => {
    await rewrite(await keptMasks('inputs'), (bytes) => bytes.subarray(0, 100));
    await restore('a wall');
    await all.workbench.notifications.dismiss('Restored without the mask');
    await whenSeen(200, 200, false);
  });
});

/** Changes files on disk, behind Limner's back. */
async function rewrite(paths: readonly string[], change: (bytes: Buffer) => Buffer): Promise<void> {
  for (const path of paths) {
    await writeFile(path, change(await readFile(path)));
  }
}

/** The rectangle that is painted. */
function isInside({ x, y }: Place): boolean {
  return x >= 190 && x < 220 && y >= 150 && y < 211;
}

function allPlaces(): Place[] {
  return Array.from({ length: width * height }, (_, index) => ({
    x: index % width,
    y: Math.floor(index / width),
  }));
}

function changedPlaces(rgba: Uint8Array): Place[] {
  return allPlaces().filter(({ x, y }) =>
    plain.some((value, channel) => rgba[4 * (y * width + x) + channel] !== value),
  );
}
