import * as v from 'valibot';
import { hashOf } from '../../tasks/files/stagingStore.ts';

/** The state of a file at some time. */
export const fileVersion = v.object({
  /** By its file system's clock; another one, earlier or later, tells nothing by itself. */
  mtime: v.exactOptional(v.number()),
  /** In bytes. */
  size: v.exactOptional(v.number()),
  sha256: v.string(),
});
export type FileVersion = v.InferOutput<typeof fileVersion>;

/** Whether a file has other contents by now. @param read returns its bytes, if it takes them to tell */
export async function hasChanged(
  then: FileVersion,
  now: { mtime: number; size: number },
  read: () => Promise<Uint8Array>,
): Promise<boolean> {
  const isTouched = now.mtime !== then.mtime || now.size !== then.size;
  return isTouched && hashOf(await read()) !== then.sha256;
}
