import * as english from '../../common/english.ts';
import {
  asLimnerError,
  LimnerError,
  type Billing,
  type Phase,
  isLimnerError,
} from '../../common/limnerError.ts';
import { hostName } from './hosts.ts';

/**
 * Adds the phase to an error, and the consequence for the bill unless the error states it. A request that was never
 * sent is never billed.
 */
export function inPhase(error: unknown, phase: Phase, billing: Billing): LimnerError {
  const known = asLimnerError(error, english.t('The request failed unexpectedly.'), {
    phase,
    billing,
    sent: true,
  });
  if (known.phase !== undefined && known.billing !== undefined) {
    return known;
  }
  const { code, message, ...options } = known.toRecord();
  return new LimnerError(code, message, {
    ...options,
    phase: options.phase ?? phase,
    billing: options.billing ?? (phase === 'submit' && options.sent === false ? 'no' : billing),
    cause: error,
  });
}

/** Error codes from before the first byte. */
const neverSent = new Set([
  'ENOTFOUND',
  'EAI_AGAIN',
  'EAI_FAIL',
  'EAI_NODATA',
  'ECONNREFUSED',
  'UND_ERR_CONNECT_TIMEOUT',
]);

/** Certificate errors of OpenSSL and Node. */
const certificateCode =
  /^(?:CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/u;

/** Error codes for a reply that isn't TLS. */
const tlsCode = /^(?:EPROTO$|ERR_SSL_)/u;

/**
 * Turns any error of an HTTP client into a `LimnerError` `network`. A `LimnerError`, also as the cause, stays as it
 * is.
 *
 * @param sent whether the first byte of the request may have been sent before the error
 */
export function transportError(error: unknown, url: URL, sent: boolean): LimnerError {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    if (isLimnerError(cause)) {
      return cause;
    }
  }
  const refusal = proxyRefusal(error);
  if (refusal !== undefined) {
    return refusedByProxy(refusal, url, error);
  }
  const code = codeOf(error);
  const isCertificate = code !== undefined && certificateCode.test(code);
  const isEarly = code !== undefined && (neverSent.has(code) || isCertificate);
  const left = sent && !isEarly && !failedToConnect(error);
  const isLasting = isCertificate || (!left && code !== undefined && tlsCode.test(code));
  return new LimnerError('network', describe(error, code, url), {
    sent: left,
    ...(isLasting && { lasting: true }),
    cause: bareError(error),
  });
}

/**
 * Returns the error of a proxy that let nothing through to the service. Only errors of the proxy itself, or beyond it,
 * are temporary.
 */
export function refusedByProxy(status: number, url: URL, cause?: unknown): LimnerError {
  const passes = status < 400 || status === 408 || status === 429 || status >= 500;
  const host = hostName(url);
  const message =
    status === 407
      ? english.t(
          'The proxy wants a sign-in (HTTP 407). Put user:password@ before the host in its URL: in HTTPS_PROXY for the command line and agents, in the setting "http.proxy" for VS Code.',
        )
      : passes
        ? english.t("The proxy didn't let the request through (HTTP {0}).", status)
        : english.t(
            'The proxy allows no connection to {0} (HTTP {1}). Have it allowed there, or reach {2} without the proxy: with NO_PROXY for the command line and agents, with the setting "http.noProxy" for VS Code.',
            host,
            status,
            host,
          );
  return new LimnerError('network', message, {
    sent: false,
    ...(!passes && { lasting: true }),
    cause: bareError(cause),
  });
}

/** Returns the status of a proxy that refused a tunnel, from undici's error. */
function proxyRefusal(error: unknown): number | undefined {
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const [, status] = /^Proxy response \((\d{3})\)/u.exec(cause.message) ?? [];
    if (status !== undefined) {
      return Number(status);
    }
  }
  return undefined;
}

/** Returns an error without objects that its client attached, such as a certificate or a socket. */
export function bareError(error: unknown): unknown {
  if (!(error instanceof Error) || isLimnerError(error)) {
    return error;
  }
  const bare = new Error(error.message);
  for (const name of ['name', 'stack', 'code', 'syscall', 'cause', 'errors'] as const) {
    const value: unknown = Reflect.get(error, name);
    const kept = name === 'cause' ? bareError(value) : Array.isArray(value) ? value.map(bareError) : value;
    if (kept !== undefined) {
      Object.defineProperty(bare, name, { value: kept, enumerable: name !== 'stack' });
    }
  }
  return bare;
}

