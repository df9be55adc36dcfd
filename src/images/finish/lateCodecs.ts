import type { Codecs } from './codecs.ts';

/** Loads the bundle of the codecs when they are first needed. */
export class LateCodecs {
  #loading: Promise<Codecs> | undefined;

  async get(): Promise<Codecs> {
    this.#loading ??= import('./codecs.ts').then(({ Codecs }) => new Codecs());
    return this.#loading;
  }

  async dispose(): Promise<void> {
    await (await this.#loading)?.dispose();
  }
}
