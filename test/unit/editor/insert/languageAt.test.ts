import assert from 'node:assert/strict';
import { it } from 'node:test';
import { languageAt } from '../../../../src/editor/insert/languageAt.ts';

/** Returns the language at the sign `|` of a document. */
const at = (languageId: string, text: string): string =>
  languageAt(languageId, text.replace('|', ''), text.indexOf('|'));

it('the language at a place is that of the element', () => {
  for (const [languageId, text, expected] of [
    ['html', '<style>.a { background: |}</style>', 'css'],
    ['vue', '<template><p /></template>\n<style lang="scss" scoped>\n.a { background: | }\n</style>', 'scss'],
    ['svelte', "<script lang='ts'>\n  const a = |;\n</script>", 'typescript'],
    ['html', '<script>\n|', 'typescript'],
    ['astro', '---\nconst a = |;\n---\n<p></p>', 'typescript'],
    ['astro', '---\nconst a = 1;\n---\n<p>|</p>', 'astro'],
    ['html', '<style>.a {}</style>\n|', 'html'],
    ['html', '<!-- <style> --><p>|</p><style></style>', 'html'],
    ['html', '<script type="text/template">|</script>', 'html'],
    ['typescriptreact', '<style>{`.a { background: | }`}</style>', 'css'],
    ['markdown', '<style>|</style>', 'markdown'],
  ] as const) {
    assert.equal(at(languageId, text), expected, text);
  }
});
