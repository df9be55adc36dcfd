// Room: what a row of the task list says under the pointer, which is loaded when it first does.
// Never: rows.

import * as vscode from 'vscode';
import type { Dimensions } from '../../images/formats/dimensions.ts';
import { type Files, imageLabel } from '../taskList/taskItem.ts';
import { otherFolder } from '../taskList/taskLabels.ts';
import type { ImageRow, TaskRow } from '../taskList/taskNode.ts';
import { pathOf } from '../window/files.ts';
import { oneLine } from '../window/plainText.ts';
import { taskDetails } from './taskDetails.ts';

/** Returns the tooltip of a task: its picture, and all that is known. */
export function taskTooltip(row: TaskRow, files: Files): vscode.MarkdownString {
  const folder = otherFolder(row.task);
  const place = folder ? `\n\n${vscode.l10n.t('Folder: {0}', pathOf(folder))}` : '';
  return tooltipOf(`${taskDetails(row.task)}${place}`, files.thumbnailOf(row), files.picturedBy(row));
}

/** Returns the tooltip of a saved image: its picture, where it is, and its prompt. */
export function imageTooltip(row: ImageRow, files: Files): vscode.MarkdownString {
  const { task, result } = row;
  const path = pathOf(vscode.Uri.parse(result.uri, true));
  const facts = [path, imageLabel(row, files.areGone(row))].filter((fact) => fact !== '').join('\n');
  return tooltipOf(`${facts}\n\n${task.request.prompt.trim()}`, files.thumbnailOf(row), result);
}

/** The largest picture of a tooltip, in CSS pixels: VS Code makes tooltips at most half as high as the window. */
const largestPicture = { width: 256, height: 160 };

/**
 * @param text in which prompts and the service's words are data: plain, whatever it looks like
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
 * Appends plain text that may wrap between its words, which `appendText` alone does not allow. The first space stays
 * non-breaking: a number before an ordinary one would start a list.
 */
function appendLine(tooltip: vscode.MarkdownString, line: string): void {
  const [first = '', second, ...words] = line.split(' ');
  tooltip.appendText(second === undefined ? first : `${first} ${second}`);
  for (const word of words) {
    tooltip.appendMarkdown(' ').appendText(word);
  }
}
