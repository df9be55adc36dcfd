import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Dimensions } from '../../images/formats/dimensions.ts';
import { type Files, imageLabel } from './taskItem.ts';
import { otherFolder } from './taskLabels.ts';
import type { ImageRow, TaskRow } from './taskNode.ts';
import { pathOf } from '../window/files.ts';
import { oneLine } from '../window/plainText.ts';
import { taskDetails } from './taskDetails.ts';

export function taskTooltip(row: TaskRow, files: Files): vscode.MarkdownString {
  const folder = otherFolder(row.task);
  const place = folder ? `\n\n${l10n.t('Folder: {0}', pathOf(folder))}` : '';
  return tooltipOf(`${taskDetails(row.task)}${place}`, files.thumbnailOf(row), files.picturedBy(row));
}

export function imageTooltip(row: ImageRow, files: Files): vscode.MarkdownString {
  const { task, result } = row;
  const place = vscode.workspace.asRelativePath(vscode.Uri.parse(result.uri, true));
  const facts = [imageLabel(row, files.areGone(row)), place].filter((fact) => fact !== '').join('\n');
  return tooltipOf(`${task.request.prompt.trim()}\n\n${facts}`, files.thumbnailOf(row), result);
}

/** Maximum size of a tooltip's picture, in CSS pixels: VS Code limits tooltips to half the window's height. */
const largestPicture = { width: 256, height: 160 };

/**
 * @param text contains prompts and the service's words, which are shown as plain text
 * @param picture a thumbnail of `image`
 */
function tooltipOf(
  text: string,
  picture: vscode.Uri | undefined,
  image: Partial<Dimensions> | undefined,
): vscode.MarkdownString {
  // A string would replace the row's accessible name.
  const tooltip = new vscode.MarkdownString();
  if (picture) {
    const { width = largestPicture.height, height = largestPicture.height } = image ?? {};
    const scale = Math.min(1, largestPicture.width / width, largestPicture.height / height);
    const size = `width=${Math.round(width * scale)},height=${Math.round(height * scale)}`;
    tooltip.appendMarkdown(`![](${picture.toString()}|${size})\n\n`);
  }
  for (const [index, paragraph] of text.split('\n\n').entries()) {
    if (index > 0) {
      tooltip.appendMarkdown('\n\n');
    }
    for (const [position, line] of paragraph.split('\n').entries()) {
      if (position > 0) {
        tooltip.appendMarkdown('\\\n');
      }
      appendLine(tooltip, oneLine(line));
    }
  }
  return tooltip;
}

/**
 * Appends plain text that may wrap between words, unlike `appendText` alone. The first space stays non-breaking: a
 * number before an ordinary space would start a list.
 */
function appendLine(tooltip: vscode.MarkdownString, line: string): void {
  const [first = '', second, ...words] = line.split(' ');
  tooltip.appendText(second === undefined ? first : `${first} ${second}`);
  for (const word of words) {
    tooltip.appendMarkdown(' ').appendText(word);
  }
}
