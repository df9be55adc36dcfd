import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { filesLike, projectFolder } from '../../support/folders.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** Hosts that stand in the code as examples, as this machine, as a source, or in the names that metadata has. */
const known =
  /^(?:host|127\.0\.0\.1|sqlite\.org|images\.example\.com|.*\.example|ns\.adobe\.com|www\.w3\.org|purl\.org|iptc\.org|cv\.iptc\.org)$/u;

test('nothing is told to anybody: no telemetry, and no address but those that people enter', () => {
  for (const file of filesLike('src/**/*.ts')) {
    const text = readFileSync(join(projectFolder, file), 'utf8');
    assert.doesNotMatch(text, /telemetry/iu, file);
    for (const [, host = ''] of text.matchAll(/\b(?:https?|wss?):\/\/([\w.-]*[a-z0-9])(?=[:/'"`<\s),])/giu)) {
      assert.match(host, known, file);
    }
  }
  const packages = Object.keys(packageJson.devDependencies);
  assert.deepEqual(
    packages.filter((name) => /telemetry|insights|analytics|sentry|posthog/iu.test(name)),
    [],
  );
});
