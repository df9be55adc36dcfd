import dns from 'node:dns';
import net, { type LookupFunction } from 'node:net';

export function hostName(url: URL): string {
  return url.hostname.replace(/^\[|\]$/gu, '').replace(/\.$/u, '');
}

/** Whether a URL always leads to this machine: 127.0.0.0/8, ::1, or `localhost`. */
export function isThisMachine(url: URL): boolean {
  const host = hostName(url);
  return host === 'localhost' || host === '::1' || (net.isIPv4(host) && host.startsWith('127.'));
}

const localhost: readonly dns.LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Returns the addresses of a host, without asking a name server for `localhost`. */
export async function resolveHost(host: string): Promise<dns.LookupAddress[]> {
  return host.replace(/\.$/u, '') === 'localhost' ? [...localhost] : dns.promises.lookup(host, { all: true });
}

export const lookupLocalhost: LookupFunction = (_host, { all }, callback) => {
  if (all === true) {
    callback(null, [...localhost]);
  } else {
    callback(null, '127.0.0.1', 4);
  }
};

/** The kind of network that an address belongs to. All kinds but `public` are reachable only locally. */
export type AddressKind = 'public' | 'loopback' | 'private' | 'link-local' | 'shared' | 'reserved';

const kinds: readonly (readonly [AddressKind, readonly string[]])[] = [
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7', 'fec0::/10']],
  ['link-local', ['169.254.0.0/16', 'fe80::/10']],
  // Carrier-grade NAT (RFC 6598), also used by overlay networks.
  ['shared', ['100.64.0.0/10']],
  [
    'reserved',
    [
      '0.0.0.0/8',
      '192.0.0.0/24',
      '192.0.2.0/24',
      '192.88.99.0/24',
      '198.18.0.0/15',
      '198.51.100.0/24',
      '203.0.113.0/24',
      '224.0.0.0/3',
      // Everything but 2000::/3, the allocated range, and the parts of it that are not for hosts.
      '::/3',
      '4000::/2',
      '8000::/1',
      '2001::/23',
      '2001:db8::/32',
      '3fff::/20',
    ],
  ],
];

/** Kept separate by family: block lists match IPv4 addresses against IPv6 ranges of mapped ones, too. */
const ranges = kinds.map(([kind, subnets]) => ({
  kind,
  ipv4: blockList(subnets.filter((subnet) => !subnet.includes(':'))),
  ipv6: blockList(subnets.filter((subnet) => subnet.includes(':'))),
}));

/** Cloud metadata services in otherwise ordinary ranges. */
const metadata = blockList(['100.100.100.200/32', '168.63.129.16/32', 'fd00:ec2::254/128', '192.0.0.192/32']);

/** IPv6 ranges that embed an IPv4 address, and the index of the 16-bit group where it begins. */
const carriers: readonly (readonly [net.BlockList, number])[] = [
  [blockList(['::ffff:0:0/96']), 6],
  [blockList(['::/96']), 6],
  [blockList(['::ffff:0:0:0/96']), 6],
  [blockList(['64:ff9b::/96']), 6],
  [blockList(['2002::/16']), 1],
];

/**
 * Returns the kind of an IP address. IPv4-mapped, -compatible and -translated, NAT64 and 6to4 addresses have the kind
 * of the embedded IPv4 address; cloud metadata services always count as link-local.
 *
 * @param address an IPv4 or IPv6 address, a zone (`%eth0`) allowed; anything else is `reserved`
 */
export function addressKind(address: string): AddressKind {
  const bare = address.replace(/%.*$/u, '');
  const family = net.isIP(bare);
  if (family === 0) {
    return 'reserved';
  }
  const version = family === 4 ? 'ipv4' : 'ipv6';
  if (metadata.check(bare, version)) {
    return 'link-local';
  }
  if (version === 'ipv6') {
    const groups = groupsOf(bare);
    if (groups.slice(0, 7).every((group) => group === 0) && groups[7] === 1) {
      return 'loopback';
    }
    const carrier = carriers.find(([list]) => list.check(bare, 'ipv6'));
    if (carrier !== undefined) {
      return addressKind(carriedAddress(groups, carrier[1]));
    }
  }
  return ranges.find((range) => range[version].check(bare, version))?.kind ?? 'public';
}

function blockList(subnets: readonly string[]): net.BlockList {
  const list = new net.BlockList();
  for (const subnet of subnets) {
    const [address = '', prefix] = subnet.split('/');
    list.addSubnet(address, Number(prefix), address.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}

function groupsOf(address: string): number[] {
  // The URL parser normalizes every spelling of an address to one form without dots.
  const canonical = hostName(new URL(`http://[${address}]`));
  const [head = '', tail] = canonical.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}

function carriedAddress(groups: readonly number[], start: number): string {
  const high = groups[start] ?? 0;
  const low = groups[start + 1] ?? 0;
  return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
}
