import { ApiError, type FieldError } from '../http/api-error.ts';

/** Why something that was typed was refused, a sentence each. Rethrows what is no refusal of it. */
export function problemsOf(error: unknown): readonly string[] {
  if (!(error instanceof ApiError) || (error.status !== 422 && error.status !== 400)) throw error;
  return error.errors.length === 0 ? [error.message] : error.errors.map(sentence);
}

const sentence = ({ field, code, message }: FieldError): string =>
  message ??
  `${field} ${{ missing: 'is missing', invalid: 'is invalid', too_long: 'is too long' }[code]}`;
