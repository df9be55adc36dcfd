/** The kinds of requests that a fault can be meant for. */
export type Target = 'generations' | 'edits' | 'query' | 'native' | 'image';

/** The targets that submit something, and may be billed. */
export const SUBMISSIONS: readonly Target[] = ['generations', 'edits', 'native'];
export const TARGETS: readonly Target[] = [...SUBMISSIONS, 'query', 'image'];

/** One request as it came in, on either origin. */
export interface LoggedRequest {
  /** Unix milliseconds of the service's clock. */
  at: number;
  host: 'service' | 'result';
  method: string;
  /** Path and query as sent. */
  path: string;
  prefer?: string;
  /** The answer's status; absent while the request is open and where the connection was cut instead. */
  status?: number;
  /** What faults call it; absent for a request that has no endpoint. */
  target?: Target;
  /** Which request of its target it was since the weather was set, beginning with 1. */
  ordinal?: number;
  /** The fault that met it, as `POST /demo/faults` takes it. */
  met?: Readonly<{ kind: string }>;
}

const KEPT = 20_000;

/** Remembers the latest requests; those of the control paths are not among them. */
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
