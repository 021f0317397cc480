/** A `CictlError` is expected and reported in one line. Any other error is a bug (exit code 10). */

export type ErrorKind =
  | 'usage'
  | 'auth'
  | 'not_found'
  | 'refused'
  | 'unreachable'
  | 'rate_limited'
  | 'service_failed'
  | 'invalid_response'
  | 'machine'
  | 'timeout'
  | 'interrupted'
  | 'terminated'
  | 'internal';

const exitCodes: Record<ErrorKind, number> = {
  usage: 2,
  auth: 6,
  not_found: 7,
  refused: 8,
  // No response, a 429 after all attempts, a 5xx, or an unusable response.
  unreachable: 9,
  rate_limited: 9,
  service_failed: 9,
  invalid_response: 9,
  machine: 10,
  internal: 10,
  timeout: 124,
  interrupted: 130,
  terminated: 143,
};

export interface ErrorParts {
  status?: number;
  details?: readonly string[];
  /** The service's own message. In JSON output, it is the first entry of `details`. */
  serviceMessage?: string;
  hint?: string | undefined;
  /** Milliseconds after which the service allows a retry */
  retryAfter?: number;
  missing?: MissingName;
  cause?: unknown;
}

export interface MissingName {
  readonly kind: 'organization' | 'pipeline';
  readonly slug: string;
  readonly org?: string;
}

export class CictlError extends Error {
  override readonly name = 'CictlError';
  readonly kind: ErrorKind;
  readonly status: number | undefined;
  readonly details: readonly string[];
  readonly serviceMessage: string | undefined;
  readonly hint: string | undefined;
  readonly retryAfter: number | undefined;
  readonly missing: MissingName | undefined;

  constructor(kind: ErrorKind, message: string, parts: ErrorParts = {}) {
    super(message, { cause: parts.cause });
    this.kind = kind;
    this.status = parts.status;
    this.details = parts.details ?? [];
    this.serviceMessage = parts.serviceMessage;
    this.hint = parts.hint;
    this.retryAfter = parts.retryAfter;
    this.missing = parts.missing;
  }
}

/** Wrong flags, arguments or settings: exit code 2, and nothing was sent. */
export const usageError = (message: string, hint?: string): CictlError =>
  new CictlError('usage', message, { hint });

export const toExit = (error: unknown): number => exitCodes[asExpected(error).kind];

type Show = (text: string) => string;

/** Whether the service or the network failed, in which case a retry may help. */
export const isServiceError = (error: unknown): error is CictlError =>
  error instanceof CictlError && exitCodes[error.kind] === 9;

export function toText(error: unknown, show: Show = unchanged): string {
  const { kind, message, details, hint } = shown(error, show);
  // Prints each error in a file on its own line, so that editors can jump to the error's position.
  const isListed = kind === 'usage' && details.length > 1;
  const reasons = details.length > 0 && !isListed ? ` (${details.join('; ')})` : '';
  const lines = [`cictl: ${message}${reasons}`, ...(isListed ? details : [])];
  if (hint !== undefined) lines.push(`  try: ${hint}`);
  return lines.map(asOneLine).join('\n');
}

const asOneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');

export function toJson(error: unknown, show: Show = unchanged): string {
  const { kind, status, message, serviceDetails, hint } = shown(error, show);
  const code = toExit(error);
  return JSON.stringify({
    error: {
      ...{ code, kind, status: status ?? null, message },
      ...{ details: serviceDetails, hint: hint ?? null },
    },
  });
}

const unchanged: Show = (text) => text;

function shown(error: unknown, show: Show) {
  const { kind, status, message, serviceMessage, details, hint } = asExpected(error);
  const all = [...(serviceMessage === undefined ? [] : [serviceMessage]), ...details];
  const readable = (texts: readonly string[]): string[] => texts.map(show).map(bounded);
  const texts = {
    message: bounded(show(message)),
    details: readable(details),
    serviceDetails: readable(all),
  };
  // A long hint is omitted, because a truncated command line would be a different command.
  const isWhole = hint !== undefined && hint.length <= longest;
  return { kind, status, ...texts, hint: isWhole ? show(hint) : undefined };
}

const longest = 4000;

/** Truncates the middle: the start says what is wrong, the end how to fix it. */
const bounded = (text: string): string =>
  text.length <= longest
    ? text
    : `${text.slice(0, longest - 1000)}…${text.slice(-1000)}`.replace(
        /[\ud800-\udfff](?=…)|(?<=…)[\ud800-\udfff]/g,
        '',
      );

function asExpected(error: unknown): CictlError {
  if (error instanceof CictlError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new CictlError('internal', `internal error: ${message}`, { cause: error });
}
