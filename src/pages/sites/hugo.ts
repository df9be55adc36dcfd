import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { listsOf, valuesOf } from './configText.ts';
import { type Framework, imagesIn, isAboutRepository, isProse } from './site.ts';

const types = ['toml', 'yaml', 'yml', 'json'];
const folders = ['', 'config/_default/'];
/** Also of sections and of translations: `index.md`, `_index.fr.md`. */
const bundle = /^_?index(?:\.[\w-]+)?$/iu;

/** Serves its static folder, and the images beside the page of a bundle. */
export const hugo: Framework = {
  files: folders.flatMap((folder) =>
    ['hugo', 'config'].flatMap((name) => types.map((type) => `${folder}${name}.${type}`)),
  ),
  read: async ({ folder, text, isFolder }) => {
    const site = folder.replace(/\/config\/_default$/u, '');
    const content = posix.join(site, valueIn(text, 'contentDir') ?? 'content');
    if (!(await isFolder(content))) {
      return undefined;
    }
    const named = listsOf(text.replaceAll('=', ':'), 'staticDir');
    const statics = (named.length > 0 ? named : [valueIn(text, 'staticDir') ?? 'static']).map((name) =>
      posix.join(site, name),
    );
    const [first = `${site}/static`] = statics;
    const theme = valueIn(text, 'theme');
    return async ({ path }) => {
      if (isAboutRepository(path) || !wayBelow(isProse(path) ? content : site, path)) {
        return undefined;
      }
      const here = posix.dirname(path);
      const { name } = posix.parse(path);
      return {
        served: statics.map((one) => ({ folder: one, at: '/' })),
        also: [
          ...(theme === undefined ? [] : [{ folder: `${site}/themes/${theme}/static`, at: '/' }]),
          { folder: `${site}/assets`, at: '/' },
          { folder: content, at: '/' },
        ],
        // Sections count from their address, which may be that of the static folder.
        bases: [here, `${here}/${name}`, posix.join(first, wayBelow(content, here) ?? ''), `${site}/assets`],
        images:
          isProse(path) && bundle.test(name) && here !== content ? here : await imagesIn(isFolder, first),
      };
    };
  },
};

/** Returns the value of a key in TOML, YAML, or JSON. */
function valueIn(text: string, key: string): string | undefined {
  const plain = new RegExp(String.raw`^[ \t]*${key}:[ \t]+([\w./-]+)[ \t]*$`, 'mu').exec(text)?.[1];
  return plain ?? valuesOf(text, key)[0];
}
