// The part of WebAssembly that is used here; Node has it, its declarations come with the browser's only.
declare namespace WebAssembly {
  interface Module {}
  function compile(bytes: Uint8Array<ArrayBuffer>): Promise<Module>;
}
