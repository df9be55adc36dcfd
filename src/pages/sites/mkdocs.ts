import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { asData, asList, asText, type Data, readData } from './configText.ts';
import { type Framework, imagesIn, isProse } from './site.ts';

/** Pages name images relative to their files; HTML in them relative to their addresses, one folder deeper. */
export const mkdocs: Framework = {
  // Beside its folder `en/`, a site may keep other languages, which are built with the same configuration.
  files: ['mkdocs.yml', 'mkdocs.yaml', 'en/mkdocs.yml'],
  read: async ({ folder, text, isFolder }) => {
    const data = await readData(text);
    const docsName = asText(data['docs_dir']) ?? 'docs';
    const docs = posix.join(folder, docsName);
    const isDeeper = data['use_directory_urls'] !== false;
    const fallback = fallbackFolder(data);
    const theme = asText(asData(data['theme'])['custom_dir']);
    return async ({ path, isMarkup }) => {
      if (theme !== undefined && wayBelow(posix.join(folder, theme), path)) {
        return { served: [{ folder: docs, at: '/' }], bases: [docs], images: await imagesIn(isFolder, docs) };
      }
      const own = ownDocs(docs, docsName, folder, path);
      if (own === undefined) {
        return undefined;
      }
      const here = posix.dirname(path);
      const name = posix.parse(path).name.toLowerCase();
      const isIndex = name === 'index' || name === 'readme';
      const beside =
        isMarkup && isDeeper && isProse(path) && !isIndex ? `${here}/${posix.parse(path).name}` : here;
      const shared = fallback === undefined ? docs : `${docs}/${fallback}`;
      const [first = ''] = (wayBelow(own, path) ?? '').split('/');
      const ownLanguage = fallback === undefined ? own : `${own}/${first}`;
      return {
        served: [],
        also: [...new Set([own, docs, shared])].map((one) => ({ folder: one, at: '/' })),
        bases: [beside, here, posix.join(shared, wayBelow(ownLanguage, beside) ?? '')],
        images: await imagesIn(isFolder, docs),
      };
    };
  },
};

/** Returns the folder with the documents of a page: that of the site, or that of another language beside it. */
function ownDocs(docs: string, docsName: string, folder: string, path: string): string | undefined {
  if (wayBelow(docs, path)) {
    return docs;
  }
  const [language = ''] = (wayBelow(posix.dirname(folder), path) ?? '').split('/');
  const other = posix.join(posix.dirname(folder), language, docsName);
  return /^[a-z]{2}(?:[-_]\w+)?$/iu.test(language) && wayBelow(other, path) ? other : undefined;
}

/** Returns the folder of the default language, whose images stand in for those of the others. */
function fallbackFolder(data: Data): string | undefined {
  const i18n = asList(data['plugins'])
    .map((plugin) => asData(asData(plugin)['i18n']))
    .find((options) => options['docs_structure'] === 'folder');
  const main = asList(i18n?.['languages'])
    .map(asData)
    .find((language) => language['default'] === true);
  return asText(main?.['locale']);
}
