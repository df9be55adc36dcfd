import { posix } from 'node:path';
import { wayBelow } from '../../common/fileUris.ts';
import { asText, readData } from './configText.ts';
import { type Framework, isProse } from './site.ts';

/** A vault: notes name images by their file names alone, wherever they are. */
export const obsidian: Framework = {
  files: ['.obsidian/app.json'],
  read: async ({ folder, text }) => {
    const vault = folder.slice(0, folder.lastIndexOf('/.obsidian'));
    const data = await readData(text);
    const attachments = asText(data['attachmentFolderPath']) ?? '/';
    const isRelative = data['newLinkFormat'] === 'relative';
    return ({ path }) => {
      if (!isProse(path) || !wayBelow(vault, path)) {
        return undefined;
      }
      const start = attachments.startsWith('.') ? posix.dirname(path) : vault;
      const images = posix.join(start, attachments).replace(/\/$/u, '');
      const newest = data['newLinkFormat'] === 'absolute' ? vault : images;
      const bases = isRelative ? [] : [newest, vault];
      return { served: [], bases: [...bases, posix.dirname(path)], byName: vault, images };
    };
  },
};
