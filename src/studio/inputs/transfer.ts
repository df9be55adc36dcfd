/** What a drag carries while it is over the panel; what is in it can be read only once it is dropped. */
export interface Transfer {
  readonly types: readonly string[];
  getData(type: string): string;
}

/** The type of an input image that is dragged to another place in the list. */
export const inputType = 'application/x-limner-input';

const uriListType = 'application/vnd.code.uri-list';
const resourcesType = 'resourceurls';
const plainUriListType = 'text/uri-list';

/** Whether it may carry images from the explorer, the desktop or another program. */
export function carriesFiles({ types }: Pick<Transfer, 'types'>): boolean {
  const known = new Set(types.map((type) => type.toLowerCase()));
  return [uriListType, resourcesType, plainUriListType, 'files'].some((type) => known.has(type));
}

/** The addresses of the files that were dropped from the explorer or from the tab of an editor. */
export function droppedUris(transfer: Transfer): string[] {
  const list = linesOf(transfer.getData(uriListType));
  return list.length > 0 ? list : namesIn(transfer.getData(resourcesType));
}

/** The addresses that another program gave with what was dropped. */
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
