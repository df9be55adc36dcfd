import { type Fault, FAULT_KINDS } from './faultCatalog.ts';
import type { Passage } from './defineFault.ts';

interface SwitchedOn {
  fault: Fault;
  /** The remaining counts of each path or, under an empty path, of all. */
  left: Map<string, Left>;
}

interface Left {
  skip: number;
  times: number;
}

export class ActiveFaults {
  #faults: SwitchedOn[] = [];

  add(faults: readonly Fault[]): void {
    this.#faults.push(
      ...faults.map((fault) => ({ fault: structuredClone(fault), left: new Map<string, Left>() })),
    );
  }

  clear(): void {
    this.#faults = [];
  }

  /** Returns the remaining faults, with `skip` and `times` counted down. */
  list(): Fault[] {
    return this.#faults.map(({ fault, left }) => {
      const { skip, times } = left.get('') ?? fault;
      return { ...fault, skip, times: times === Infinity ? 0 : times };
    });
  }

  /** Returns the first fault that is due for a request, and counts it down. */
  take(passage: Passage): Fault | undefined {
    const fitting = this.#faults
      .filter(({ fault }) => isMeantFor(fault, passage))
      .map((switchedOn) => ({ switchedOn, left: leftOf(switchedOn, passage.url.pathname) }));
    const due = fitting.find(({ left }) => left.skip === 0 && left.times > 0);
    for (const { left } of fitting) {
      left.skip = Math.max(0, left.skip - 1);
    }
    if (due === undefined) {
      return undefined;
    }
    due.left.times -= 1;
    this.#faults = this.#faults.filter(({ left }) => left.get('')?.times !== 0);
    return due.switchedOn.fault;
  }
}

function isMeantFor(fault: Fault, passage: Passage): boolean {
  return (
    (fault.on === 'any' || fault.on === passage.target) &&
    (fault.path === undefined || fault.path === passage.url.pathname) &&
    FAULT_KINDS[fault.kind].applies(fault, passage)
  );
}

function leftOf({ fault, left }: SwitchedOn, path: string): Left {
  const key = fault.eachPath === true ? path : '';
  const known = left.get(key) ?? { skip: fault.skip, times: fault.times === 0 ? Infinity : fault.times };
  left.set(key, known);
  return known;
}
