import { UndiciTransport } from '../../../src/cli/undiciTransport.ts';
import { Exchange } from '../../../src/service/exchange.ts';
import { describeTransport } from '../service/transportConformance.ts';

describeTransport('UndiciTransport', () => new UndiciTransport(Exchange), {
  posts: true,
  decodes: true,
  connects: true,
});
