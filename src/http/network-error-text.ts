import { cleanLine } from '../common/untrusted-text.ts';

const known: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  EHOSTUNREACH: 'no route to host',
  ENETUNREACH: 'no route to network',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name could not be looked up',
  UND_ERR_HEADERS_OVERFLOW: 'the head of the answer is too large',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'the answer has not the length it announced',
  EPROTO: 'it does not speak TLS as expected',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed (NODE_EXTRA_CA_CERTS can name it)',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate authority is unknown (NODE_EXTRA_CA_CERTS can name it)',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate authority is unknown (NODE_EXTRA_CA_CERTS can name it)',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

export function networkErrorText(error: Error): string {
  const code = codeOf(error);
  if (error instanceof StatusError) return error.message;
  if (isParserError(error)) return 'the answer is not HTTP';
  if (code.startsWith('ERR_SSL_')) return `TLS failed (${code})`;
  return known[code] ?? bounded(error.message === '' ? code || error.name : error.message);
}

/** A status code that HTTP does not have. */
export class StatusError extends Error {
  override readonly name = 'StatusError';

  constructor(status: number) {
    super(`its status is ${status}`);
  }
}

/** Whether the service was reached, but its response was not usable HTTP. */
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
