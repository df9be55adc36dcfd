import dns from 'node:dns';

/**
 * Puts a name resolution of our own in the place of Node's, for hosts below `fault.localhost`.
 *
 * @returns puts Node's back
 */
export function resolveNames(addressOf: (host: string) => string | undefined): () => void {
  const find = (host: string): dns.LookupAddress | undefined => {
    const address = addressOf(host);
    return address === undefined ? undefined : { address, family: address === '::1' ? 6 : 4 };
  };
  const { lookup, promises } = dns;
  const { lookup: lookupLater } = promises;
  Object.assign(promises, {
    lookup: async (host: string, options: dns.LookupAllOptions) =>
      isOurs(host) ? [find(host) ?? (await Promise.reject(notFound(host)))] : lookupLater(host, options),
  });
  Object.assign(dns, {
    lookup: (host: string, options: dns.LookupOptions, callback: LookupCallback) => {
      if (!isOurs(host)) {
        Reflect.apply(lookup, dns, [host, options, callback]);
        return;
      }
      const found = find(host);
      process.nextTick(() => {
        if (found === undefined) {
          callback(notFound(host));
        } else if (options.all === true) {
          callback(null, [found]);
        } else {
          callback(null, found.address, found.family);
        }
      });
    },
  });
  return () => {
    Object.assign(dns, { lookup });
    Object.assign(promises, { lookup: lookupLater });
  };
}

type LookupCallback = (error: Error | null, address?: string | dns.LookupAddress[], family?: number) => void;

function notFound(host: string): Error {
  return Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: 'ENOTFOUND' });
}

function isOurs(host: string): boolean {
  return host.endsWith('.fault.localhost');
}
