import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type BrowserContext } from 'playwright-core';
import * as v from 'valibot';
import { fetchOnce } from './cache.ts';
import { projectFolder } from '../../support/folders.ts';
import { readJson } from '../../support/readJson.ts';

/**
 * How long a browser may take to start, and anything in its windows to appear, in milliseconds: others open beside it.
 */
const patience = 60_000;

interface Executable {
  path: string;
  env: Record<string, string>;
}

/**
 * Makes everything but this machine unreachable for the browser: the tests need no network.
 *
 * @param rules say where other hosts are
 */
const offline = (...rules: string[]): string[] => [
  '--no-proxy-server',
  `--host-resolver-rules=${[...rules, 'MAP * ~NOTFOUND', 'EXCLUDE 127.0.0.1'].join(', ')}`,
];

/**
 * Starts a headless Chromium: on Linux x64 the one from the npm registry, which looks the same on every machine,
 * elsewhere an installed Chrome or Chromium.
 */
export async function launchChromium(moreArguments: readonly string[] = []): Promise<Browser> {
  const { path, env } = await findExecutable();
  return chromium.launch({
    executablePath: path,
    args: [...offline(), ...moreArguments],
    timeout: patience,
    env: { ...process.env, ...env },
  });
}

/**
 * Starts a headless Chromium on a profile that is kept.
 *
 * @param profile its folder, of which no other Chromium that runs makes use
 * @param host the name and port under which it finds what listens on a port of this machine
 */
export async function launchProfile(profile: string, host: string, port: number): Promise<BrowserContext> {
  const { path, env } = await findExecutable();
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: path,
    args: offline(`MAP ${host} 127.0.0.1:${port}`),
    timeout: patience,
    env: { ...process.env, ...env },
  });
  browser.setDefaultTimeout(patience);
  await browser.addInitScript(stopSpinners);
  return browser;
}

/** Has VS Code's icons stand still: without a graphics card, one that turns takes a tenth of a core. */
function stopSpinners(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.codicon-modifier-spin, .codicon-modifier-spin::before { animation: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

async function findExecutable(): Promise<Executable> {
  if (process.platform === 'linux' && process.arch === 'x64') {
    return packagedChromium();
  }
  const path = usualPlaces.find((place) => existsSync(place));
  if (path === undefined) {
    throw new Error(
      `Chrome or Chromium must be installed at one of these places: ${usualPlaces.join(', ')}.`,
    );
  }
  return { path, env: {} };
}

const usualPlaces = [
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** The version of the package of Chromium. */
export async function chromiumVersion(): Promise<string> {
  const manifest = join(projectFolder, 'node_modules/@sparticuz/chromium/package.json');
  return (await readJson(manifest, v.object({ version: v.string() }))).version;
}

async function packagedChromium(): Promise<Executable> {
  const version = await chromiumVersion();
  const folder = await fetchOnce({
    name: `chromium-${version}`,
    notice: `Unpacking Chromium ${version}`,
    megabytes: 220,
    fill: unpackChromium,
  });
  return {
    path: join(folder, 'chromium'),
    env: { LD_LIBRARY_PATH: join(folder, 'al2023/lib'), FONTCONFIG_FILE: join(folder, 'fonts.conf') },
  };
}

async function unpackChromium(folder: string): Promise<void> {
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'unpackChromium.ts')], {
    env: { ...process.env, TMPDIR: folder },
  });
  await writeFile(join(folder, 'fonts.conf'), fontConfiguration);
}

/** The bundled fonts and no others: screenshots do not depend on what is installed. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
</fontconfig>
`;
