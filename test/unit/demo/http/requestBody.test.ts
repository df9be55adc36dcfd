import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ApiError, errorBody } from '../../../../src/demo/http/apiError.ts';
import { prefersAsync } from '../../../../src/demo/http/requestBody.ts';

describe('an error of the service', () => {
  it('has the body of its family, and the type of its status', () => {
    assert.deepEqual(bodyOf(400, '/v1/images'), {
      error: { message: 'why', type: 'invalid_request_error', param: null, code: 'code' },
    });
    assert.deepEqual(bodyOf(500, '/v1/images'), {
      error: { message: 'why', type: 'server_error', param: null, code: 'code' },
    });
    const google = [400, 401, 403, 404, 415, 429, 499, 500, 501, 502, 503].map((status) =>
      JSON.stringify(bodyOf(status, '/v1beta/models/a')).replace(/.*"status":"(\w+)".*/u, '$1'),
    );
    assert.deepEqual(google, [
      'INVALID_ARGUMENT',
      'UNAUTHENTICATED',
      'PERMISSION_DENIED',
      'NOT_FOUND',
      'INVALID_ARGUMENT',
      'RESOURCE_EXHAUSTED',
      'INVALID_ARGUMENT',
      'INTERNAL',
      'UNIMPLEMENTED',
      'INTERNAL',
      'UNAVAILABLE',
    ]);
  });
});

describe('the preference for an asynchronous answer', () => {
  it('is found among others, in any case, with parameters and in several headers', () => {
    for (const prefer of ['respond-async', 'wait=5, Respond-Async ; x=1', ['wait=5', 'a, respond-async']]) {
      assert.ok(prefersAsync(prefer), String(prefer));
    }
    for (const prefer of [undefined, '', 'respond-asynchronously', 'x; respond-async', ['wait', 'respond']]) {
      assert.ok(!prefersAsync(prefer), String(prefer));
    }
  });
});

function bodyOf(status: number, path: string): object {
  return errorBody(new ApiError(status, 'code', 'why'), path);
}
