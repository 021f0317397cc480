import { ApiError, type FieldError } from '../http/api-error.ts';

export interface Problems {
  /** Of the page that says them. */
  readonly status: number;
  /** A sentence each. */
  readonly problems: readonly string[];
}

/**
 * Why something that was typed was refused, or cannot be written down right now: it stays on the page.
 * Rethrows what is neither.
 */
export function problemsOf(error: unknown): Problems {
  if (!(error instanceof ApiError) || !kept.has(error.status)) throw error;
  const { errors, message, status } = error;
  const problems = errors.length === 0 ? [message] : errors.map(sentence);
  return { status: status === 400 ? 422 : status, problems };
}

const kept: ReadonlySet<number> = new Set([400, 422, 507]);

const sentence = ({ field, code, message }: FieldError): string =>
  message ??
  `${field} ${{ missing: 'is missing', invalid: 'is invalid', too_long: 'is too long' }[code]}`;
