import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { listsOf, valuesOf, withoutScriptComments } from './configText.ts';
import { type Framework, imagesIn, isProse, scripts } from './site.ts';

const names = scripts('docusaurus.config');
/** Folders of the site that hold pages. */
const contents = ['docs', 'blog', 'src', 'versioned_docs', 'i18n'];

/** Prose names static files without the base of the site, HTML with it. */
export const docusaurus: Framework = {
  // The site is often in a folder beside its documents.
  files: [...names, ...names.map((name) => `website/${name}`)],
  read: async ({ folder, text, isFolder }) => {
    const code = withoutScriptComments(text);
    const base = valuesOf(code, 'baseUrl').find((value) => value.startsWith('/')) ?? '/';
    const found = listsOf(code, 'staticDirectories');
    const folders = (found.length === 0 ? ['static'] : found).map((name) => posix.join(folder, name));
    const [first = posix.join(folder, 'static')] = folders;
    const paths = valuesOf(code, 'path').filter((path) => !path.startsWith('/'));
    const prose = [...folders, ...[...contents, ...paths].map((name) => posix.join(folder, name))];
    return async ({ path, isMarkup }) => {
      const isOfSite = prose.some((one) => wayBelow(one, path)) || (!isProse(path) && wayBelow(folder, path));
      if (!isOfSite) {
        return undefined;
      }
      const plain = folders.map((one) => ({ folder: one, at: '/' }));
      const based = folders.map((one) => ({ folder: one, at: base.endsWith('/') ? base : `${base}/` }));
      return {
        served: isMarkup ? based : plain,
        also: isMarkup ? plain : based,
        images: await imagesIn(isFolder, first),
      };
    };
  },
};
