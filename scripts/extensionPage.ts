/**
 * Writes the extension's page as VS Code shows it to `dist/EXTENSION.md`: without its pictures. VS Code shows only those with
 * addresses on the web there, neither relative ones nor `data:`, and no repository can be named yet that has them.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const page = readFileSync('EXTENSION.md', 'utf8');
writeFileSync('dist/EXTENSION.md', page.replaceAll(/^!\[[^\]]*\]\([^)]*\)\n\n/gmu, ''));
