/**
 * Marks a text for translation that stays English: the task list, programs, and agents keep it. Whoever shows it to a
 * person looks its translation up (`told`).
 *
 * @param text with `{0}`, `{1}`, … for the values
 */
export function t(text: string, ...values: readonly (string | number)[]): string {
  return text.replaceAll(/\{(\d+)\}/gu, (whole, index: string) => String(values[Number(index)] ?? whole));
}
