export interface Disposable {
  dispose(): void;
}

/** A clock that tests can move. */
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

/** @throws the signal's reason when it is aborted */
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

/** The longest turn of a piece of work before other tasks get theirs, in milliseconds. */
const longestTurn = 10;

/** Yields the items, and lets the event loop run now and then. */
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

/** Returns the delay after a number of failures, in milliseconds: it doubles each time, up to a limit. */
export function backoff(failures: number, first = 2000, max = 60_000): number {
  return Math.min(first * 2 ** failures, max);
}
