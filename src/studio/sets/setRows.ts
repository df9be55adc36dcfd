import * as l10n from '@vscode/l10n';
import type { Draft, SetRow } from '../protocol/draft.ts';

export function isFilled({ name, prompt }: SetRow): boolean {
  return name.trim() !== '' || prompt.trim() !== '';
}

/** Returns the rows of a draft's set that make an image. */
export function filledRows({ setRows }: Pick<Draft, 'setRows'>): SetRow[] {
  return setRows.filter(isFilled);
}

/** Returns rows with others in the place of an empty one, or else before it. */
export function withRows(rows: readonly SetRow[], at: number, added: readonly SetRow[]): SetRow[] {
  return [...rows.slice(0, at), ...added, ...rows.slice(at)].filter(isFilled);
}

/** Returns rows with one changed; the one after the last is new. */
export function withRow(rows: readonly SetRow[], at: number, change: Partial<SetRow>): SetRow[] {
  const row = { ...(rows[at] ?? { name: '', prompt: '' }), ...change };
  return rows.toSpliced(at, 1, row);
}

/** Returns the first problem with a set, and the ID of the control that fixes it. The host knows all. */
export function setProblem({
  setRows,
}: Pick<Draft, 'setRows'>): { message: string; control: string } | undefined {
  const names = setRows.map(({ name }) => name.trim().toLowerCase());
  for (const [index, row] of setRows.entries()) {
    const [number, name] = [index + 1, names[index] ?? ''];
    if (isFilled(row) && row.prompt.trim() === '') {
      return { message: l10n.t('Image {0} has no prompt.', number), control: promptId(index) };
    }
    const first = name === '' ? index : names.indexOf(name);
    if (first < index) {
      return {
        message: l10n.t('Images {0} and {1} have the same name.', first + 1, number),
        control: nameId(index),
      };
    }
  }
  return setRows.some(isFilled)
    ? undefined
    : { message: l10n.t('The set has no images.'), control: promptId(0) };
}

export function nameId(index: number): string {
  return `set-name-${index}`;
}

export function promptId(index: number): string {
  return `set-prompt-${index}`;
}
