import { ApiError } from './apiError.ts';
import type { DemoClock } from './clock.ts';
import type { Fault, Target } from './fault.ts';
import { bodyLength, type Reply } from './reply.ts';

/** The faults that are switched on; the first one meant for a request meets it. */
export class Faults {
  readonly #clock: DemoClock;
  #faults: Fault[];

  constructor(clock: DemoClock, faults: readonly Fault[]) {
    this.#clock = clock;
    this.#faults = faults.map((fault) => structuredClone(fault));
  }

  add(faults: readonly Fault[]): void {
    this.#faults.push(...faults);
  }

  clear(): void {
    this.#faults = [];
  }

  /** What is still to come, `skip` and `times` counted down. */
  list(): readonly Fault[] {
    return this.#faults;
  }

  /** Lets an endpoint work, or the fault that is meant for it. */
  async meet(target: Target, work: () => Reply | Promise<Reply>): Promise<Reply> {
    const fault = this.#take(target);
    return fault === undefined ? work() : this.#spoil(fault, work);
  }

  #take(target: Target): Fault | undefined {
    const fitting = this.#faults.filter(({ on }) => on === 'any' || on === target);
    const fault = fitting.find(({ skip }) => skip === 0);
    for (const waiting of fitting) {
      waiting.skip = Math.max(0, waiting.skip - 1);
    }
    if (fault !== undefined && fault.times > 0) {
      fault.times -= 1;
      if (fault.times === 0) {
        this.#faults = this.#faults.filter((other) => other !== fault);
      }
    }
    return fault;
  }

  async #spoil(fault: Fault, work: () => Reply | Promise<Reply>): Promise<Reply> {
    switch (fault.kind) {
      case 'status':
        return answerInstead(fault);
      case 'reset':
      case 'stall': {
        const { kind: ending, when } = fault;
        if (when === 'body') {
          const reply = await gather(await work());
          return { ...reply, delivery: { kind: 'cut', bytes: (bodyLength(reply) ?? 0) / 2, ending } };
        }
        if (when === 'after') {
          // Whatever the work came to, the caller hears nothing of it.
          await Promise.resolve()
            .then(work)
            .then(gather)
            .catch(() => undefined);
        }
        return { status: 500, headers: {}, body: [], delivery: { kind: 'silent', ending } };
      }
      case 'truncate':
        return { ...(await work()), delivery: { kind: 'cut', bytes: fault.bytes, ending: 'end' } };
      case 'slow':
        return { ...(await work()), delivery: { kind: 'slow', bytesPerSecond: fault.bytesPerSecond } };
      case 'delay': {
        const reply = await work();
        await this.#clock.wait(fault.milliseconds);
        return reply;
      }
      case 'body': {
        const reply = await work();
        const headers = { ...reply.headers, 'content-type': fault.contentType };
        return { ...reply, headers, body: [Buffer.from(fault.body)] };
      }
      case 'pad': {
        const reply = await work();
        const missing = Math.max(0, fault.bytes - (bodyLength(reply) ?? fault.bytes));
        return Array.isArray(reply.body) ? { ...reply, body: [...reply.body, Buffer.alloc(missing)] } : reply;
      }
    }
  }
}

/** A stream is waited for: only at its end is it known where its middle is. */
async function gather(reply: Reply): Promise<Reply> {
  const body: Uint8Array[] = [];
  for await (const part of reply.body) {
    body.push(part);
  }
  return { ...reply, body };
}

function answerInstead({ status, code, message, headers, body }: Extract<Fault, { kind: 'status' }>): Reply {
  if (body === undefined) {
    throw new ApiError(status, code, message, { headers });
  }
  return { status, headers: { 'content-type': 'text/html', ...headers }, body: [Buffer.from(body)] };
}
