import type dns from 'node:dns';
import net, { type LookupFunction } from 'node:net';
import * as english from '../../common/english.ts';
import { addressKind, hostName, resolveHost, type AddressKind } from './hosts.ts';
import { LimnerError } from '../../common/limnerError.ts';

type Resolve = (host: string) => Promise<dns.LookupAddress[]>;

/**
 * Decides which addresses results may be fetched from, so that a service cannot make Limner read from machines that
 * only this one can reach. Every error is a `LimnerError` `result_refused`.
 */
export class AddressPolicy {
  readonly #service: URL;
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #resolve: Resolve;

  /**
   * @param service base URL of the service; results may come from addresses of the same kind
   * @param allowedHosts hosts, with or without a port, that the user allowed despite this policy
   */
  constructor(service: URL, allowedHosts: readonly string[] = [], resolve: Resolve = resolveHost) {
    this.#service = service;
    this.#allowedHosts = new Set(allowedHosts.map((host) => host.trim().toLowerCase()));
    this.#resolve = resolve;
  }

  /** Checks everything that can be checked before name resolution: the scheme, and an IP address in the URL itself. */
  async check(url: URL): Promise<void> {
    const isPlain = url.protocol === 'http:';
    if (url.protocol !== 'https:' && !(isPlain && this.#service.protocol === 'http:')) {
      throw refused(url, english.t('it would be sent over {0}', url.protocol.slice(0, -1)));
    }
    if (this.#isAllowed(url)) {
      return;
    }
    const kind = kindOf(hostName(url));
    if (kind !== undefined) {
      await this.#checkKind(url, kind);
    }
  }

  /**
   * Returns a name resolution for the request that fetches this URL. It hands out exactly the addresses that it
   * checked, so that nothing can change in between. One disallowed address refuses the name. It isn't called behind a
   * proxy, which resolves names itself.
   */
  lookupFor(url: URL): LookupFunction {
    return (host, options, callback) => {
      void this.#answer(url, host, options, callback);
    };
  }

  async #answer(
    url: URL,
    host: string,
    options: dns.LookupOptions,
    callback: Parameters<LookupFunction>[2],
  ): Promise<void> {
    let addresses: dns.LookupAddress[];
    try {
      addresses = await this.#addresses(url, host, options);
    } catch (error) {
      callback(error instanceof Error ? error : notFound(host), '');
      return;
    }
    const [first] = addresses;
    if (options.all === true) {
      callback(null, addresses);
    } else {
      callback(null, first?.address ?? '', first?.family);
    }
  }

  async #addresses(url: URL, host: string, { family }: dns.LookupOptions): Promise<dns.LookupAddress[]> {
    const found = await this.#resolve(host);
    if (!this.#isAllowed(url)) {
      for (const { address } of found) {
        await this.#checkKind(url, addressKind(address));
      }
    }
    const wanted = found.filter((entry) => (family !== 4 && family !== 6 ? true : entry.family === family));
    if (wanted.length === 0) {
      throw notFound(host);
    }
    return wanted;
  }

  async #checkKind(url: URL, kind: AddressKind): Promise<void> {
    if (kind === 'public' || (await this.#serviceKinds()).has(kind)) {
      return;
    }
    throw refused(url, descriptions[kind], url.host);
  }

  async #serviceKinds(): Promise<Set<AddressKind>> {
    const host = hostName(this.#service);
    const kind = kindOf(host);
    if (kind !== undefined) {
      return new Set([kind]);
    }
    try {
      const kinds = new Set((await this.#resolve(host)).map(({ address }) => addressKind(address)));
      // A service on the internet could add a loopback address to its name, to get results from this machine allowed.
      return kinds.has('public') ? new Set() : kinds;
    } catch {
      // Perhaps only a proxy can resolve the name, so its kind is unknown.
      return new Set();
    }
  }

  #isAllowed(url: URL): boolean {
    return this.#allowedHosts.has(url.host) || this.#allowedHosts.has(url.hostname);
  }
}

const descriptions: Record<Exclude<AddressKind, 'public'>, string> = {
  loopback: english.t('its address is this machine'),
  private: english.t('its address is on a private network'),
  'link-local': english.t('its address is link-local'),
  shared: english.t('its address is on a shared (carrier-grade NAT) network'),
  reserved: english.t('its address is not public'),
};

/** Returns the kind of a host that is known before it is resolved: an IP address, or localhost (RFC 6761). */
function kindOf(host: string): AddressKind | undefined {
  if (net.isIP(host) !== 0) {
    return addressKind(host);
  }
  return host === 'localhost' || host.endsWith('.localhost') ? 'loopback' : undefined;
}

/** @param allowable the host, if the user can allow it */
function refused(url: URL, reason: string, allowable?: string): LimnerError {
  return new LimnerError(
    'result_refused',
    english.t("Didn't fetch the image from {0}: {1}.", url.host, reason),
    {
      phase: 'download',
      billing: 'yes',
      sent: false,
      ...(allowable !== undefined && { refusedHost: allowable }),
    },
  );
}

function notFound(host: string): Error {
  return Object.assign(new Error(`No address for ${host}`), { code: 'ENOTFOUND' });
}
