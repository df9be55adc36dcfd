import * as vscode from 'vscode';

/** How the webview reaches the files of pictures. */
export class StudioImages {
  readonly #webview: vscode.Webview;

  constructor(webview: vscode.Webview) {
    this.#webview = webview;
  }

  /** For `img`, another one when the file has changed; undefined when there is no file. */
  async url(uri: vscode.Uri): Promise<string | undefined> {
    try {
      const { mtime } = await vscode.workspace.fs.stat(uri);
      return this.#webview.asWebviewUri(uri.with({ query: `version=${mtime}` })).toString();
    } catch {
      return undefined;
    }
  }
}
