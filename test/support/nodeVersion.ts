/**
 * Ends with a plain message instead of a puzzling one later.
 *
 * @throws Error on a Node older than the one in `devDependencies`, which `npm run` puts first on the path.
 */
export function requireNode24(): void {
  if (Number.parseInt(process.versions.node, 10) < 24) {
    throw new Error(`This is Node ${process.version}: start it with \`npm run\`, which brings Node 24.`);
  }
}
