import { masked } from '../scan/masked.ts';
import { withoutCodeBlocks } from '../scan/markdownCode.ts';
import { markdownHeadingLines } from '../scan/scanMarkdown.ts';
import type { PageWords } from './cardImage.ts';
import { frontMatterOf } from './frontMatter.ts';
import { textOf } from './markupText.ts';

const comments = /<!--[^]*?(?:-->|$)/gu;

export function readMarkdown(text: string): PageWords {
  const front = frontMatterOf(text);
  const start = front && front !== 'unreadable' ? front.end : 0;
  const source = masked(withoutCodeBlocks(text.slice(start)), comments);
  const [heading] = source.matchAll(markdownHeadingLines);
  const html = /<h1\b[^<>]*>([^]{0,400}?)<\/h1>/iu.exec(source);
  const title =
    html && (!heading || html.index < heading.index)
      ? textOf(html[1] ?? '')
      : headingText(heading?.[1] ?? heading?.[2] ?? '');
  return { title, description: '', siteName: '' };
}

/** Returns the visible text of a heading. Keeps underscores within words, such as `snake_case`. */
function headingText(line: string): string {
  const parts = line
    .replace(/[ \t]+#+[ \t]*$/u, '')
    .replace(/[ \t]*\{[#.][^{}]*\}[ \t]*$/u, '')
    .split(/(`+[^`]+`+)/u);
  const words = parts.map((part) =>
    part.startsWith('`') && part.endsWith('`') && part.length > 1
      ? part.replaceAll(/^`+ ?| ?`+$/gu, '')
      : textOf(withoutMarks(part)),
  );
  return words
    .map((word, index) => withBlanks(word, parts[index] ?? ''))
    .join('')
    .replaceAll(/\s+/gu, ' ')
    .trim();
}

function withBlanks(word: string, part: string): string {
  return `${/^\s/u.test(part) ? ' ' : ''}${word}${/\s$/u.test(part) ? ' ' : ''}`;
}

function withoutMarks(part: string): string {
  return part
    .replaceAll(/!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])/gu, '$1')
    .replaceAll(/(?<![\\*])(\*{1,3})(?=\S)([^*]*[^\s*])\1(?!\*)/gu, '$2')
    .replaceAll(/(?<![\\\p{L}\p{N}_])(_{1,3})(?=\S)([^_]*[^\s_])\1(?![\p{L}\p{N}_])/gu, '$2')
    .replaceAll(/~~([^~]+)~~/gu, '$1')
    .replaceAll(/\\([!-/:-@[-`{-~])/gu, '$1');
}
