import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { stringsIn, valuesOf, withoutScriptComments } from './configText.ts';
import { type Framework, imagesIn, isAboutRepository, type Served, scripts } from './site.ts';

const copies = /addPassthroughCopy\s*\(\s*(\{[^{}]{0,4000}\}|[^(){}]{0,400})/gu;
const pairs =
  /(?:"([^"\n]{1,300})"|'([^'\n]{1,300})'|([\w$]{1,100}))\s*:\s*(?:"([^"\n]{0,300})"|'([^'\n]{0,300})')/gu;
const inputs = /setInputDirectory\s*\(\s*(?:"([^"\n]{1,300})"|'([^'\n]{1,300})')/u;
const imagesName = /(?:^|\/)(?:images?|imgs?|assets|media|photos|pictures|static|public)$/iu;
const imagesOnly = /(?:^|\/)(?:images?|imgs?|photos|pictures)$/iu;

/** Copies folders to the site, at the paths that they have below the folder of its pages. */
export const eleventy: Framework = {
  files: ['.eleventy.js', '.eleventy.cjs', '.eleventy.mjs', ...scripts('eleventy.config')],
  read: async ({ folder, text, isFolder }) => {
    const code = withoutScriptComments(text);
    const [, double, single] = inputs.exec(code) ?? [];
    const input = posix.join(folder, double ?? single ?? valuesOf(code, 'input')[0] ?? '.');
    const served: Served[] = [];
    for (const { from, to } of copiesIn(code)) {
      const source = posix.join(folder, from).replace(/\/$/u, '');
      const at = posix.join('/', to ?? wayBelow(input, source) ?? wayBelow(folder, source) ?? '', '/');
      if (await isFolder(source)) {
        served.push({ folder: source, at });
      }
    }
    const [best] = served
      .filter((one) => imagesName.test(one.folder))
      .toSorted((one, other) => Number(imagesOnly.test(other.folder)) - Number(imagesOnly.test(one.folder)));
    const images =
      best && (imagesOnly.test(best.folder) ? best.folder : await imagesIn(isFolder, best.folder));
    return ({ path }) =>
      isAboutRepository(path) || !wayBelow(folder, path)
        ? undefined
        : { served, also: [{ folder: input, at: '/' }], ...(images !== undefined && { images }) };
  },
};

interface Copy {
  from: string;
  to?: string;
}

function copiesIn(code: string): Copy[] {
  return [...code.matchAll(copies)].flatMap(([, given = '']): Copy[] => {
    if (given.startsWith('{')) {
      return [...given.matchAll(pairs)].map(([, double, single, bare = '', toDouble, toSingle = '']) => ({
        from: folderOf(double ?? single ?? bare),
        to: toDouble ?? toSingle,
      }));
    }
    const [from] = stringsIn(given);
    return from === undefined ? [] : [{ from: folderOf(from) }];
  });
}

/** Returns the folder of a pattern for all its files. */
function folderOf(pattern: string): string {
  return pattern.replace(/\/\*\*?(?:\/\*)?$/u, '');
}
