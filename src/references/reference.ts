// Room: what a document says about one image: its address, the words beside it, the size.
// Never: how documents are written, files on disk.

/**
 * How an address is written where it stands: percent-encoded as in HTML, CSS and Markdown, as the path in a string of a
 * program, or as a path in YAML, without quotes or in these.
 */
export type Notation = 'url' | 'path' | YamlNotation;
export type YamlNotation = 'yaml' | "yaml'" | 'yaml"';

/** What a document says about an image, in its own words; for a prompt. */
export interface Words {
  alt?: string;
  title?: string;
  caption?: string;
  /** The heading above it, or the selector of its style. */
  heading?: string;
}

/** Width and height in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Size in CSS pixels that a document wants, as far as it says so. */
export type WantedSize = Partial<Size>;

/** What a part of a document says about images. */
export interface Findings {
  references: readonly Reference[];
  /** Labels by which images are shown, with the words of those places; of the same label the last counts. */
  uses?: readonly (readonly [label: string, words: Words])[];
  /** Images that are shown wherever their label is used. */
  definitions?: readonly { label: string; reference: Reference }[];
}

/** A place in a document that names an image. */
export interface Reference {
  /** As it stands in the document, without what encloses it. */
  address: string;
  /** Where the address begins in the text, in UTF-16 units. */
  start: number;
  end: number;
  notation: Notation;
  words: Words;
  size: WantedSize;
  /** It is one of several of the same picture, of which a browser shows one. */
  isCandidate?: true;
}
