import * as vscode from 'vscode';

/**
 * The files that a command was given, as URIs or paths: the selected ones, where a menu passed a selection, else the
 * one that comes first.
 */
export function passedFiles(first: unknown, second: unknown): (vscode.Uri | string)[] {
  const selected = Array.isArray(second)
    ? (second as unknown[]).filter((item) => item instanceof vscode.Uri)
    : [];
  if (selected.length > 0) {
    return selected;
  }
  return first instanceof vscode.Uri || typeof first === 'string' ? [first] : [];
}
