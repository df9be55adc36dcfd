import type { Proxies } from '../../../src/cli/proxies.ts';
import { UndiciTransport } from '../../../src/cli/undiciTransport.ts';

/** The transport of the command line, without a proxy unless there is one. */
export function undiciTransport(proxies: Partial<Proxies> = {}): UndiciTransport {
  return new UndiciTransport(() => ({ http: '', https: '', ...proxies }));
}
