/** What a prompt may ask of the demo service beside a picture, as words of their own. */
export interface PromptMarks {
  /** `demo:fail`: the task fails; a synchronous call answers 500. */
  fail: boolean;
  /** `demo:fewer`: one image fewer than asked for is returned, at least one. */
  fewer: boolean;
  /** `demo:loose`: an edit goes beyond its mask, as those of many services do. */
  loose: boolean;
  /** `demo:reject`: the submission is refused as against the content policy. */
  reject: boolean;
}

export function readPromptMarks(prompt: string): PromptMarks {
  const words = new Set(prompt.toLowerCase().split(/\s+/u));
  return {
    fail: words.has('demo:fail'),
    fewer: words.has('demo:fewer'),
    loose: words.has('demo:loose'),
    reject: words.has('demo:reject'),
  };
}
