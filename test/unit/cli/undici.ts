import type { Proxies } from '../../../src/cli/proxies.ts';
import { UndiciTransport } from '../../../src/cli/undiciTransport.ts';
import * as engine from '../../../src/engine.ts';

/** The transport of the command line, without a proxy unless there is one. */
export function undiciTransport(proxies: Partial<Proxies> = {}): UndiciTransport {
  return new UndiciTransport(engine, () => ({ http: '', https: '', ...proxies }));
}
