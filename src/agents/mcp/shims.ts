import process from 'node:process';

export { process };

/**
 * Replaces the SDK's validator, which is larger than the rest of the SDK. The user only answers yes or no, so there are
 * no values to check.
 */
export class DefaultJsonSchemaValidator {
  getValidator<T>(): (input: T) => { valid: true; data: T; errorMessage: undefined } {
    return (data) => ({ valid: true, data, errorMessage: undefined });
  }
}
