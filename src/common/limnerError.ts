/** Every way in which a task can fail. Settings, rows, key bindings, and the API share this list. */
export const errorCodes = [
  'no_key',
  'no_service',
  'unauthorized',
  'invalid_request',
  'no_async_channel',
  'queue_full',
  'rate_limited',
  'quota_exceeded',
  'over_budget',
  'content_rejected',
  'task_not_found',
  'task_query_failed',
  'image_generation_failed',
  'result_expired',
  'result_refused',
  'result_too_large',
  'unsupported_image',
  'empty_result',
  'outcome_unknown',
  'timeout',
  'network',
  'protocol',
  'save_failed',
  'stopped',
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export const phases = ['submit', 'poll', 'download', 'save'] as const;

export type Phase = (typeof phases)[number];

/** The consequence of an error for the bill: nothing is charged, a reservation was refunded, unknown, or charged. */
export const billings = ['no', 'refunded', 'maybe', 'yes'] as const;

export type Billing = (typeof billings)[number];

/** The service's own words about an error, as far as the body contains them. */
export interface ServiceWords {
  message?: string;
  type?: string;
  code?: string;
}

export interface LimnerErrorOptions {
  phase?: Phase;
  billing?: Billing;
  /** HTTP status, if there was a response. */
  status?: number;
  service?: ServiceWords;
  /** How long the service asked to wait before trying again, in milliseconds. */
  retryAfter?: number;
  /** Whether the first byte of the request may have been sent: if `false`, sending it again is safe. */
  sent?: boolean;
  /** The error recurs until the user changes something, as the message explains. */
  lasting?: true;
  /** Host, with its port if it has one, that results are not fetched from unless the user allows it. */
  refusedHost?: string;
  cause?: unknown;
}

type ErrorDetails = Omit<LimnerErrorOptions, 'cause'>;

/** Details of an error that occurred before anything was sent. */
export const notSent = { phase: 'submit', billing: 'no', sent: false } as const;

/** The part of an error that is stored in a task's row and sent between processes. */
export interface ErrorRecord extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/**
 * Limner's only error class. Check `code`, never `instanceof`: each bundle holds its own copy of the class. `message`
 * describes the error in plain English and never contains a key.
 */
export class LimnerError extends Error {
  override readonly name = 'LimnerError';
  readonly code: ErrorCode;
  readonly phase: Phase | undefined;
  readonly billing: Billing | undefined;
  readonly status: number | undefined;
  readonly service: ServiceWords | undefined;
  readonly retryAfter: number | undefined;
  readonly sent: boolean | undefined;
  readonly lasting: true | undefined;
  readonly refusedHost: string | undefined;

  constructor(code: ErrorCode, message: string, options: LimnerErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.phase = options.phase;
    this.billing = options.billing;
    this.status = options.status;
    this.service = options.service;
    this.retryAfter = options.retryAfter;
    this.sent = options.sent;
    this.lasting = options.lasting;
    this.refusedHost = options.refusedHost;
  }

  /** Returns the error as plain data, without its cause and stack. */
  toRecord(): ErrorRecord {
    const { code, message, phase, billing, status, service, retryAfter, sent, lasting, refusedHost } = this;
    const details = { phase, billing, status, service, retryAfter, sent, lasting, refusedHost };
    const known = Object.entries(details).filter(([, value]) => value !== undefined);
    return { code, message, ...(Object.fromEntries(known) as ErrorDetails) };
  }
}

/** Whether a caught value is a `LimnerError`, whichever bundle made it. */
export function isLimnerError(error: unknown): error is LimnerError {
  return error instanceof Error && error.name === 'LimnerError' && 'code' in error;
}

/**
 * Returns anything thrown as a `LimnerError`. Any other error is a mistake in a response or in this program.
 *
 * @param message replaces the message of such an error
 */
export function asLimnerError(
  error: unknown,
  message = String(error),
  options: ErrorDetails = {},
): LimnerError {
  return isLimnerError(error) ? error : new LimnerError('protocol', message, { ...options, cause: error });
}

/** Returns the message of a thrown value, whether it is an error or not. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
