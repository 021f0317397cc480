import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';

/** Returns why a PEM certificate and key cannot be used together; undefined if they can. */
export function tlsProblem({ cert, key }: { cert: string; key: string }): string | undefined {
  const certificate = attempt(() => new X509Certificate(cert));
  if (certificate === undefined) return 'the certificate is not in PEM format';
  const privateKey = attempt(() => createPrivateKey(key));
  if (privateKey === undefined)
    return /ENCRYPTED/.test(key)
      ? 'the key is encrypted, and the service cannot prompt for its passphrase'
      : 'the key is not in PEM format';
  if (!certificate.checkPrivateKey(privateKey)) return 'the key does not match the certificate';
  if (Date.parse(certificate.validTo) < Date.now())
    return `the certificate has expired (${certificate.validTo})`;
  return attempt(() => createSecureContext({ cert, key })) === undefined
    ? 'the TLS library rejects them'
    : undefined;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
