/** What a template does, whatever it is written for; no output of a value. */
const statements =
  /\{%[-~+]?\s*(?<liquid>\w+)[^]*?%\}|\{\{[-~]?\s*(?:(?<opening>[#^]|(?:if|range|with|block|define)\b)|(?<closing>\/|end\b))[^]*?\}\}|(?<script><%(?![=%#]|-(?!\s*(?:if|unless|case|for|else|elsif|end)\b))[^]*?%>|<\?(?!=|xml|php\s+echo\b)[^]*?(?:\?>|$))|(?<brace>[{}])/gu;

/** Returns what tells whether a place in a text is in something that is not always a part of the page. */
export function branchesIn(text: string): (at: number) => boolean {
  const ranges: { start: number; end: number }[] = [];
  const open: { name: string; start: number }[] = [];
  const close = (name: string, end: number): void => {
    const at = open.findLastIndex((one) => one.name === name);
    const [found] = at < 0 ? [] : open.splice(at);
    if (found) {
      ranges.push({ start: found.start, end });
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
    }
  }
  // What scripts do with what is between them, only they know.
  const [first] = scripts;
  const last = scripts.at(-1);
  if (first && last) {
    ranges.push({ start: first.start, end: last.end });
  }
  return (at) => ranges.some(({ start, end }) => start < at && at < end);
}
