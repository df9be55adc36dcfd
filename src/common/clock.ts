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
