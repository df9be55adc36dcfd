import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { Codecs } from '../../../src/images/finish/codecs.ts';
import { eventually } from '../../support/eventually.ts';
import { apiKey, World } from '../../support/cli/limner.ts';
import { Wire } from './wire.ts';

const finished = v.object({ data: v.array(v.object({ url: v.string() })) });

/** A demo service and a folder, in which one life follows the other. */
export class Lane {
  readonly world: World;
  readonly wire: Wire;
  readonly #codecs = new Codecs();

  static async open(): Promise<Lane> {
    return new Lane(await World.open());
  }

  private constructor(world: World) {
    this.world = world;
    this.wire = new Wire(world.demo);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.wire[Symbol.dispose]();
    await this.#codecs.dispose();
    await this.world[Symbol.asyncDispose]();
  }

  /** A new folder. */
  async folder(): Promise<string> {
    return mkdtemp(join(this.world.folder, 'life-'));
  }

  /** What the service has received and billed so far. */
  async count(): Promise<{ posts: number; entries: number }> {
    const [posts, entries] = await Promise.all([this.world.posts(), this.world.ledger()]);
    return { posts: posts.length, entries: entries.length };
  }

  /** Waits until no task is under way at the service any more. */
  async idle(): Promise<void> {
    await eventually(
      'no task is under way at the service',
      async () => this.world.ledger(),
      (states) => !states.includes('reserved'),
    );
  }

  /** The pictures of a task, from the service itself. */
  async made(remoteId: string): Promise<Buffer[]> {
    const response = await fetch(`${this.world.demo.baseUrl}/v1/images/generations/${remoteId}`, {
      headers: { authorization: `Bearer ${apiKey}` },
    });
    const { data } = v.parse(finished, await response.json());
    return Promise.all(data.map(async ({ url }) => Buffer.from(await (await fetch(url)).arrayBuffer())));
  }

  /** Switches faults on, or all of them off. */
  async setFaults(faults: readonly object[]): Promise<void> {
    const response = await fetch(`${this.world.demo.baseUrl}/demo/faults`, {
      method: faults.length > 0 ? 'POST' : 'DELETE',
      ...(faults.length > 0 && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(faults),
      }),
    });
    if (!response.ok) {
      throw new Error(await response.text());
    }
  }

  /** @throws CodecError for anything that is not a whole image */
  async decode(bytes: Uint8Array): Promise<void> {
    await this.#codecs.decode(bytes);
  }
}
