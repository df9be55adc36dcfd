// The used part of the codec packages. Their own declarations need the browser's ImageData, which Node lacks.

declare module '@jsquash/png/decode.js' {
  export function init(module: WebAssembly.Module): Promise<unknown>;
  export default function decode(bytes: ArrayBuffer): Promise<import('./pixels.ts').ImageDataLike>;
}

declare module '@jsquash/jpeg/decode.js' {
  export function init(
    module: WebAssembly.Module,
    options: import('./pixels.ts').CodecOptions,
  ): Promise<void>;
  export default function decode(bytes: ArrayBuffer): Promise<import('./pixels.ts').ImageDataLike>;
}

declare module '@jsquash/jpeg/encode.js' {
  export function init(
    module: WebAssembly.Module,
    options: import('./pixels.ts').CodecOptions,
  ): Promise<void>;
  export default function encode(
    image: import('./pixels.ts').ImageDataLike,
    options: { quality: number; progressive?: boolean; baseline?: boolean },
  ): Promise<ArrayBuffer>;
}

declare module '@jsquash/webp/decode.js' {
  export function init(
    module: WebAssembly.Module,
    options: import('./pixels.ts').CodecOptions,
  ): Promise<void>;
  export default function decode(bytes: ArrayBuffer): Promise<import('./pixels.ts').ImageDataLike>;
}

declare module '@jsquash/webp/encode.js' {
  export function init(
    module: WebAssembly.Module,
    options: import('./pixels.ts').CodecOptions,
  ): Promise<void>;
  export default function encode(
    image: import('./pixels.ts').ImageDataLike,
    options: {
      quality: number;
      method?: number;
      lossless?: 0 | 1;
      exact?: 0 | 1;
      alpha_filtering?: 0 | 1 | 2;
    },
  ): Promise<ArrayBuffer>;
}

// The used part of WebAssembly, which Node has but only the browser's types declare.
declare namespace WebAssembly {
  interface Module {}
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}
