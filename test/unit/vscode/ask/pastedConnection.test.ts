import assert from 'node:assert/strict';
import { test } from 'node:test';
import { looksLikeKey, readPastedAddress, readPastedKey } from '../../../../src/vscode/pastedConnection.ts';

const url = 'https://images.example.com/v1';

for (const text of [
  url,
  `  ${url}\n`,
  `"${url}"`,
  `'${url}',`,
  `BASE_URL=${url}`,
  `export IMAGES_BASE_URL="${url}"`,
  `$env:IMAGES_BASE_URL = '${url}'`,
  `"baseUrl": "${url}",`,
  `Use ${url} (see the manual)`,
]) {
  test(`finds the address in ${JSON.stringify(text)}`, () => {
    assert.deepEqual(readPastedAddress(text), { address: url, key: undefined, model: undefined });
  });
}

test('finds address, API key and model in a whole curl command', () => {
  const command = `curl -X POST '${url}/images/generations' \\
    -H "Authorization: Bearer sk-live-123" -H 'Content-Type: application/json' -d '{"prompt":"a fox","model":"painter"}'`;
  assert.deepEqual(readPastedAddress(command), {
    address: `${url}/images/generations`,
    key: 'sk-live-123',
    model: 'painter',
  });
});

for (const body of [
  `-d '{ "model" : "painter-2:fast", "prompt": "a fox" }'`,
  String.raw`-d "{\"prompt\": \"a fox\", \"model\": \"painter-2:fast\"}"`,
  '-F model=painter-2:fast -F prompt="a fox"',
  `--form 'model=painter-2:fast'`,
]) {
  test(`finds the model in ${body}`, () => {
    assert.equal(readPastedAddress(`curl ${url}/images/edits ${body}`).model, 'painter-2:fast');
  });
}

test('takes no placeholder and no prompt for a model', () => {
  for (const body of [`-d '{"model":"<model>"}'`, '-F model=$MODEL', `-d '{"prompt":"a model: fox"}'`]) {
    assert.equal(readPastedAddress(`curl ${url} ${body}`).model, undefined);
  }
});

test('takes no placeholder of instructions for an API key', () => {
  for (const key of ['$API_KEY', '<your key>', '{{key}}', 'YOUR_API_KEY']) {
    assert.equal(readPastedAddress(`curl ${url} -H "Authorization: Bearer ${key}"`).key, undefined);
  }
});

test('leaves an address as it is, with or without a scheme', () => {
  for (const text of [
    'http://[::1]:47900/v1',
    'images.example.com/v1',
    'localhost:8080',
    '127.0.0.1:47900/v1',
  ]) {
    assert.equal(readPastedAddress(text).address, text);
    assert.ok(!looksLikeKey(text), text);
  }
});

for (const text of [
  'sk-live-123',
  '"sk-live-123"',
  'IMAGES_API_KEY=sk-live-123',
  "export IMAGES_API_KEY='sk-live-123'",
  '"apiKey": "sk-live-123",',
  'IMAGES_API_KEY="sk-live-123"  # mine',
  'IMAGES_API_KEY=sk-live-123 # mine',
  "export IMAGES_API_KEY='sk-live-123'; # mine",
  'Bearer sk-live-123',
  'Authorization: Bearer sk-live-123',
  '-H "x-api-key: sk-live-123"',
]) {
  test(`finds the API key in ${JSON.stringify(text)}`, () => {
    assert.equal(readPastedKey(text), 'sk-live-123');
  });
}

test('changes no API key that only looks unusual', () => {
  for (const key of ['c2VjcmV0IQ==', 'ABC==', 'AIzaSyA-1_x', 'a=b', 'x:y', 'a#b', '"a"b']) {
    assert.equal(readPastedKey(key), key);
  }
});

test('tells an API key in the box of the address', () => {
  for (const key of ['sk-abc123', 'key_1234', 'AIzaSyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe']) {
    assert.ok(looksLikeKey(key), key);
  }
});
