import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../test/host/fetch/chromium.ts';
import { projectFolder } from '../../test/support/folders.ts';
import { wavesPng } from '../wavesPng.ts';
import { page as studioPage, side } from './page.ts';

/** A brush, and how long the frames took in which it moved, in milliseconds. */
export interface BrushFrames {
  brush: string;
  frames: number[];
}

/** Diameter of the brush in pixels of the image, and how hard its edge is, in percent. */
const brushes = [
  { size: 40, hardness: 100 },
  { size: 340, hardness: 80 },
  { size: 1000, hardness: 0 },
];
const strokes = 6;
/** Moves of the mouse in a stroke. */
const moves = 60;

/**
 * Paints on a large image in the studio's own page, by a mouse. The browser draws frames as fast as it can, so that the
 * time from one frame to the next is what all of it takes: the stroke, the overlay, and putting both on the screen.
 */
export async function measureBrushes(): Promise<BrushFrames[]> {
  const server = await serve();
  const browser = await launchChromium(['--disable-frame-rate-limit', '--disable-gpu-vsync']);
  try {
    const { port } = server.address() as AddressInfo;
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`http://127.0.0.1:${port}/`);
    await page
      .getByRole('application')
      .locator('img')
      .evaluate((image: HTMLImageElement) => image.decode());
    const measured: BrushFrames[] = [];
    for (const { size, hardness } of brushes) {
      await setSlider(page, 'Size', (100 * Math.log(size)) / Math.log(2000));
      await setSlider(page, 'Hardness', hardness);
      const brush = await page.locator('.brush-options').innerText();
      // The first stroke only warms up.
      await paint(page, 1);
      const frames = await framesDuring(page, () => paint(page, strokes));
      const [, shownSize = '', , shownHardness = ''] = brush.split(/\s*\n\s*/);
      measured.push({ brush: `${shownSize}, hardness ${shownHardness}`, frames });
    }
    return measured;
  } finally {
    await browser.close();
    server.close();
  }
}

async function setSlider(page: Page, label: string, value: number): Promise<void> {
  await page.getByRole('slider', { name: label }).fill(String(Math.round(value)));
}

async function paint(page: Page, times: number): Promise<void> {
  const box = await page.getByRole('application').boundingBox();
  if (!box) {
    throw new Error('The mask is not on the screen.');
  }
  const radius = 0.4 * Math.min(box.width, box.height);
  const place = (angle: number): [number, number] => [
    box.x + box.width / 2 + radius * Math.cos(angle),
    box.y + box.height / 2 + radius * Math.sin(1.3 * angle),
  ];
  for (let stroke = 0; stroke < times; stroke++) {
    await page.mouse.move(...place(stroke));
    await page.mouse.down();
    for (let move = 1; move <= moves; move++) {
      await page.mouse.move(...place(stroke + move / 10));
    }
    await page.mouse.up();
  }
}

/**
 * How long each frame took in which the mouse moved: from the event to the beginning of the next frame, which waits
 * until this one is drawn and handed over.
 */
async function framesDuring(page: Page, work: () => Promise<void>): Promise<number[]> {
  const recording = await page.evaluateHandle(() => {
    const state = { frames: [] as number[], isOver: false };
    let began: number | undefined;
    let isDrawn = false;
    window.addEventListener('pointermove', () => (began ??= performance.now()), true);
    // Something to draw in every frame, so that one comes right after the other.
    const spot = document.body.appendChild(document.createElement('div'));
    spot.style.cssText = 'position: fixed; inset: 0 auto auto 0; width: 1px; height: 1px';
    const next = (): void => {
      spot.style.background = spot.style.background === 'red' ? 'blue' : 'red';
      if (began !== undefined && isDrawn) {
        state.frames.push(performance.now() - began);
        began = undefined;
      }
      isDrawn = began !== undefined;
      if (!state.isOver) {
        requestAnimationFrame(next);
      }
    };
    requestAnimationFrame(next);
    return state;
  });
  await work();
  return recording.evaluate((state) => {
    state.isOver = true;
    return state.frames;
  });
}

async function serve(): Promise<Server> {
  const image = await wavesPng(side);
  const server = createServer((request, response) => void answer(request.url ?? '/', response));
  const answer = async (path: string, response: ServerResponse): Promise<void> => {
    const file = path === '/' ? undefined : join(projectFolder, 'dist', path);
    response.setHeader('content-type', types[extname(path)] ?? 'text/html');
    if (path === '/image.png') {
      response.end(image);
    } else {
      response.end(file === undefined ? studioPage : await readFile(file).catch(() => ''));
    }
  };
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return server;
}

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.ttf': 'font/ttf',
  '.png': 'image/png',
};
