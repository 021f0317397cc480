import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** Why a PEM certificate and key cannot be used together; undefined if they can. */
export function tlsProblem({ cert, key }: { cert: string; key: string }): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined) return 'the certificate is not in PEM form';
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined)
    return /ENCRYPTED/.test(key)
      ? 'the key is encrypted, and nobody can be asked for its password'
      : 'the key is not in PEM form';
  if (!certificate.checkPrivateKey(privateKey)) return 'the key is not that of the certificate';
  if (Date.parse(certificate.validTo) < Date.now())
    return `the certificate has expired (${certificate.validTo})`;
  return attempt(() => createSecureContext({ cert, key })) === undefined
    ? 'this TLS library refuses them'
    : undefined;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
