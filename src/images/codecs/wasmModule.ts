import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';

/**
 * Compiles a codec's WebAssembly: the file lies beside the bundle, or still in its package when this runs from
 * source.
 * @param path inside `@jsquash`, `webp/codec/dec/webp_dec.wasm` for one
 */
export async function loadWasm(path: string): Promise<WebAssembly.Module> {
  const shipped = new URL(`./${basename(path)}`, import.meta.url);
  const file = existsSync(shipped) ? shipped : createRequire(import.meta.url).resolve(`@jsquash/${path}`);
  return WebAssembly.compile(await readFile(file));
}
