import { usageError } from '../errors.ts';
import type { Method } from '../http/transport.ts';

/**
 * The address of `PATH`: below `/v2` unless it names a version. A whole address must be of the
 * service's origin, since the token goes with it. Throws a usage error.
 */
export function rawAddress(base: string, path: string): URL {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return ownAddress(base, path);
  const [, rest = ''] = /^\/*(.*)$/s.exec(path) ?? [];
  const versioned = /^v\d+(?:[/?#]|$)/.test(rest) ? rest : `v2/${rest}`;
  return ownAddress(base, `${base.replace(/\/+$/, '')}/${versioned}`);
}

function ownAddress(base: string, text: string): URL {
  const { origin } = new URL(base);
  if (!URL.canParse(text)) throw usageError(`${JSON.stringify(text)} is not an address`);
  const url = new URL(text);
  if (url.origin !== origin) {
    throw usageError(`${url.origin} is not the service: the token goes to ${origin} alone`);
  }
  url.username = '';
  url.password = '';
  url.hash = '';
  return url;
}

const methods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'];

export function rawMethod(text: string): Method {
  const method = text.toUpperCase();
  if (methods.includes(method)) return method as Method;
  throw usageError(`${JSON.stringify(text)} is not one of the methods ${methods.join(', ')}`);
}

/** These belong to the connection, or carry the credential. */
const reserved =
  /^(authorization|proxy-.*|host|content-length|transfer-encoding|connection|keep-alive|upgrade|expect|te|trailer)$/;

/** Headers with names in lower case. Throws a usage error for what cannot be sent. */
export function rawHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  for (const [name, value] of entries) {
    if (reserved.test(name)) throw usageError(`the header ${name} is not yours to set`);
    const isFit =
      /^[!#$%&'*+.^_`|~\w-]+$/.test(name) && /^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value);
    if (!isFit) throw usageError(`the header ${JSON.stringify(name)} cannot be sent`);
  }
  return Object.fromEntries(entries);
}
