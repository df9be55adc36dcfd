import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { files } from '../../../scripts/contributions/files.ts';
import { submenus } from '../../../scripts/contributions/commands.ts';
import { commands, manifest, settings } from '../../../scripts/contributions/manifest.ts';
import { sections } from '../../../scripts/contributions/settings.ts';
import * as names from '../../../src/vscode/window/names.ts';

test('all that follows from the tables is as `npm run contributions` writes it', async () => {
  for (const [path, text] of Object.entries(await files())) {
    const found = readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
    assert.ok(found === text, `${path} is stale: run npm run contributions.`);
  }
});

test('every name in a condition, a link, or an event is one of Limner', () => {
  const known = new Set<string>([
    ...[...Object.keys(commands), ...Object.keys(settings)].map((name) => `limner.${name}`),
    ...Object.values(names.contextKeys),
    ...Object.values(names.views),
    ...Object.values(names.internalCommands),
    ...Object.keys(sections).map((id) => `limner.${id}`),
    names.extensionId,
    names.studioViewType,
    names.compareViewType,
    ...Object.keys(submenus).map((id) => `limner.${id}`),
  ]);
  const { parts, texts } = manifest();
  const { contributes, activationEvents } = parts;
  const written = JSON.stringify([contributes, activationEvents, texts]).replaceAll('\\\\', '\\');
  const used = [...written.matchAll(/(?<![\w/^\\])limner\.\w+(?:\.\w+)*/gu)].map(([name]) => name);
  assert.deepEqual(
    used.filter((name) => !known.has(name)),
    [],
  );
});

test('a workspace that nobody trusts sets nothing that is paid for, and nothing about where images go', () => {
  const { parts } = manifest();
  const { untrustedWorkspaces } = parts.capabilities;
  assert.equal(untrustedWorkspaces.supported, 'limited');
  const inReach = Object.keys(settings).filter(
    (name) =>
      settings[name]?.scope !== 'application' &&
      !untrustedWorkspaces.restrictedConfigurations.includes(`limner.${name}`),
  );
  assert.deepEqual(inReach.toSorted(), ['afterSave', 'codeLens', 'missingImages']);
});

test('where the key and the results go, and what asks first, is out of reach for every workspace', () => {
  for (const name of ['baseUrl', 'models', 'resultHosts', 'confirmAbove', 'budget', 'agents.confirm']) {
    assert.equal(settings[name]?.scope, 'application', name);
  }
});
