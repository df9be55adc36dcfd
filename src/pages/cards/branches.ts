/** Statements of any template language, but not outputs of values. */
const statements =
  /\{%[-~+]?\s*(?<liquid>\w+)[^]*?(?:%\}|$)|\{\{[-~]?\s*(?:(?<opening>[#^]|(?:if|range|with|block|define)\b)|(?<closing>\/|end\b))[^]*?(?:\}\}|$)|(?<script><%(?![=%#]|-(?!\s*(?:if|unless|case|for|else|elsif|end)\b))[^]*?(?:%>|$)|<\?(?!=|xml|php\s+echo\b)[^]*?(?:\?>|$))|(?<brace>[{}])/gu;

/** Returns a function that tells whether a position is in a conditional part of the page. */
export function branchesIn(text: string): (at: number) => boolean {
  const ranges: { start: number; end: number }[] = [];
  const open: { name: string; start: number }[] = [];
  const counts = new Map<string, number>();
  const count = (name: string, change: number): void => {
    counts.set(name, (counts.get(name) ?? 0) + change);
  };
  const close = (name: string, end: number): void => {
    while ((counts.get(name) ?? 0) > 0) {
      const last = open.pop();
      count(last?.name ?? name, -1);
      if (last?.name === name) {
        ranges.push({ start: last.start, end });
        return;
      }
    }
  };
  const scripts: { start: number; end: number }[] = [];
  for (const { index: start, 0: whole, groups } of text.matchAll(statements)) {
    const end = start + whole.length;
    const { liquid, opening, closing, script, brace } = groups ?? {};
    if (script !== undefined) {
      scripts.push({ start, end });
    } else if (liquid?.startsWith('end') === true) {
      close(liquid.slice(3), end);
    } else if (closing !== undefined || brace === '}') {
      close(closing === undefined ? '{' : '{{', end);
    } else {
      const name = liquid ?? (opening === undefined ? '{' : '{{');
      open.push({ name, start });
      count(name, 1);
    }
  }
  // The effect of scripts on the text between them is unknown.
  const [first] = scripts;
  const last = scripts.at(-1);
  if (first && last) {
    ranges.push({ start: first.start, end: last.end });
  }
  const depths = new Int32Array(text.length + 1);
  for (const { start, end } of ranges) {
    depths[start + 1] = (depths[start + 1] ?? 0) + 1;
    depths[end] = (depths[end] ?? 0) - 1;
  }
  let depth = 0;
  for (const [at, change] of depths.entries()) {
    depth += change;
    depths[at] = depth;
  }
  return (at) => (depths[at] ?? 0) > 0;
}
