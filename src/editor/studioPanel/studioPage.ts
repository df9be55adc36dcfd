/** What goes into the page of the studio. */
export interface StudioPageOptions {
  /** URIs of the bundle and of its style sheet, as the webview reaches them. */
  script: string;
  style: string;
  /** Where the webview may load files from, for the policy. */
  cspSource: string;
  /** A word that is new for each page: only the script that names it runs. */
  nonce: string;
  /** Of the texts, as in `vscode.env.language`. */
  language: string;
  /** What the script reads; JSON can hold it. */
  data: unknown;
}

/** The whole page: nothing remote, one script, and the state to begin with, so that the first paint waits for nothing. */
export function studioPage({ script, style, cspSource, nonce, language, data }: StudioPageOptions): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `font-src ${cspSource}`,
    `img-src ${cspSource} blob: data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${escapeAttribute(language)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${escapeAttribute(policy)}">
<title>Limner Studio</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeAttribute(style)}">
<script type="application/json" id="data">${escapeScript(JSON.stringify(data))}</script>
<script nonce="${nonce}" src="${escapeAttribute(script)}" defer></script>
</head>
<body></body>
</html>`;
}

/** JSON that cannot end the script that it stands in, whatever a prompt says. */
function escapeScript(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
