import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

const page = 'skills/limner-images/SKILL.md';

/** Returns the page for agents, which ships beside the bundles. */
export async function skillPage(): Promise<string> {
  const shipped = new URL(`../${page}`, import.meta.url);
  const file = existsSync(shipped) ? shipped : new URL(`../../../${page}`, import.meta.url);
  return readFile(file, 'utf8');
}
