import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { filesLike, projectFolder } from '../support/folders.ts';

const read = (file: string): string => readFileSync(join(projectFolder, file), 'utf8');

/** The comments of a file in one line, since a citation may be broken. */
const commentsOf = (text: string): string =>
  [...text.matchAll(/(?:^[ \t]*(?:\/?\*+|\/\/)|[ \t]\/\/[ \t])(.*)$/gmu)]
    .map(([, comment = '']) => comment.trim())
    .join(' ');

/** Paths of files and folders below the project, without the full stop of a sentence. */
const paths = /(?<![\w/.-])(?:src|media|test|bench|scripts|docs|l10n|\.ci)\/(?:[\w./-]*[\w/])?/gu;

/** Files of code, with or without their folders. */
const fileNames = /(?<![\w-])[\w-]+\.tsx?\b/gu;

const commented = ['esbuild.js', ...filesLike('{src,media,test,bench,scripts}/**/*.{ts,tsx}')];
const pages = ['CONTRIBUTING.md', ...filesLike('docs/*.md')];

test('every page and heading that a comment cites exists', () => {
  const citation = /\b(docs\/[\w-]+\.md|CONTRIBUTING\.md)(?:, "([^"]+)")?/gu;
  const headings = new Map(
    pages.map((page) => [page, [...read(page).matchAll(/^#+ (.+)$/gmu)].map(([, heading]) => heading)]),
  );
  let count = 0;
  for (const file of commented) {
    for (const [cited, page = '', heading] of commentsOf(read(file)).matchAll(citation)) {
      count += 1;
      const known = headings.get(page);
      assert.ok(known && (heading === undefined || known.includes(heading)), `${file} cites ${cited}`);
    }
  }
  assert.ok(count > 0);
});

test('every path and every file of code that a comment names exists', () => {
  const existing = new Set(commented.map((file) => basename(file)));
  let count = 0;
  for (const file of commented) {
    const comments = commentsOf(read(file));
    for (const [path] of comments.matchAll(paths)) {
      count += 1;
      assert.ok(existsSync(join(projectFolder, path)), `${file} names ${path}`);
    }
    for (const [name] of comments.matchAll(fileNames)) {
      assert.ok(existing.has(name), `${file} names ${name}`);
    }
  }
  assert.ok(count > 0);
});

test('every path that a page names exists, and so does every heading that it links to', () => {
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
