import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { pathOfUri } from '../../../../src/common/fileUris.ts';
import type { Task, TaskRequest } from '../../../../src/engine/task/task.ts';
import { json, picture, type Reply } from '../../../support/service/loopbackService.ts';
import { noLinkRights } from '../../../support/links.ts';
import { fastClock, World } from '../../../support/engine/world.ts';

/** One piece of a PNG; nothing here looks at its checksum. */
function chunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  return Buffer.concat([length, Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
}

function png(width: number, height: number, ...chunks: Buffer[]): Buffer {
  const header = Buffer.alloc(13, 8);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), chunk('IHDR', header), ...chunks]);
}

/** The head of an extended WebP of 5 × 4 pixels that is animated. */
function animatedWebp(): Buffer {
  const extended = Buffer.from('56503858 0a000000 02000000 040000 030000'.replaceAll(' ', ''), 'hex');
  const size = Buffer.alloc(4);
  size.writeUInt32LE(extended.length + 4);
  return Buffer.concat([Buffer.from('RIFF'), size, Buffer.from('WEBP'), extended, Buffer.from('ANIM')]);
}

const jpeg = Buffer.from('ffd8ffe000104a46494600010100000100010000ffc0000b080004000501011100ffd9', 'hex');
const page = '<script>alert(document.domain)</script>';

/** What is none of the three formats, whatever its name and headers say. */
const foreign: Record<string, Buffer> = {
  'an SVG': Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${page}</svg>`),
  'a page': Buffer.from(`<!doctype html>${page}`),
  'a GIF': Buffer.from('GIF89a\x01\0\x01\0\x80\0\0'),
  'half a signature': Buffer.from('89504e470d0a1a', 'hex'),
  'a signature behind something else': Buffer.concat([Buffer.from('\n'), picture()]),
};

/** What is one of the three, odd as it may be: kept as it is. */
const odd: Record<string, { bytes: Buffer; extension: string; size: [number, number] }> = {
  'trailing data': {
    bytes: Buffer.concat([picture(), Buffer.from(`PK\x03\x04 ${page}`)]),
    extension: '.png',
    size: [3, 2],
  },
  'more pixels than are ever decoded': {
    bytes: png(60_000, 60_000, chunk('IDAT')),
    extension: '.png',
    size: [60_000, 60_000],
  },
  'an animated PNG': {
    bytes: png(7, 6, chunk('acTL', Buffer.from('0000000200000000', 'hex')), chunk('IDAT')),
    extension: '.png',
    size: [7, 6],
  },
  'an animated WebP': { bytes: animatedWebp(), extension: '.webp', size: [5, 4] },
  'a JPEG that is called PNG': { bytes: jpeg, extension: '.jpg', size: [5, 4] },
};

describe('images of others', () => {
  let world: World;

  beforeEach(async () => {
    world = await World.create();
  });
  afterEach(() => world.dispose());

  /** Lets the service deliver bytes that it calls a PNG, by URL or inline. */
  async function run(bytes: Buffer, changes: Partial<TaskRequest> = {}): Promise<Task> {
    const asPng: Reply = (_request, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length });
      response.end(bytes);
    };
    world.service.delivers(picture()).on('GET /api/async-images/0.png', asPng);
    if (changes.callStyle === 'sync') {
      world.service.on(
        'POST /v1/images/generations',
        json(200, { data: [{ b64_json: bytes.toString('base64') }] }),
      );
    }
    const engine = await world.open({ clock: fastClock(2000) });
    const { id } = await engine.runner.start(world.request(changes));
    return engine.runner.outcome(id);
  }

  for (const callStyle of ['async', 'sync'] as const) {
    for (const [what, bytes] of Object.entries(foreign)) {
      it(`do not come into the workspace when they are none: ${what}, ${callStyle}`, async () => {
        const task = await run(bytes, { callStyle });
        assert.equal(task.results[0]?.error?.code, 'unsupported_image');
        assert.deepEqual(await readdir(world.workspace, { recursive: true }), ['images']);
        const [kept = '', ...others] = await readdir(join(world.home, 'inbox'));
        assert.deepEqual(others, []);
        const extension = /SVG|GIF/u.exec(what)?.[0].toLowerCase() ?? 'bin';
        assert.match(kept, new RegExp(`^\\w+-1\\.${extension}$`, 'u'));
        assert.deepEqual(await readFile(join(world.home, 'inbox', kept)), bytes);
      });
    }

    for (const [what, { bytes, extension, size }] of Object.entries(odd)) {
      it(`are kept byte for byte, named by what they are: ${what}, ${callStyle}`, async () => {
        const task = await run(bytes, { callStyle });
        assert.equal(task.status, 'completed');
        assert.deepEqual(await readdir(join(world.workspace, 'images')), [`a-red-fox${extension}`]);
        const [{ uri = '', width, height } = {}] = task.results;
        assert.deepEqual(await readFile(pathOfUri(uri)), bytes);
        assert.deepEqual([width, height], size);
      });
    }
  }

  it(
    'do not leave the workspace by a link that appears while they are made',
    { skip: noLinkRights },
    async () => {
      const outside = join(world.home, '..', 'outside');
      await mkdir(outside);
      await mkdir(join(world.workspace, 'deep'));
      const engine = await world.open({ clock: fastClock(2000) });
      const { target } = world.request();
      for (const [folder, path] of [
        ['images', 'images'],
        ['deep/images', 'deep/images'],
      ] as const) {
        let swapped = false;
        world.service.delivers(picture());
        world.service.on('GET /api/async-images/0.png', async (_request, response) => {
          if (!swapped) {
            swapped = true;
            await rm(join(world.workspace, path), { recursive: true });
            await symlink(outside, join(world.workspace, path));
          }
          response.end(picture());
        });
        const { id } = await engine.runner.start(
          world.request({ target: { ...target, folder: `${target.root}/${folder}` } }),
        );
        const task = await engine.runner.outcome(id);
        assert.equal(task.results[0]?.error?.code, 'save_failed', folder);
      }
      assert.deepEqual(await readdir(outside), []);
    },
  );
});
