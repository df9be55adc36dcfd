import assert from 'node:assert/strict';
import * as v from 'valibot';
import { startDemoService, type DemoService } from '../../../src/demo/endpoints/demoService.ts';
import type { DemoServiceOptions } from '../../../src/demo/endpoints/options.ts';

export const ADA = 'demo-key-ada';
export const BEN = 'demo-key-ben';

/** A task as it is on the wire; nothing else may be in it. */
export const WireTask = v.strictObject({
  id: v.pipe(v.string(), v.regex(/^task_\w+$/u)),
  object: v.literal('image.generation.task'),
  status: v.picklist(['queued', 'in_progress', 'completed', 'failed']),
  created_at: v.optional(v.pipe(v.number(), v.integer())),
  progress: v.optional(v.pipe(v.string(), v.regex(/^\d+%$/u))),
  data: v.optional(v.array(v.strictObject({ url: v.string(), revised_prompt: v.optional(v.string()) }))),
  error: v.optional(v.strictObject({ message: v.string(), type: v.string(), code: v.string() })),
});

export type WireTask = v.InferOutput<typeof WireTask>;

const WireImages = v.strictObject({
  created: v.pipe(v.number(), v.integer()),
  data: v.array(v.strictObject({ b64_json: v.string(), revised_prompt: v.optional(v.string()) })),
});

const WireError = v.strictObject({
  error: v.strictObject({
    message: v.pipe(v.string(), v.nonEmpty()),
    type: v.string(),
    param: v.null(),
    code: v.string(),
  }),
});

/** The types of errors whose code decides them, and not their status. */
const errorTypes: Record<string, string> = {
  invalid_api_key: 'authentication_error',
  content_policy_violation: 'image_generation_user_error',
  image_generation_failed: 'image_generation_failed',
};

const Ledger = v.object({ entries: v.array(v.record(v.string(), v.unknown())) });

/** A plain client of the demo service: `fetch`, and nothing that Limner's own client is made of. */
export class DemoClient {
  readonly service: DemoService;

  private constructor(service: DemoService) {
    this.service = service;
  }

  /** Starts a service whose time stands still and whose calls take none of it, unless told otherwise. */
  static async start(options: DemoServiceOptions = {}): Promise<DemoClient> {
    return new DemoClient(
      await startDemoService({ clock: 'frozen', taskDuration: 1000, syncDuration: 0, ...options }),
    );
  }

  stop(): Promise<void> {
    return this.service.dispose();
  }

  /** Sends a request with Ada's key, unless the headers say otherwise. */
  send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (!headers.has('authorization')) {
      headers.set('authorization', `Bearer ${ADA}`);
    }
    return fetch(this.service.baseUrl + path, { ...init, headers });
  }

  post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }

  generate(fields: Record<string, unknown> = {}, headers: Record<string, string> = {}): Promise<Response> {
    const body = { model: 'demo-painter', prompt: 'a quiet sea', size: '64x48', ...fields };
    return this.post('/v1/images/generations', body, headers);
  }

  /** Submits a generation with `Prefer: respond-async` and answers the task of the 202. */
  async submit(
    fields: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<WireTask> {
    const response = await this.generate(fields, { prefer: 'respond-async', ...headers });
    assert.equal(response.status, 202, await response.clone().text());
    return v.parse(WireTask, await response.json());
  }

  async query(id: string, key = ADA): Promise<WireTask> {
    const response = await this.send(`/v1/images/generations/${id}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(response.status, 200, await response.clone().text());
    return v.parse(WireTask, await response.json());
  }

  edit(
    fields: Record<string, string | Blob | Uint8Array | Uint8Array[]>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) {
      for (const each of Array.isArray(value) ? value : [value]) {
        form.append(name, each instanceof Uint8Array ? new Blob([Uint8Array.from(each)]) : each);
      }
    }
    return this.send('/v1/images/edits', { method: 'POST', headers, body: form });
  }

  async ledger(): Promise<Record<string, unknown>[]> {
    const response = await fetch(`${this.service.baseUrl}/demo/ledger`);
    return v.parse(Ledger, await response.json()).entries;
  }
}

/** Asserts status, type and code of an error in OpenAI's shape, and answers its message. */
export async function refused(response: Response, status: number, code: string): Promise<string> {
  const body: unknown = await response.json();
  assert.equal(response.status, status, JSON.stringify(body));
  const { error } = v.parse(WireError, body);
  const type = errorTypes[code] ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  assert.deepEqual([error.code, error.type], [code, type]);
  assert.equal(response.headers.get('content-type'), 'application/json');
  return error.message;
}

/** The images of a synchronous answer. */
export async function imagesOf(response: Response): Promise<Buffer[]> {
  assert.equal(response.status, 200, await response.clone().text());
  const { data } = v.parse(WireImages, await response.json());
  return data.map((image) => Buffer.from(image.b64_json, 'base64'));
}
