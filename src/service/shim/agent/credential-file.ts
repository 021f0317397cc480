import { readFileSync, realpathSync, statSync } from 'node:fs';

/** Whether a file looks like a credential, by its path, by the path that a link leads to, or by a private key in it. */
export function looksLikeCredential(path: string): boolean {
  const real = realpathSync(path);
  return [path, real].some(isCredentialPath) || (mayHaveKey.test(real) && hasPrivateKey(real));
}

const isCredentialPath = (path: string): boolean => credential.test(path) && !harmless.test(path);

const credential = new RegExp(
  [
    String.raw`\.env(?:\.[^/]+|rc)?`,
    String.raw`[^/]+\.env`,
    'kubeconfig',
    String.raw`id_(?:rsa|dsa|ecdsa|ed25519)[^/]*`,
    String.raw`\.(?:netrc|npmrc|pypirc|pgpass|my\.cnf|htpasswd|dockercfg|boto|s3cfg|vault-token|git-credentials)`,
    '_netrc',
    String.raw`[^/]*\.(?:p12|pfx|jks|keystore|kdbx|ppk|key)`,
    String.raw`(?:[^/]*[-_.])?credentials(?:\.(?:json|ya?ml|toml|ini))?`,
    String.raw`secrets?\.(?:json|ya?ml|toml)`,
    String.raw`service[-_]account[^/]*\.json`,
    String.raw`\.(?:ssh|gnupg|aws|azure)/.+`,
    String.raw`\.git/config`,
    String.raw`\.kube/config`,
    String.raw`\.docker/config\.json`,
    String.raw`\.config/(?:gh/hosts\.yml|gcloud/.+)`,
  ]
    .map((one) => `(?:^|/)${one}$`)
    .join('|'),
  'i',
);

const harmless =
  /\.pub$|(?:^|\/)\.env(?:\.[^/]+)?\.(?:example|sample|template|dist|schema|defaults?)$|(?:^|\/)\.ssh\/known_hosts$/i;

/** Certificates have the same extensions as keys. */
const mayHaveKey = /\.(?:pem|crt|cer|p8)$/i;

const largest = 1024 * 1024;

function hasPrivateKey(path: string): boolean {
  try {
    const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
    return statSync(path).size <= largest && key.test(readFileSync(path, 'latin1'));
  } catch {
    // The upload reports a file that cannot be read.
    return false;
  }
}
