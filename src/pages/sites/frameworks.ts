import { angular } from './angular.ts';
import { antora } from './antora.ts';
import { docusaurus } from './docusaurus.ts';
import { eleventy } from './eleventy.ts';
import { hugo } from './hugo.ts';
import { jekyll } from './jekyll.ts';
import { mkdocs } from './mkdocs.ts';
import { obsidian } from './obsidian.ts';
import { publicFolders } from './publicFolder.ts';
import type { Framework } from './site.ts';
import { vitePress } from './vitePress.ts';

/** The frameworks whose sites are known, those first whose files tell most. */
export const frameworks: readonly Framework[] = [
  antora,
  mkdocs,
  docusaurus,
  vitePress,
  eleventy,
  hugo,
  jekyll,
  angular,
  obsidian,
  ...publicFolders,
];

/** Names of the files that tell of a site. */
export const siteFiles: readonly string[] = [
  ...new Set(frameworks.flatMap(({ files }) => files.map((file) => file.slice(file.lastIndexOf('/') + 1)))),
];
