/** The list with this one at another place. */
export function moveInput(inputs: readonly string[], id: string, to: number): string[] {
  const others = inputs.filter((other) => other !== id);
  const place = Math.max(0, Math.min(to, others.length));
  return [...others.slice(0, place), id, ...others.slice(place)];
}
