import module from 'node:module';
import { compileCacheFolder } from './compileCache.ts';

// Older versions have none; the program says that they are too old.
if ('enableCompileCache' in module) {
  module.enableCompileCache(compileCacheFolder(process.env, process.platform));
}
void import('./program.ts');
