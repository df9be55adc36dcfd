import { wayBelow } from '../../common/fileUris.ts';
import { firstFolder, type Framework, isProse } from './site.ts';

/** A component: pages, partials, and examples of a module name the images of that module. */
export const antora: Framework = {
  files: ['antora.yml'],
  read: async ({ folder, isFolder }) => {
    return async ({ path }) => {
      const [modules, name] = (wayBelow(folder, path) ?? '').split('/');
      if (modules !== 'modules' || name === undefined || !isProse(path)) {
        return undefined;
      }
      const module = `${folder}/modules/${name}`;
      const images = await firstFolder(isFolder, [`${module}/images`, `${module}/assets/images`]);
      return { served: [], bases: [images, `${module}/images`, `${module}/assets/images`], images };
    };
  },
};
