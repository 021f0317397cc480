import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { looksLikeCredential } from './upload-artifacts.ts';

function checked(path: string, text = ''): boolean {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'cictl-credential-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  const link = join(folder, 'link.txt');
  symlinkSync(file, link);
  expect(looksLikeCredential(link)).toBe(looksLikeCredential(file));
  return looksLikeCredential(file);
}

test.each([
  '.env',
  'app/.env.production',
  'deploy/prod.env',
  '.envrc',
  '.ssh/id_rsa',
  'id_ed25519_work',
  '.aws/credentials',
  'credentials.json',
  'gcp-credentials.json',
  '.terraform.d/credentials.tfrc.json',
  '.npmrc',
  '.netrc',
  'config/master.key',
  'release.keystore',
  '.kube/config',
  '.git/config',
])('%s is a credential, through a link too', (path) => {
  expect(checked(path)).toBe(true);
});

test.each([
  '.env.example',
  '.env.local.sample',
  'environment.ts',
  '.ssh/id_rsa.pub',
  '.ssh/known_hosts',
  'src/credentials.ts',
  'config',
  'keys.json',
  'monkey',
])('%s is not a credential', (path) => {
  expect(checked(path)).toBe(false);
});

test.each(['ca.pem', 'deploy_key'])(
  'a certificate is not a credential, a private key in the same kind of file is: %s',
  (path) => {
    expect(checked(path, '-----BEGIN CERTIFICATE-----\nMII\n')).toBe(false);
    expect(checked(path, '-----BEGIN RSA PRIVATE KEY-----\nMII\n')).toBe(true);
  },
);
