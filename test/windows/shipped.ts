import { join } from 'node:path';
import type { DemoServiceOptions } from '../../src/demo/endpoints/options.ts';
import { World } from '../support/cli/limner.ts';
import { projectFolder } from '../support/folders.ts';

/** Opens a world with the `limner` that ships, made by `npm run build`. */
export async function openShipped(options: DemoServiceOptions = {}): Promise<World> {
  return World.open(options, join(projectFolder, 'dist/limner.js'));
}
