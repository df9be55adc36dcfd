import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { describe, it } from 'node:test';
import { AddressPolicy } from '../../../../src/service/http/addressPolicy.ts';
import {
  addressKind,
  isThisMachine,
  lookupLocalhost,
  resolveHost,
} from '../../../../src/service/http/hosts.ts';

const publicService = new URL('https://api.example.com/v1');

/** Names as a resolver would know them. */
function names(table: Record<string, string[]>): (host: string) => Promise<LookupAddress[]> {
  return (host) => {
    const found = table[host];
    return found === undefined
      ? Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }))
      : Promise.resolve(found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })));
  };
}

/** Checks a URL as a download does: before the request, then in its name resolution. */
async function fetchedFrom(policy: AddressPolicy, address: string, family = 0): Promise<string> {
  const url = new URL(address);
  await policy.check(url);
  return new Promise((resolve, reject) => {
    policy.lookupFor(url)(url.hostname, { family }, (error, found) => {
      if (error === null && typeof found === 'string') {
        resolve(found);
      } else {
        reject(error);
      }
    });
  });
}

const refused = { code: 'result_refused' };

/** A policy for a service on the internet. */
function publicPolicy(allowedHosts: readonly string[] = []): AddressPolicy {
  return new AddressPolicy(publicService, allowedHosts, names({ [publicService.host]: ['8.8.4.4'] }));
}

describe('AddressPolicy', () => {
  for (const address of [
    'https://127.0.0.1/a.png',
    'https://127.1/a.png',
    'https://localhost/a.png',
    'https://0.0.0.0/a.png',
    'https://10.1.2.3/a.png',
    'https://169.254.169.254/latest/meta-data',
    'https://100.100.100.200/latest/meta-data',
    'https://[::1]/a.png',
    'https://[fd00:ec2::254]/latest/meta-data',
    'https://[::ffff:10.0.0.1]/a.png',
    'https://[2002:a00:1::]/a.png',
    'https://127.0.0.1./a.png',
    'https://0177.0.0.1/a.png',
    'https://①②⑦.⓪.⓪.①/a.png',
    'https://%31%32%37.0.0.1/a.png',
    'https://[::ffff:169.254.169.254]/latest/meta-data',
    'https://[2002:7f00:1::1]/a.png',
    'https://168.63.129.16/metadata',
    'https://results.example@127.0.0.1/a.png',
    'https:\\\\127.0.0.1\\a.png',
  ]) {
    it(`refuses ${address} for a public service`, async () => {
      await assert.rejects(publicPolicy().check(new URL(address)), refused);
    });
  }

  it('takes public addresses, also as IPv4 inside IPv6', async () => {
    for (const address of [
      'https://8.8.8.8/a.png',
      'https://[2606:4700::1111]/a.png',
      'https://[64:ff9b::8.8.8.8]/',
      'https://[2a00:1450::1]/a.png',
      'https://134744072/a.png',
      'https://127.0.0.1@8.8.8.8:8443/a.png',
    ]) {
      await publicPolicy().check(new URL(address));
    }
  });

  it('takes no scheme but https, and http only where the service itself is plain http', async () => {
    for (const address of [
      'http://8.8.8.8/a.png',
      'data:image/png;base64,AAAA',
      'file:///etc/passwd',
      'ftp://8.8.8.8/',
      'blob:https://8.8.8.8/a',
      'javascript:alert(1)',
      'ws://8.8.8.8/',
      'gopher://8.8.8.8/',
      'command:workbench.action.quit',
    ]) {
      await assert.rejects(publicPolicy().check(new URL(address)), refused, address);
    }
    const plain = new AddressPolicy(new URL('http://8.8.4.4/v1'));
    await plain.check(new URL('http://8.8.8.8/a.png'));
    await plain.check(new URL('https://8.8.8.8/a.png'));
  });

  it('refuses a name that leads to a private address, in the resolution that the request itself uses', async () => {
    const resolve = names({
      'inside.example': ['10.0.0.1'],
      'mixed.example': ['8.8.8.8', '::ffff:127.0.0.1'],
    });
    const policy = new AddressPolicy(publicService, [], resolve);
    await assert.rejects(fetchedFrom(policy, 'https://inside.example/a.png'), refused);
    await assert.rejects(fetchedFrom(policy, 'https://mixed.example/a.png'), refused);
  });

  it('refuses a name by each of the addresses that it may lead to, however they are written', async () => {
    for (const address of [
      '127.0.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '::1',
      '::',
      'fe80::1%eth0',
      'fd00:ec2::254',
      '::ffff:192.168.0.1',
      '64:ff9b::10.0.0.1',
      '2002:c0a8:1::',
    ]) {
      const policy = new AddressPolicy(
        publicService,
        [],
        names({ 'cdn.example': ['8.8.8.8', address], 'cdn.example.': ['8.8.8.8', address] }),
      );
      await assert.rejects(fetchedFrom(policy, 'https://cdn.example/a.png'), refused, address);
      await assert.rejects(fetchedFrom(policy, 'https://cdn.example./a.png'), refused, address);
      // Which family is asked for does not narrow what is looked at.
      await assert.rejects(fetchedFrom(policy, 'https://cdn.example/a.png', 4), refused, address);
    }
  });

  it('does not let a service on the internet allow an address by adding it to its own name', async () => {
    for (const added of ['127.0.0.1', '10.0.0.1', '169.254.169.254']) {
      const resolve = names({ 'api.example.com': ['8.8.8.8', added] });
      await assert.rejects(
        new AddressPolicy(publicService, [], resolve).check(new URL(`https://${added}/a.png`)),
        refused,
      );
    }
  });

  it('leaves a name that is not known to the resolver', async () => {
    const policy = new AddressPolicy(publicService, [], names({}));
    await assert.rejects(fetchedFrom(policy, 'https://gone.example/a.png'), { code: 'ENOTFOUND' });
  });

  it('takes addresses of the kind that the service itself has, and of no other', async () => {
    const local = new AddressPolicy(new URL('http://127.0.0.1:4000'));
    await local.check(new URL('http://127.0.0.1:5000/a.png'));
    await local.check(new URL('http://[::1]:5000/a.png'));
    await assert.rejects(local.check(new URL('http://192.168.0.1/a.png')), refused);
    await assert.rejects(local.check(new URL('http://169.254.169.254/')), refused);
    const resolve = names({
      'gateway.corp': ['10.0.0.5'],
      'files.corp': ['10.9.9.9'],
      'evil.example': ['127.0.0.1'],
    });
    const inside = new AddressPolicy(new URL('https://gateway.corp/v1'), [], resolve);
    assert.equal(await fetchedFrom(inside, 'https://files.corp/a.png'), '10.9.9.9');
    await assert.rejects(fetchedFrom(inside, 'https://evil.example/a.png'), refused);
  });

  it('takes a host that a person allowed, with or without its port', async () => {
    const resolve = names({ 'files.corp': ['10.9.9.9'] });
    for (const allowed of ['files.corp', 'FILES.corp:8443', ' files.corp ']) {
      const policy = new AddressPolicy(publicService, [allowed], resolve);
      assert.equal(await fetchedFrom(policy, 'https://files.corp:8443/a.png'), '10.9.9.9');
    }
    const policy = new AddressPolicy(publicService, ['files.corp:1'], resolve);
    await assert.rejects(fetchedFrom(policy, 'https://files.corp:8443/a.png'), refused);
    await publicPolicy(['192.168.0.1']).check(new URL('https://192.168.0.1/a.png'));
  });
});

