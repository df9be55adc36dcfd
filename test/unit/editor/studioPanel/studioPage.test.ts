import assert from 'node:assert/strict';
import { test } from 'node:test';
import { studioPage } from '../../../../src/editor/studioPanel/studioPage.ts';

const page = (data: unknown): string =>
  studioPage({
    script: 'https://resource.test/dist/studio.js',
    style: 'https://resource.test/dist/studio.css',
    cspSource: 'https://resource.test',
    nonce: 'abc123==',
    language: 'en"><script>',
    data,
  });

test('nothing but the one script may run, and nothing remote is loaded', () => {
  const html = page({});
  const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html) ?? [];
  assert.match(policy, /^default-src 'none'; script-src 'nonce-abc123=='; /);
  assert.doesNotMatch(policy, /unsafe|\*|connect-src/);
  assert.deepEqual(
    [...html.matchAll(/<script([^>]*)>/g)].map(([, attributes]) => attributes),
    [
      ' type="application/json" id="data"',
      ' nonce="abc123==" src="https://resource.test/dist/studio.js" defer',
    ],
  );
});

test('a prompt cannot leave the data, whatever it says', () => {
  const data = { prompt: '</script><script>alert(1)</script><!-- \u2028 \\u003c & "' };
  const html = page(data);
  const [, json = ''] = /id="data">([^<]*)<\/script>/.exec(html) ?? [];
  assert.deepEqual(JSON.parse(json), data);
  assert.equal(html.split('</script>').length, 3);
});
