import type { Codecs } from './codecs/codecs.ts';

/** The codecs, whose bundle is loaded when pixels are first to be touched. */
export class LateCodecs {
  #loading: Promise<Codecs> | undefined;

  async get(): Promise<Codecs> {
    this.#loading ??= import('./codecs/codecs.ts').then(({ Codecs }) => new Codecs());
    return this.#loading;
  }

  async dispose(): Promise<void> {
    await (await this.#loading)?.dispose();
  }
}
