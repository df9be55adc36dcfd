import type { AgentHost } from '../tools/agentHost.ts';
import { checkLinks, isWithin, workspaceFile } from '../tools/workspacePaths.ts';
import { largestInput } from '../../common/regularFile.ts';
import { messageOf } from '../../common/limnerError.ts';
import { sniffImage } from '../../images/formats/sniff.ts';
import type { TaskResult } from '../../engine/task/task.ts';

/** Longest list of resources. */
const maxListed = 50;

/** Returns the newest images of the workspace that Limner made. */
export async function listImages(
  host: AgentHost,
): Promise<{ uri: string; name: string; mimeType: string }[]> {
  const [{ store }, roots] = await Promise.all([host.engine(), host.roots()]);
  const isHere = (folder: string): boolean => isWithin(folder, roots);
  return store
    .listWithin({ isWithin: isHere, ids: new Set() }, { limit: maxListed })
    .flatMap(({ results }) =>
      results
        .filter(isThere)
        .map(({ uri, mediaType = 'image/png' }) => ({ uri, name: host.nameOf(uri), mimeType: mediaType })),
    );
}

/** @throws Error when Limner did not make it, or it lies outside of the workspace */
export async function readImage(
  host: AgentHost,
  uri: string,
): Promise<{ uri: string; mimeType: string; blob: string }> {
  const place = workspaceFile(uri, await host.roots());
  await checkLinks(place);
  const { store } = await host.engine();
  const saved = store.savedAs(uri);
  if (!saved || !isThere(saved.result)) {
    throw new Error(`The file "${place.path}" is no image that Limner made.`);
  }
  const bytes = await host.read(uri, largestInput).catch((error: unknown) => {
    throw new Error(messageOf(error), { cause: error });
  });
  if (!bytes) {
    throw new Error(`The file "${place.path}" does not exist.`);
  }
  const mimeType = sniffImage(bytes)?.mediaType;
  if (mimeType === undefined) {
    throw new Error(`The file "${place.path}" is no longer an image.`);
  }
  return { uri, mimeType, blob: Buffer.from(bytes).toString('base64') };
}

function isThere(result: TaskResult): result is TaskResult & { uri: string } {
  return result.state === 'saved' && !result.discarded && result.uri !== undefined;
}
