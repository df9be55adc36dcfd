import type { StudioState } from '../../src/studio/protocol/state.ts';
import { emptyDraft } from '../../src/studio/protocol/draft.ts';

/** Of the image that is painted on, in pixels. */
export const side = 4096;

const input = {
  id: 'large',
  name: 'large.png',
  url: '/image.png',
  path: 'large.png',
  width: side,
  height: side,
  size: 1,
  mediaType: 'image/png',
  notes: [],
};

const state: StudioState = {
  draft: {
    ...emptyDraft,
    inputs: [input.id],
    view: { ...emptyDraft.view, stage: 'mask' },
  },
  inputs: [input],
  styles: [],
  models: [
    {
      id: 'bench',
      name: 'Bench',
      family: 'image',
      sizes: [],
      maxCount: 1,
      maxInputs: 1,
      mask: 'alpha',
      transparentBy: 'key',
      callStyles: ['async'],
    },
  ],
  defaultModel: 'bench',
  defaults: { size: '', fit: 'off', quality: '', count: 1, folder: 'images', fileName: '{prompt}' },
  tasks: [],
  target: { path: 'images/bench' },
  baseUrl: 'https://images.example',
  isConnected: true,
  hasLanguageModel: false,
  isSending: false,
};

/** The studio with a host that agrees to everything, in the colors of a dark theme. */
export const page = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Limner Studio</title>
<link rel="stylesheet" href="/studio.css">
<style>:root { --vscode-foreground: #ccc; --vscode-editor-background: #1f1f1f; --vscode-charts-red: #f14c4c; }</style>
<script type="application/json" id="data">${JSON.stringify({ state })}</script>
<script>
window.acquireVsCodeApi = () => ({
  postMessage: ({ id }) => setTimeout(() => postMessage({ kind: 'reply', id, value: { path: 'images/bench' } })),
});
</script>
<script type="module" src="/studio.js"></script>
</head>
<body class="vscode-dark"></body>
</html>`;
