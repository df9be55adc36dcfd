import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Locator } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * What axe-core finds wrong with the document that an element is in: a line for each element.
 *
 * The script is part of what is evaluated, for the policy of a webview lets no other script in.
 */
export async function accessibilityProblems(element: Locator): Promise<string[]> {
  return element.evaluate(`(async () => {
    ${source}
    const { violations } = await window.axe.run(document, { preload: false, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => [id, html.slice(0, 200), failureSummary].join('\\n  ')));
  })()`);
}
