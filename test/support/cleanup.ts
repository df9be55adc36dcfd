const pending = new Set<() => void>();
let listening = false;

/**
 * Has something undone when this process ends, however it is asked to: the event loop ran dry, Ctrl+C, a
 * termination signal, an exception.
 *
 * @param undo Must work without waiting for anything.
 * @returns Undoes it now.
 */
export function undoAtExit(undo: () => void): () => void {
  if (!listening) {
    listening = true;
    process.on('exit', undoAll);
    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
      ['SIGHUP', 129],
    ] as const) {
      process.on(signal, () => process.exit(code));
    }
  }
  pending.add(undo);
  return () => {
    if (pending.delete(undo)) {
      undo();
    }
  };
}

function undoAll(): void {
  for (const undo of [...pending].toReversed()) {
    pending.delete(undo);
    undo();
  }
}
