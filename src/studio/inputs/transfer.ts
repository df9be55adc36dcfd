/** The part of `DataTransfer` that is used here; its data can only be read once it is dropped. */
export interface Transfer {
  readonly types: readonly string[];
  getData(type: string): string;
}

/** The type of an input that is dragged to another place in the list. */
export const inputType = 'application/x-limner-input';

const uriListType = 'application/vnd.code.uri-list';
const resourcesType = 'resourceurls';
const plainUriListType = 'text/uri-list';

/** Whether a drag may carry images from the explorer, the desktop or another program. */
export function carriesFiles({ types }: Pick<Transfer, 'types'>): boolean {
  const known = new Set(types.map((type) => type.toLowerCase()));
  return [uriListType, resourcesType, plainUriListType, 'files'].some((type) => known.has(type));
}

/** Returns the URIs of files that were dropped from the explorer or an editor tab. */
export function droppedUris(transfer: Transfer): string[] {
  const list = linesOf(transfer.getData(uriListType));
  return list.length > 0 ? list : namesIn(transfer.getData(resourcesType));
}

/** Returns the URIs that another program gave with a drop. */
export function foreignUris(transfer: Transfer): string[] {
  return linesOf(transfer.getData(plainUriListType));
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function namesIn(json: string): string[] {
  try {
    const value: unknown = JSON.parse(json);
    return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
  } catch {
    return [];
  }
}
