import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { asData, asList, asText, type Data, readData, withoutScriptComments } from './configText.ts';
import { type Framework, imagesIn, isProse, type Served } from './site.ts';

/** A pattern of assets that takes images. */
const forImages = /\*$|png|jpe?g|webp/iu;

/** Serves the folders that its configuration names; its templates count from the root of the site. */
export const angular: Framework = {
  files: ['angular.json', '.angular.json'],
  read: async ({ folder, text, isFolder }) => {
    const { projects } = await readData(withoutScriptComments(text));
    const found: { root: string; served: Served[] }[] = [];
    for (const project of Object.values(asData(projects)).map(asData)) {
      const root = posix.join(folder, asText(project['root']) ?? '.').replace(/\/$/u, '');
      const sources = posix.join(
        folder,
        asText(project['sourceRoot']) ?? posix.join(asText(project['root']) ?? '.', 'src'),
      );
      const served: Served[] = [];
      for (const asset of assetsOf(project)) {
        const one = servedBy(asset, folder, sources);
        if (one && (await isFolder(one.folder))) {
          served.push(one);
        }
      }
      if (served.length > 0) {
        found.push({ root, served });
      }
    }
    return async ({ path }) => {
      const [project] = found
        .filter(({ root }) => wayBelow(root, path))
        .toSorted((one, other) => other.root.length - one.root.length);
      const [first] = project?.served ?? [];
      return project && first && !isProse(path)
        ? { served: project.served, isFromRoot: true, images: await imagesIn(isFolder, first.folder) }
        : undefined;
    };
  },
};

function assetsOf(project: Data): readonly unknown[] {
  const targets = asData(project['architect'] ?? project['targets']);
  return asList(asData(asData(targets['build'])['options'])['assets']);
}

/** @param sources folder from which the path of an asset counts on the site */
function servedBy(asset: unknown, folder: string, sources: string): Served | undefined {
  const plain = asText(asset);
  if (plain !== undefined) {
    const source = posix.join(folder, plain).replace(/\/$/u, '');
    return { folder: source, at: posix.join('/', wayBelow(sources, source) ?? '', '/') };
  }
  const options = asData(asset);
  const input = asText(options['input']);
  return input === undefined || !forImages.test(asText(options['glob']) ?? '**/*')
    ? undefined
    : {
        folder: posix.join(folder, input).replace(/\/$/u, ''),
        at: posix.join('/', asText(options['output']) ?? '', '/'),
      };
}
