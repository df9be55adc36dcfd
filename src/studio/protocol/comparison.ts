import * as v from 'valibot';

/** A version of an image: its file, and what tells it from the other one. */
const version = v.object({ uri: v.string(), name: v.string() });

/** Two versions to compare. */
export const comparedVersions = v.object({
  before: version,
  after: version,
  /** The file in conflict whose sides these are. */
  conflict: v.optional(v.string()),
});
export type ComparedVersions = v.InferOutput<typeof comparedVersions>;

/** Where a comparison is in a list of `of`, and that list, which the page only keeps. */
const place = v.object({ at: v.number(), of: v.number(), list: v.string() });

/** State that a page of two images keeps through a reload of the window. */
export const keptComparison = v.object({ ...comparedVersions.entries, place: v.optional(place) });

/** What the page of two images asks for. */
export const comparisonRequest = v.variant('kind', [
  /** It was loaded, maybe with the comparison of a while ago. */
  v.object({ kind: v.literal('opened') }),
  /** To compare two other sides of a conflict. */
  v.object({ kind: v.literal('show'), before: version, after: version }),
  v.object({ kind: v.literal('take'), side: v.picklist(['ours', 'theirs']) }),
  /** To show the next or previous comparison of a list. */
  v.object({ kind: v.literal('step'), by: v.picklist([-1, 1]) }),
]);
export type ComparisonRequest = v.InferOutput<typeof comparisonRequest>;

export type ConflictSide = 'base' | 'ours' | 'theirs';

/** What the page of two images shows. */
export interface Comparison {
  /** Name of the image. */
  title: string;
  /** Undefined if there is no such version. */
  before: ShownVersion | undefined;
  after: ShownVersion | undefined;
  /** Whether both files have the same bytes. */
  isSameFile: boolean;
  /** Why there is nothing to compare, in words. */
  problem?: string;
  versions: ComparedVersions;
  /** The sides of the file in conflict; without those that deleted it. */
  conflict?: Partial<Record<ConflictSide, ComparedVersions['before']>>;
  /** Where it is in a list of comparisons. */
  place?: v.InferOutput<typeof place>;
}

export interface ShownVersion {
  url: string;
  name: string;
}
