/** `1024x768` as people write it: `1024 × 768`. */
export function sizeText(size: string): string {
  return size.replace('x', ' × ');
}