describe('this machine', () => {
  it('is an address of it or its name, however they are written', () => {
    for (const here of [
      'localhost',
      'LOCALHOST',
      'localhost.',
      '127.0.0.1',
      '127.9.8.7',
      '0x7f.1',
      '[::1]',
      '[0:0::1]',
    ]) {
      assert.ok(isThisMachine(new URL(`http://${here}:8080/a`)), here);
    }
    for (const there of [
      'localhost.example',
      'my-localhost',
      '127.example',
      '126.0.0.1',
      '[::2]',
      '[::ffff:127.0.0.1]',
      '0.0.0.0',
    ]) {
      assert.ok(!isThisMachine(new URL(`http://${there}:8080/a`)), there);
    }
  });

  it('has its addresses by its name without any name server', async () => {
    const both = [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ];
    assert.deepEqual(await resolveHost('localhost'), both);
    assert.deepEqual(await resolveHost('localhost.'), both);
    const found: unknown[] = [];
    lookupLocalhost('localhost', { all: true }, (...answer) => found.push(answer));
    lookupLocalhost('localhost', {}, (...answer) => found.push(answer));
    assert.deepEqual(found, [
      [null, both],
      [null, '127.0.0.1', 4],
    ]);
    assert.deepEqual(await resolveHost('8.8.8.8'), [{ address: '8.8.8.8', family: 4 }]);
  });
});

/** Returns an address of IPv4 as two groups of one of IPv6. */
function groups(address: string): string {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
}

