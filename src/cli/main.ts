// Room: the start of `limner`: compiled code of earlier runs, then the program.
// Never: what it does.

import module from 'node:module';
import { compileCacheFolder } from './compileCache.ts';

// Older versions have none; the program says that they are too old.
if ('enableCompileCache' in module) {
  module.enableCompileCache(compileCacheFolder(process.env, process.platform));
}
void import('./program.ts');
