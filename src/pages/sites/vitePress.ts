import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { valuesOf, withoutScriptComments } from './configText.ts';
import { type Framework, imagesIn, isAboutRepository, isProse, scripts } from './site.ts';

/** Its public folder is in the folder of its pages, and it puts its base before their addresses itself. */
export const vitePress: Framework = {
  files: scripts('.vitepress/config', '.vitepress/config/index'),
  read: async ({ folder, text, isFolder }) => {
    const site = folder.slice(0, folder.lastIndexOf('/.vitepress'));
    const code = withoutScriptComments(text);
    const pages = posix.join(site, valuesOf(code, 'srcDir')[0] ?? '.');
    const [base = '/'] = valuesOf(code, 'base');
    const shared = `${pages}/public`;
    return async ({ path }) =>
      isAboutRepository(path) || !wayBelow(isProse(path) ? pages : site, path)
        ? undefined
        : {
            served: [{ folder: shared, at: '/' }],
            also: [
              { folder: shared, at: base.endsWith('/') ? base : `${base}/` },
              { folder: pages, at: '/' },
            ],
            images: await imagesIn(isFolder, shared),
          };
  },
};
