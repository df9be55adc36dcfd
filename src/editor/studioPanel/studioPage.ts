export interface StudioPageOptions {
  /** URIs of the bundle and of its style sheet, as the webview reaches them. */
  script: string;
  style: string;
  /** Allowed sources of files, for the policy. */
  cspSource: string;
  /** New for each page: only the script that names it runs. */
  nonce: string;
  /** As in `vscode.env.language`. */
  language: string;
  /** Read by the script; must be valid JSON. */
  data: unknown;
}

/**
 * Returns the whole page: nothing remote, one script, and the initial state, so that the first paint waits for nothing.
 */
export function studioPage({ script, style, cspSource, nonce, language, data }: StudioPageOptions): string {
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    'font-src data:',
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

/** Escapes JSON so that it cannot end its script, whatever a prompt says. */
function escapeScript(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
