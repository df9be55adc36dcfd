export interface StudioPageOptions {
  script: string;
  style: string;
  /** Allowed sources of files, for the content security policy. */
  cspSource: string;
  /** New for each page: only a module with it runs, and what that imports. */
  nonce: string;
  language: string;
  title: string;
  /** Read by the script; must be valid JSON. */
  data: unknown;
}

/**
 * Returns the whole page: no remote content, one module with what it imports, and the initial state, so that the first paint waits for
 * nothing.
 */
export function studioPage({
  script,
  style,
  cspSource,
  nonce,
  language,
  title,
  data,
}: StudioPageOptions): string {
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
<title>${escapeAttribute(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escapeAttribute(style)}">
<script type="application/json" id="data">${escapeScript(JSON.stringify(data))}</script>
<script nonce="${nonce}" type="module" src="${escapeAttribute(script)}"></script>
</head>
<body></body>
</html>`;
}

/** Escapes JSON so that it can't end its script element, whatever a prompt contains. */
function escapeScript(json: string): string {
  return json.replaceAll('<', String.raw`\u003c`);
}

function escapeAttribute(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

/** Origin of a page's message. */
interface PageMessage {
  /** Page number, which increases. */
  page: number;
  /** Changes each time VS Code loads the page. */
  load: string;
  method: string;
}

/**
 * Tells current pages from outdated ones. When a tab is hidden and shown quickly, or all webviews are reloaded, VS Code
 * loads its page again without telling the host. Messages may be lost then, even a page's first one, `opened`.
 */
export class PageVersions {
  #given = 0;
  /** Load of each page whose messages count; undefined if the page was opened after VS Code got the next one. */
  readonly #loads = new Map<number, string | undefined>();

  give(page: number): void {
    this.#given = page;
  }

  /** Whether a message comes from a page with an earlier state. */
  isOutdated({ page, load, method }: PageMessage): boolean {
    if (!this.#loads.has(page)) {
      const isLate = method === 'opened' && page < this.#given;
      this.#loads.set(page, isLate ? undefined : load);
    }
    return this.#loads.get(page) !== load;
  }
}
