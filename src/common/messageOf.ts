/** Returns what a thrown value says, an error or not. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