/** Returns the error for an expired time limit; its message names the step. */
export function timeoutError(
  step: 'connect' | 'send' | 'headers' | 'body' | 'whole',
  milliseconds: number,
  url: URL | undefined,
  sent: boolean,
): LimnerError {
  const host = url === undefined ? english.t('The service') : hostName(url);
  const seconds = `${milliseconds / 1000} s`;
  const messages = {
    connect: english.t("Couldn't reach {0} within {1}.", host, seconds),
    send: english.t('{0} accepted no more of the request for {1}.', host, seconds),
    headers: english.t("{0} didn't start to respond within {1}.", host, seconds),
    body: english.t('The response stalled: no data arrived for {0}.', seconds),
    whole: english.t("The response wasn't complete after {0}.", seconds),
  };
  return new LimnerError('timeout', messages[step], { sent });
}

function describe(error: unknown, code: string | undefined, url: URL): string {
  const host = hostName(url);
  if (code !== undefined) {
    if (code === 'ENOTFOUND' || code.startsWith('EAI_')) {
      return english.t("Couldn't resolve the host name {0} ({1}).", host, code);
    }
    if (code === 'ECONNREFUSED') {
      const port = url.port || (url.protocol === 'https:' ? 443 : 80);
      return english.t('{0} refused the connection at port {1} ({2}).', host, port, code);
    }
    if (code === 'ENETUNREACH' || code === 'EHOSTUNREACH' || code === 'ENETDOWN') {
      return english.t('{0} is unreachable ({1}).', host, code);
    }
    if (certificateCode.test(code)) {
      return describeCertificate(code, host);
    }
    if (tlsCode.test(code)) {
      return english.t(
        "{0} doesn't speak TLS as expected ({1}). Check the URL, its scheme, and its port.",
        host,
        code,
      );
    }
    if (code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET') {
      return english.t('The connection to {0} was closed early ({1}).', host, code);
    }
  }
  const text = innermostMessage(error);
  return text === ''
    ? english.t('The request to {0} failed.', host)
    : english.t('The request to {0} failed: {1}', host, text);
}

function describeCertificate(code: string, host: string): string {
  switch (code) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
    case 'HOSTNAME_MISMATCH':
      return english.t(
        'The certificate that came for {0} is for another name ({1}). Check the URL, and whether this network wants a sign-in first.',
        host,
        code,
      );
    case 'CERT_HAS_EXPIRED':
    case 'CERT_NOT_YET_VALID':
      return english.t(
        "The certificate of {0} isn't valid now ({1}). Check the clock of this computer, or tell those who run {2}.",
        host,
        code,
        host,
      );
    default:
      return english.t(
        `The certificate of {0} isn't trusted ({1}). If your network or the service has a certificate authority of its own, name its file in NODE_EXTRA_CA_CERTS for the command line and agents, and add it to the system's certificates for VS Code (setting "http.systemCertificates").`,
        host,
        code,
      );
  }
}

/**
 * Whether the connection was never established, mostly due to an unreachable network or host. Established connections
 * break with the same codes, such as `EHOSTUNREACH`; only the system call differs.
 */
function failedToConnect(error: unknown): boolean {
  if (!(error instanceof Error)) {
    return false;
  }
  if ('syscall' in error && error.syscall === 'connect') {
    return true;
  }
  if (error instanceof AggregateError && error.errors.length > 0) {
    return error.errors.every(failedToConnect);
  }
  return failedToConnect(error.cause);
}

/** Returns the first error code among the causes and the attempts at several addresses. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) {
    return undefined;
  }
  if ('code' in error && typeof error.code === 'string') {
    return error.code;
  }
  if (error instanceof AggregateError) {
    for (const attempt of error.errors as unknown[]) {
      const code = codeOf(attempt);
      if (code !== undefined) {
        return code;
      }
    }
  }
  return codeOf(error.cause);
}

function innermostMessage(error: unknown): string {
  if (!(error instanceof Error)) {
    return '';
  }
  return error.cause instanceof Error ? innermostMessage(error.cause) : error.message;
}