describe('addressKind', () => {
  it('knows the edges of its ranges', () => {
    const kinds = {
      '9.255.255.255': 'public',
      '10.0.0.0': 'private',
      '172.15.255.255': 'public',
      '172.16.0.0': 'private',
      '172.32.0.0': 'public',
      '100.63.255.255': 'public',
      '100.127.255.255': 'shared',
      '100.128.0.0': 'public',
      '223.255.255.255': 'public',
      '255.255.255.255': 'reserved',
      'fe80::1%eth0': 'link-local',
      '::ffff:8.8.8.8': 'public',
      '::ffff:127.0.0.1': 'loopback',
      '::ffff:0:10.0.0.1': 'private',
      '64:ff9b::a9fe:a9fe': 'link-local',
      '2002:6440:1::': 'shared',
      '2000::': 'public',
      '3fff:1000::': 'public',
      '3fff:fff::': 'reserved',
      '1fff:ffff::': 'reserved',
      '4000::': 'reserved',
      'not an address': 'reserved',
    };
    for (const [address, kind] of Object.entries(kinds)) {
      assert.equal(addressKind(address), kind, address);
    }
  });

  for (const [kind, inside, outside] of [
    ['loopback', '127.0.0.0 127.255.255.255 ::1 ::0:1', '126.255.255.255 128.0.0.0'],
    ['private', '10.0.0.0 10.255.255.255', '9.255.255.255 11.0.0.0'],
    ['private', '172.16.0.0 172.31.255.255', '172.15.255.255 172.32.0.0'],
    ['private', '192.168.0.0 192.168.255.255', '192.167.255.255 192.169.0.0'],
    ['private', 'fc00:: fdff:ffff::ffff fec0:: feff:ffff::ffff fd00:ec2::253 fd00:ec2::255', ''],
    ['link-local', '169.254.0.0 169.254.255.255 fe80:: febf:ffff::1', '169.253.255.255 169.255.0.0'],
    ['link-local', '168.63.129.16 100.100.100.200 192.0.0.192 fd00:ec2::254', '168.63.129.15 168.63.129.17'],
    ['shared', '100.64.0.0 100.127.255.255 100.100.100.199 100.100.100.201', '100.63.255.255 100.128.0.0'],
    ['reserved', '0.0.0.0 0.255.255.255 :: 0:0::0 ::2 100:: 1fff:ffff::1', '1.0.0.0 2000::'],
    [
      'reserved',
      '192.0.0.0 192.0.0.255 192.0.2.0 192.0.2.255',
      '191.255.255.255 192.0.1.0 192.0.1.255 192.0.3.0',
    ],
    ['reserved', '192.88.99.0 192.88.99.255', '192.88.98.255 192.88.100.0'],
    ['reserved', '198.18.0.0 198.19.255.255', '198.17.255.255 198.20.0.0'],
    ['reserved', '198.51.100.0 198.51.100.255', '198.51.99.255 198.51.101.0'],
    ['reserved', '203.0.113.0 203.0.113.255', '203.0.112.255 203.0.114.0'],
    ['reserved', '224.0.0.0 239.1.1.1 255.255.255.255', '223.255.255.255'],
    ['reserved', '4000:: 7fff::1 8000:: fbff::1 ff00:: ffff::1', '3ffe:ffff::1'],
    [
      'reserved',
      '2001:: 2001:1ff:ffff::1 2001:db8:: 2001:db8:ffff::1',
      '2000:ffff::1 2001:200:: 2001:db7:ffff::1 2001:db9::',
    ],
    ['reserved', '3fff:: 3fff:fff:ffff::1', '3fff:1000:: 3ffe:ffff::1'],
    ['reserved', '64:ff9b:1::808:808 64:ff9a::808:808 ::1:ffff:808:808 127.1 localhost ', ''],
  ] as const) {
    it(`takes ${inside} for ${kind}, and nothing beside them`, () => {
      for (const address of inside.split(' ')) {
        assert.equal(addressKind(address), kind, address);
        assert.equal(addressKind(address.toUpperCase()), kind, address);
      }
      for (const address of outside.split(' ').filter((one) => one !== '')) {
        assert.equal(addressKind(address), 'public', address);
      }
    });
  }

  it('takes an address of IPv6 for what the one of IPv4 is that it carries', () => {
    for (const [address, kind] of [
      ['8.8.4.4', 'public'],
      ['203.1.112.254', 'public'],
      ['10.0.0.7', 'private'],
      ['172.31.255.254', 'private'],
      ['127.1.2.3', 'loopback'],
      ['169.254.169.254', 'link-local'],
      ['168.63.129.16', 'link-local'],
      ['100.100.100.200', 'link-local'],
      ['100.64.3.2', 'shared'],
      ['224.0.0.251', 'reserved'],
    ] as const) {
      for (const carrier of [
        `::ffff:${address}`,
        `::${address}`,
        `::ffff:0:${address}`,
        `64:ff9b::${address}`,
        `0:0:0:0:0:ffff:${groups(address)}`,
        `64:FF9B:0:0:0:0:${groups(address)}`,
        `2002:${groups(address)}::1`,
        `2002:${groups(address)}:a:b:c:d:e`,
      ]) {
        assert.equal(addressKind(carrier), kind, carrier);
        assert.equal(addressKind(`${carrier}%eth0`), kind, carrier);
      }
    }
  });
});
