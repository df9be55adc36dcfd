// Room: what every room may use: errors, time, words, and which paid images can still arrive.
// Never: code of any other room, VS Code, the network.

/** Every way a task can go wrong; the one list that settings, rows, key bindings and the API share. */
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

/** The part of a task's life in which an error arose. */
export const phases = ['submit', 'poll', 'download', 'save'] as const;

export type Phase = (typeof phases)[number];

/** Meaning of an error for the bill: nothing was or will be charged, a reservation was refunded, unknown, or charged. */
export const billings = ['no', 'refunded', 'maybe', 'yes'] as const;

export type Billing = (typeof billings)[number];

/** The service's own words about an error, as far as the body gave them. */
export interface ServiceWords {
  message?: string;
  type?: string;
  code?: string;
}

export interface LimnerErrorOptions {
  phase?: Phase;
  billing?: Billing;
  /** HTTP status, where an answer came. */
  status?: number;
  service?: ServiceWords;
  /** How long the service asked to wait before trying again, in milliseconds. */
  retryAfter?: number;
  /** Whether the first byte of the request may have left: `false` makes sending again safe. */
  sent?: boolean;
  /** It comes each time until a person changes something, as the message says. */
  lasting?: true;
  /** Host, with its port if it has one, that results are not fetched from unless a person allows it. */
  refusedHost?: string;
  cause?: unknown;
}

type ErrorDetails = Omit<LimnerErrorOptions, 'cause'>;

/** Details of an error that came before anything was sent. */
export const notSent = { phase: 'submit', billing: 'no', sent: false } as const;

/** The parts of an error that a task's row holds and that are sent between processes. */
export interface ErrorRecord extends ErrorDetails {
  code: ErrorCode;
  message: string;
}

/**
 * The one error class of Limner. Told apart by `code`, never by `instanceof`: bundles hold their own copies.
 * `message` says in plain English what happened; it never holds a key.
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
 * Returns anything thrown as a `LimnerError`: what isn't one is a mistake in a response or in this program.
 *
 * @param message says so in the place of what was thrown
 */
export function asLimnerError(
  error: unknown,
  message = String(error),
  options: ErrorDetails = {},
): LimnerError {
  return isLimnerError(error) ? error : new LimnerError('protocol', message, { ...options, cause: error });
}
