import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { asData, asText, readData } from './configText.ts';
import { firstFolder, type Framework, isAboutRepository } from './site.ts';

/** Serves its whole folder; so does Hexo, with a configuration of the same name. */
export const jekyll: Framework = {
  files: ['_config.yml', '_config.yaml'],
  read: async ({ folder, text, isFolder, isFile }) => {
    const data = await readData(text);
    // Jupyter Book has such a file, too, and relative addresses.
    if (await isFile(`${folder}/_toc.yml`)) {
      return undefined;
    }
    const source = posix
      .join(folder, asText(data['source_dir']) ?? asText(data['source']) ?? '.')
      .replace(/\/$/u, '');
    const base = posix.join('/', asText(data['baseurl']) ?? '', '/');
    const { imagesdir } = asData(asData(data['asciidoctor'])['attributes']);
    // A document may set it, too, where the value ends with this sign.
    const ofAsciiDoc = asText(imagesdir)?.replace(/@$/u, '');
    const images = await firstFolder(isFolder, [
      `${source}/assets/images`,
      `${source}/assets/img`,
      `${source}/images`,
      `${source}/img`,
    ]);
    return ({ path }) =>
      isAboutRepository(path) || !wayBelow(source, path)
        ? undefined
        : {
            served: [{ folder: source, at: base }],
            also: [{ folder: source, at: '/' }],
            ...(ofAsciiDoc !== undefined &&
              /\.(?:adoc|asciidoc)$/iu.test(path) && {
                bases: [posix.join(ofAsciiDoc.startsWith('/') ? source : posix.dirname(path), ofAsciiDoc)],
              }),
            images,
          };
  },
};
