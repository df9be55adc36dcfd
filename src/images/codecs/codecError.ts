/** Pixels that could not be read or written; `code` is `unsupported_image` throughout. */
export class CodecError extends Error {
  readonly code = 'unsupported_image';
}
