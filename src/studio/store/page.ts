import type { StudioState } from '../protocol/state.ts';

/** What the host wrote into the page: the state to begin with, and the translated texts where there are any. */
export interface PageData {
  state: StudioState;
  texts: Record<string, string> | undefined;
}

/** Reads it; there is no round trip before the first paint. */
export function readPage(): PageData {
  return JSON.parse(document.getElementById('data')?.textContent ?? '') as PageData;
}
