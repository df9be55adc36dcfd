import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endpointsOf } from '../../../../src/service/http/endpoints.ts';

function addressesOf(baseUrl: string): string[] {
  const endpoints = endpointsOf(baseUrl);
  return [
    endpoints.generations,
    endpoints.edits,
    endpoints.task('task_1'),
    endpoints.generateContent('painter'),
    endpoints.streamGenerateContent('painter'),
  ].map(String);
}

function addressesBelow(root: string): string[] {
  return [
    `${root}/v1/images/generations`,
    `${root}/v1/images/edits`,
    `${root}/v1/images/generations/task_1`,
    `${root}/v1beta/models/painter:generateContent`,
    `${root}/v1beta/models/painter:streamGenerateContent?alt=sse`,
  ];
}

describe('endpointsOf', () => {
  for (const pasted of [
    'https://api.example.com',
    'https://api.example.com/',
    '  https://api.example.com/v1 ',
    'https://api.example.com/v1/',
    'https://api.example.com//v1//',
    'https://api.example.com/v1beta',
    'https://API.example.com:443/v1beta/',
    'https://api.example.com/v1/images/generations',
    'https://api.example.com/v1/chat/completions',
    'https://api.example.com/v1beta/models/painter:generateContent',
    'https://api.example.com/v1beta/models/painter:streamGenerateContent?alt=sse',
    'api.example.com/v1/images/generations/task_1?x=1&y=2',
    'api.example.com',
    'api.example.com/v1',
  ]) {
    it(`finds all five from ${JSON.stringify(pasted)}`, () => {
      assert.deepEqual(addressesOf(pasted), addressesBelow('https://api.example.com'));
    });
  }

  it('keeps a path in front of the version', () => {
    for (const pasted of [
      'https://host/gateway',
      'https://host/gateway/v1',
      'https://host/gateway/v1beta/',
    ]) {
      assert.deepEqual(addressesOf(pasted), addressesBelow('https://host/gateway'));
    }
  });

  it('takes a version that is part of the path for what it is', () => {
    assert.deepEqual(addressesOf('https://host/v1/team-a'), addressesBelow('https://host/v1/team-a'));
    assert.deepEqual(addressesOf('https://host/v1/team-a/v1'), addressesBelow('https://host/v1/team-a'));
    assert.deepEqual(addressesOf('https://host/images'), addressesBelow('https://host/images'));
    for (const word of ['images', 'models', 'chat', 'completions', 'responses', 'embeddings']) {
      assert.deepEqual(addressesOf(`https://host/v1/${word}/x`), addressesBelow('https://host'));
      for (const team of [`my-${word}`, `${word}-2`]) {
        assert.deepEqual(addressesOf(`https://host/v1/${team}`), addressesBelow(`https://host/v1/${team}`));
      }
    }
  });

  it('keeps the port, and means plain http where the machine itself is named without a scheme', () => {
    assert.deepEqual(addressesOf('localhost:8080/v1'), addressesBelow('http://localhost:8080'));
    assert.deepEqual(addressesOf('127.0.0.1:8080'), addressesBelow('http://127.0.0.1:8080'));
    assert.deepEqual(
      addressesOf('images.example.com:8443'),
      addressesBelow('https://images.example.com:8443'),
    );
    assert.equal(endpointsOf('https://host:8443/gateway/v1').origin, 'https://host:8443');
    assert.equal(endpointsOf('HTTP://[FD00::A]:8443').origin, 'http://[fd00::a]:8443');
  });

  it('writes ids and models safely into the path', () => {
    const endpoints = endpointsOf('https://host');
    assert.equal(endpoints.task('../../admin?x').pathname, '/v1/images/generations/..%2F..%2Fadmin%3Fx');
    for (const id of ['a/b', 'a?b', 'a#b', '..%2f', '%2e%2e', '\0', '\u202e', '\ud800', '\\..\\', '...']) {
      const { href, search, hash } = endpoints.task(id);
      assert.match(href, /^https:\/\/host\/v1\/images\/generations\/[^/]+$/u, id);
      assert.equal(search + hash, '');
      assert.match(
        endpoints.streamGenerateContent(id).href,
        /^https:\/\/host\/v1beta\/models\/[^/?#]+:streamGenerateContent\?alt=sse$/u,
      );
    }
    for (const id of ['.', '..']) {
      assert.throws(() => endpoints.task(id), { code: 'protocol' });
      assert.ok(endpoints.generateContent(id).pathname.startsWith('/v1beta/models/'));
    }
    assert.equal(endpoints.generateContent('models/a').pathname, '/v1beta/models/a:generateContent');
    assert.equal(
      endpoints.generateContent('org/models/a').pathname,
      '/v1beta/models/org%2Fmodels%2Fa:generateContent',
    );
    assert.equal(endpoints.generateContent('org/a b').pathname, '/v1beta/models/org%2Fa%20b:generateContent');
  });

  for (const [garbage, reason] of [
    ['', /No service URL/u],
    ['   ', /No service URL/u],
    ['not a url', /isn't a valid URL/u],
    ['https://a!host', /host name isn't valid/u],
    ['https://host!a', /host name isn't valid/u],
    ['ftp://host', /https:\/\/ or http:\/\//u],
    ['file:///etc/passwd', /https:\/\/ or http:\/\//u],
    ['https://', /isn't a valid URL/u],
    ['https://user:secret@host', /enter the API key separately/u],
    ['https://user@host', /enter the API key separately/u],
    ['https://:secret@host', /enter the API key separately/u],
    ['https://host/v1?key=secret', /"\?"/u],
    ['https://host/?alt=sse', /"\?"/u],
    ['https://host/v1/team-a?alt=sse', /"\?"/u],
    ['https://host/#/docs', /"#"/u],
    ['https://host/v1/images/generations#top', /"#"/u],
  ] as const) {
    it(`says what is wrong with ${JSON.stringify(garbage)}, without repeating it`, () => {
      assert.throws(
        () => endpointsOf(garbage),
        (error: Error & { code?: string }) => {
          assert.equal(error.code, 'no_service');
          assert.match(error.message, reason);
          assert.doesNotMatch(error.message, /secret/u);
          return true;
        },
      );
    });
  }
});
