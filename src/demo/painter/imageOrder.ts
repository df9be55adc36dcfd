import type { ImageFormat, Size } from '../state/modelCatalog.ts';

/** The files of an edit as they came. */
export interface EditFiles {
  inputs: readonly [Uint8Array, ...Uint8Array[]];
  mask?: Uint8Array;
}

/** What one request asks to be made. */
export interface ImageOrder {
  prompt: string;
  /** Number of images. */
  n: number;
  format: ImageFormat;
  subject:
    | { kind: 'generation'; size: Size }
    /** The size of the result is given where it is not that of the first input. */
    | ({ kind: 'edit'; size?: Size } & EditFiles);
}
