import { cleanLine } from '../common/untrusted-text.ts';

const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed',
  UND_ERR_SOCKET: 'connection closed',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'network is unreachable',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'host name lookup failed',
  UND_ERR_HEADERS_OVERFLOW: 'the response headers are too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH:
    'the length of the response does not match its Content-Length',
  EPROTO: 'TLS protocol error',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'the certificate is self-signed (to trust it, set NODE_EXTRA_CA_CERTS)',
  SELF_SIGNED_CERT_IN_CHAIN:
    'the certificate authority is unknown (to trust it, set NODE_EXTRA_CA_CERTS)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'the certificate authority is unknown (to trust it, set NODE_EXTRA_CA_CERTS)',
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

export function networkErrorText(error: Error): string {
  const code = codeOf(error);
  if (error instanceof StatusError) return error.message;
  if (isParserError(error)) return 'the response is not HTTP';
  if (code.startsWith('ERR_SSL_')) return `TLS failed (${code})`;
  return known[code] ?? bounded(error.message === '' ? code || error.name : error.message);
}

/** Thrown for a status code that is not valid in HTTP. */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(status: number) {
    super(`invalid status ${status}`);
  }
}

/** Whether the service was reached but did not send a usable HTTP response. */
export const isWrongResponse = (error: unknown): boolean =>
  error instanceof Error && (isParserError(error) || wrongAnswers.has(codeOf(error)));

const wrongAnswers = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

const isParserError = (error: Error): boolean =>
  error instanceof StatusError ||
  error.name === 'HTTPParserError' ||
  codeOf(error).startsWith('HPE_');

function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.cause instanceof Error ? codeOf(error.cause) : '';
}

export function bounded(text: string, limit = 300): string {
  const line = cleanLine(text.slice(0, 4 * limit))
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : line;
}

export const oneLine = (text: string): string =>
  /[\u0000-\u001f\u007f-\u009f]/.test(text)
    ? text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
    : text;
