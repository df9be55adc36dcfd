import * as v from 'valibot';

/** A version of an image: its file, and what tells it from the other one. */
const version = v.object({ uri: v.string(), name: v.string() });

/** What a page of two images leaves for the time after a reload of the window. */
export const comparedVersions = v.object({ before: version, after: version });
export type ComparedVersions = v.InferOutput<typeof comparedVersions>;

/** What the page of two images shows. */
export interface Comparison {
  /** Name of the image. */
  title: string;
  before: { url: string; name: string };
  after: { url: string; name: string };
  /** Whether both files have the same bytes. */
  isSameFile: boolean;
  /** Why there is nothing to compare, in words. */
  problem?: string;
  versions: ComparedVersions;
}
