const names = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Keeps signals that a test emits from whatever else listens in this process, such as what removes the folders of tests
 * and ends it.
 *
 * @returns gives them back
 */
export function takeSignals(): () => void {
  const others = names.map((name) => [name, process.listeners(name)] as const);
  for (const name of names) {
    process.removeAllListeners(name);
  }
  return () => {
    for (const [name, listeners] of others) {
      for (const listener of listeners) {
        process.on(name, listener);
      }
    }
  };
}
