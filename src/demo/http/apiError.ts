/** An error for the caller. The form of its body depends on the model family (docs/service.md, "Error bodies"). */
export class ApiError extends Error {
  readonly status: number;
  readonly type: string;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(
    status: number,
    code: string,
    message: string,
    options: { type?: string; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.type = options.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
    this.headers = options.headers ?? {};
  }
}

export function invalidRequest(message: string, code = 'invalid_request'): ApiError {
  return new ApiError(400, code, message);
}

/** Returns the error body, in OpenAI's shape for `/v1` and in Google's for `/v1beta`. */
export function errorBody(error: ApiError, path: string): object {
  if (path.startsWith('/v1beta')) {
    return { error: { code: error.status, message: error.message, status: googleStatus(error.status) } };
  }
  return { error: { message: error.message, type: error.type, param: null, code: error.code } };
}

const googleStatuses: Readonly<Record<number, string>> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
};

function googleStatus(status: number): string {
  return googleStatuses[status] ?? (status >= 500 ? 'INTERNAL' : 'INVALID_ARGUMENT');
}
