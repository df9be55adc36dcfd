/** A kind of request that a fault can affect. */
export type Target = 'generations' | 'edits' | 'query' | 'native' | 'image';

/** The targets that submit work and may be billed. */
export const SUBMISSIONS: readonly Target[] = ['generations', 'edits', 'native'];
export const TARGETS: readonly Target[] = [...SUBMISSIONS, 'query', 'image'];

export interface LoggedRequest {
  /** Unix milliseconds of the service's clock. */
  at: number;
  host: 'service' | 'result';
  method: string;
  path: string;
  prefer?: string;
  /** The status of the reply; absent while the request is open and if the connection was cut. */
  status?: number;
  /** Absent for a request without an endpoint. */
  target?: Target;
  /** The number of the request among those of its target since the weather was set, from 1. */
  ordinal?: number;
  /** The fault that met it, as `POST /demo/faults` takes it. */
  met?: Readonly<{ kind: string }>;
}

const KEPT = 20_000;

/** Keeps the latest requests, except those to control paths. */
export class RequestLog {
  #requests: LoggedRequest[] = [];

  add(request: LoggedRequest): LoggedRequest {
    this.#requests.push(request);
    if (this.#requests.length > 2 * KEPT) {
      this.#requests = this.#requests.slice(-KEPT);
    }
    return request;
  }

  list(): readonly LoggedRequest[] {
    return this.#requests;
  }

  clear(): void {
    this.#requests = [];
  }
}
