export interface Disposable {
  dispose(): void;
}

/** Time as the engine sees it, so that tests can move it. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  setTimeout(callback: () => void, milliseconds: number): Disposable;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  setTimeout(callback, milliseconds): Disposable {
    const timer = setTimeout(callback, milliseconds);
    return { dispose: () => clearTimeout(timer) };
  },
};

/**
 * Waits `milliseconds` on this clock.
 *
 * @throws the signal's reason when it is aborted
 */
export async function sleep(clock: Clock, milliseconds: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const timer = clock.setTimeout(() => {
      signal?.removeEventListener('abort', aborted);
      resolve();
    }, milliseconds);
    function aborted(): void {
      timer.dispose();
      const reason: unknown = signal?.reason;
      reject(reason instanceof Error ? reason : new Error(String(reason)));
    }
    signal?.addEventListener('abort', aborted, { once: true });
  });
}

/** How long work goes on before others get their turn, in milliseconds. */
const longestTurn = 10;

/** Goes through what there is to do, and lets everything else have its turn now and then. */
export async function* inTurns<T>(items: Iterable<T>): AsyncGenerator<T, void, undefined> {
  let since = performance.now();
  for (const item of items) {
    if (performance.now() - since > longestTurn) {
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
      since = performance.now();
    }
    yield item;
  }
}
