import type { ResultReference } from '../protocol/draft.ts';
import { findResult, isSame, referenceTo, type Result } from './resultList.ts';

type Selection = readonly ResultReference[];

/** Returns a selection without this result or with it as the start of the next range. */
export function toggled(selection: Selection, reference: ResultReference): Selection {
  const others = selection.filter((one) => !isSame(one, reference));
  return others.length < selection.length ? others : [reference, ...others];
}

/** Returns the results from the start of the range to this one. */
export function rangeTo(
  selection: Selection,
  reference: ResultReference,
  results: readonly Result[],
): Selection {
  const all = results.map(referenceTo);
  const indexOf = (wanted: ResultReference): number => all.findIndex((one) => isSame(one, wanted));
  const [begin, end] = [indexOf(selection[0] ?? reference), indexOf(reference)];
  const range = all.slice(Math.min(begin, end), Math.max(begin, end) + 1);
  return begin <= end ? range : range.toReversed();
}

export function isSelected(result: Result, selected: readonly Result[]): boolean {
  return findResult(selected, referenceTo(result)) !== undefined;
}

/** Returns the results that an action applies to: the selection if it includes this one, or else only this one. */
export function subjectsOf(result: Result, selected: readonly Result[]): readonly Result[] {
  return isSelected(result, selected) ? selected : [result];
}
