import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import chromium, { inflate } from '@sparticuz/chromium';

/*
 * Unpacks Chromium, its libraries and its fonts into the temporary folder of this process. A process of its own,
 * because the package knows no other way to be told where to.
 */
await chromium.executablePath();
const packaged = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin');
await inflate(join(packaged, 'al2023.tar.br'));
