import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder } from '../support/folders.ts';

const read = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');
const find = (pattern: string): string[] => globSync(pattern, { cwd: projectFolder });

/** The lines of a file that are comments, in one line, since a citation may be broken. */
const commentsOf = (text: string): string =>
  [...text.matchAll(/^[ \t]*(?:\/?\*+|\/\/)(.*)$/gmu)].map(([, comment = '']) => comment.trim()).join(' ');

const pages = ['CONTRIBUTING.md', ...find('docs/*.md')];

test('every page and heading that a comment cites exists', () => {
  const citation = /\b(docs\/[\w-]+\.md|CONTRIBUTING\.md)(?:, "([^"]+)")?/gu;
  const headings = new Map(
    pages.map((page) => [page, [...read(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading]) => heading)]),
  );
  let count = 0;
  for (const file of ['esbuild.js', ...find('{src,media,test,bench,scripts}/**/*.{ts,tsx}')]) {
    for (const [cited, page = '', heading] of commentsOf(read(file)).matchAll(citation)) {
      count += 1;
      const known = headings.get(page);
      assert.ok(known && (heading === undefined || known.includes(heading)), `${file} cites ${cited}`);
    }
  }
  assert.ok(count > 0);
});

test('every path that a page names exists, and so does every heading that it links to', () => {
  const paths = /(?<![\w/.-])(?:src|media|test|bench|scripts|docs|l10n|\.ci)\/[\w./-]*/gu;
  for (const page of pages) {
    const text = read(page);
    for (const [, code = ''] of text.matchAll(/`([^`\n]+)`/gu)) {
      for (const [path] of code.matchAll(paths)) {
        assert.ok(existsSync(join(projectFolder, path)), `${page} names ${path}`);
      }
    }
    const anchors = new Set(
      [...text.matchAll(/^#+ (.+)$/gmu)].map(([, heading = '']) =>
        heading.toLowerCase().replaceAll(' ', '-'),
      ),
    );
    for (const [, anchor = ''] of text.matchAll(/\]\(#([\w-]+)\)/gu)) {
      assert.ok(anchors.has(anchor), `${page} links to #${anchor}`);
    }
  }
});
