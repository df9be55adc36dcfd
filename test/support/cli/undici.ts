import { type Proxies, UndiciTransport } from '../../../src/cli/setup/undiciTransport.ts';

/** The transport of the command line, without a proxy unless there is one. */
export function undiciTransport(proxies: Partial<Proxies> = {}): UndiciTransport {
  return new UndiciTransport({ http: '', https: '', ...proxies });
}
