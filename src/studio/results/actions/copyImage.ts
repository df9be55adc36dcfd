/** Puts a picture on the clipboard, as PNG: the one format that every clipboard takes. */
export async function copyImage(url: string): Promise<void> {
  // The clipboard is asked at once, while the person's key or click still counts; the bytes may come later.
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': pngOf(url) })]);
}

async function pngOf(url: string): Promise<Blob> {
  const image = new Image();
  // Pictures come from the host's own address; a canvas with them can be read.
  image.crossOrigin = 'anonymous';
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(image.naturalWidth, image.naturalHeight);
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return canvas.convertToBlob({ type: 'image/png' });
}
