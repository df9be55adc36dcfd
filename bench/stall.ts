/**
 * Returns how long the event loop did not turn while something was done, in milliseconds, at most: of this thread's own
 * time, so that other programs on the machine do not count. What fails counts, too.
 */
export async function stallOf(work: () => Promise<unknown>): Promise<number> {
  globalThis.gc?.();
  let longest = 0;
  let last = ownTime();
  let isOver = false;
  const turn = (): void => {
    const now = ownTime();
    longest = Math.max(longest, now - last);
    last = now;
    if (!isOver) {
      setImmediate(turn);
    }
  };
  setImmediate(turn);
  await work().catch(() => undefined);
  isOver = true;
  await new Promise((resolve) => setImmediate(resolve));
  return longest;
}

function ownTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
