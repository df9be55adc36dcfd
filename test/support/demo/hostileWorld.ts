import assert from 'node:assert/strict';
import * as v from 'valibot';
import { DemoClient, type WireTask } from './demoClient.ts';
import { ask, type RawAnswer } from './rawRequest.ts';

/** A demo service, what may come between it and a caller, and raw requests to it. */
export class HostileWorld {
  readonly client: DemoClient;

  private constructor(client: DemoClient) {
    this.client = client;
  }

  static async start(...options: Parameters<typeof DemoClient.start>): Promise<HostileWorld> {
    return new HostileWorld(await DemoClient.start(...options));
  }

  stop(): Promise<void> {
    return this.client.stop();
  }

  async switchOn(...faults: object[]): Promise<void> {
    const response = await this.#control('faults', 'POST', faults);
    assert.equal(response.status, 200, await response.text());
  }

  async calm(): Promise<void> {
    await this.#control('faults', 'DELETE');
    await this.#control('weather', 'DELETE');
  }

  async setWeather(weather: object): Promise<void> {
    const response = await this.#control('weather', 'POST', weather);
    assert.equal(response.status, 200, await response.text());
  }

  /** Submits a small picture asynchronously, on a raw connection. */
  submit(
    prompt = 'a quiet sea',
    headers: Record<string, string> = { prefer: 'respond-async' },
  ): Promise<RawAnswer> {
    return ask(`${this.client.service.baseUrl}/v1/images/generations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ model: 'demo-painter', prompt, size: '64x48' }),
    });
  }

  query(id: string): Promise<RawAnswer> {
    return ask(`${this.client.service.baseUrl}/v1/images/generations/${id}`);
  }

  /** A task that is completed, as the service tells of it where nothing comes between, and its addresses. */
  async completedTask(n = 1): Promise<{ id: string; task: WireTask; urls: string[] }> {
    const { id } = await this.client.submit({ n });
    // Those that wait before it are done then, too.
    await this.client.service.advance(60_000);
    const task = await this.client.query(id);
    return { id, task, urls: (task.data ?? []).map(({ url }) => url) };
  }

  async taken(): Promise<number> {
    return (await this.client.ledger()).length;
  }

  #control(path: string, method: string, body?: unknown): Promise<Response> {
    return fetch(`${this.client.service.baseUrl}/demo/${path}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}

/** What a JSON answer with a length says. */
export function jsonOf({ body }: RawAnswer): unknown {
  return JSON.parse(body.toString());
}

/** The results of a task as it was told. */
export function resultsOf(answer: RawAnswer): Record<string, unknown>[] {
  return v.parse(v.object({ data: v.array(v.record(v.string(), v.unknown())) }), jsonOf(answer)).data;
}
