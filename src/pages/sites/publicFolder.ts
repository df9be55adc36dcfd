import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { valuesOf, withoutScriptComments } from './configText.ts';
import { type Framework, imagesIn, isAboutRepository, isProse, scripts } from './site.ts';

/** Folders of a project whose prose is shown on its site, rather than only in the repository. */
const contents = /^(?:src|content|pages|app|posts|blog|data)\//u;

interface Tool {
  config: string;
  folder: string;
  /** Key of the configuration that names another folder. */
  key?: string;
  /** Whether relative addresses begin at the root of the site. */
  isFromRoot?: true;
  /** Whether it builds other things, too: only with this file or folder, it builds a site. */
  needs?: string;
}

const tools: readonly Tool[] = [
  { config: 'vite.config', folder: 'public', key: 'publicDir', needs: 'index.html' },
  { config: 'quasar.config', folder: 'public', isFromRoot: true },
  { config: 'next.config', folder: 'public' },
  { config: 'nuxt.config', folder: 'public' },
  { config: 'astro.config', folder: 'public', key: 'publicDir' },
  { config: 'svelte.config', folder: 'static', key: 'assets' },
  { config: 'gatsby-config', folder: 'static' },
];

/** Tools that serve one folder as it is. */
export const publicFolders: readonly Framework[] = tools.map(
  ({ config, folder, key, isFromRoot, needs }) => ({
    files: scripts(config),
    read: async ({ folder: project, text, isFolder, isFile }) => {
      const code = withoutScriptComments(text);
      const [named = folder] = key === undefined ? [] : valuesOf(code, key);
      const [root = '.'] = key === 'publicDir' ? valuesOf(code, 'root') : [];
      const served = posix.join(project, root, named).replace(/\/$/u, '');
      if (
        needs !== undefined &&
        !(await isFolder(served)) &&
        !(await isFile(posix.join(project, root, needs)))
      ) {
        return undefined;
      }
      return async ({ path }) => {
        const way = wayBelow(project, path) ?? '';
        return way === '' || isAboutRepository(path) || (isProse(path) && !contents.test(way))
          ? undefined
          : {
              served: [{ folder: served, at: '/' }],
              ...(isFromRoot && { isFromRoot }),
              images: await imagesIn(isFolder, served),
            };
      };
    },
  }),
);
