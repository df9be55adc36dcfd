import type { Reply } from '../http/reply.ts';
import { type Fault, FAULT_KINDS } from './faultCatalog.ts';
import type { Passage, Work } from './defineFault.ts';
import { ActiveFaults } from './activeFaults.ts';
import { Weather, type WeatherOptions } from './weather.ts';

/** Applies the faults that are switched on and those that the weather brings. */
export class FaultInjector {
  readonly switchedOn = new ActiveFaults();
  readonly weather = new Weather();

  constructor(faults: readonly Fault[], weather: WeatherOptions | undefined) {
    this.switchedOn.add(faults);
    this.weather.set(weather);
  }

  /** Applies the fault that is due for a request, or lets the endpoint work. */
  async apply(passage: Passage, work: Work): Promise<Reply> {
    passage.log.target = passage.target;
    // The weather counts the request even if another fault takes precedence.
    const drawn = this.weather.take(passage);
    const fault = this.switchedOn.take(passage) ?? drawn;
    if (fault === undefined) {
      return work();
    }
    passage.log.met = fault;
    return FAULT_KINDS[fault.kind].apply(fault, work, passage);
  }
}
