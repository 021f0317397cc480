import { createReadStream, lstatSync, statSync, readFileSync, realpathSync } from 'node:fs';
import { extname, isAbsolute, relative, resolve } from 'node:path';
import { cwd } from 'node:process';
import { AgentError, type Given } from './command.ts';
import { braces, glob } from './glob.ts';
import { ask, pathOf } from './send.ts';
import { note } from './print.ts';
import { sendFile, together } from './transfer.ts';

const batchSize = 30;

/** If an upload fails, finishes the other uploads in its batch and then throws `AgentError`. */
export async function uploadArtifacts(given: Given): Promise<undefined> {
  const [patterns = '', destination = given.text('destination')] = given.args;
  if (destination !== '')
    note(given, `Storing artifacts on this machine instead of ${destination}`);
  const paths = find(given, patterns);
  if (paths.length === 0) {
    note(given, `No files matched paths: ${patterns}`);
    return;
  }
  note(given, `Found ${paths.length} files that match "${patterns}"`);
  for (let at = 0; at < paths.length; at += batchSize)
    await uploadBatch(given, paths.slice(at, at + batchSize));
  note(given, 'Artifact uploads completed successfully');
}

function find(given: Given, patterns: string): string[] {
  const delimiter = given.text('delimiter');
  const all = delimiter === '' ? [patterns] : patterns.split(delimiter);
  const followLinks = given.on('glob-resolve-follow-symlinks') || given.on('follow-symlinks');
  const isLiteral = given.on('literal');
  const patternsGiven = all.map((pattern) => pattern.trim()).filter((pattern) => pattern !== '');
  const found = patternsGiven
    .flatMap((pattern) => (isLiteral ? literal(pattern) : glob(cwd(), pattern, { followLinks })))
    .map(shortened);
  const leaving = found.find((path) => path.split('/').includes('..'));
  if (leaving !== undefined)
    throw new AgentError(
      `failed to upload artifacts: the path ${leaving} is outside the working directory`,
    );
  const files = given.on('upload-skip-symlinks')
    ? found.filter((path) => !lstatSync(path).isSymbolicLink())
    : found;
  const unique = [...new Map(files.map((path) => [resolve(path), path])).values()];
  return isLiteral ? unique : withoutCredentials(given, unique, patternsGiven.flatMap(braces));
}

function withoutCredentials(given: Given, paths: readonly string[], patterns: readonly string[]) {
  const named = new Set(patterns.map((pattern) => resolve(pattern)));
  const skipped = paths.filter((path) => !named.has(resolve(path)) && looksLikeCredential(path));
  const names = skipped.join(', ');
  if (skipped.length > 0)
    note(
      given,
      `Skipped files that look like credentials: ${names}; to upload one, give its exact path`,
    );
  return paths.filter((path) => !skipped.includes(path));
}

/** Shortens `out/../out/x` to `out/x`. */
const shortened = (path: string): string =>
  isAbsolute(path) || !path.split('/').includes('..') ? path : relative(cwd(), resolve(path));

const literal = (path: string): string[] =>
  statSync(path, { throwIfNoEntry: false })?.isFile() === true ? [path.replace(/^\.\//, '')] : [];

async function uploadBatch(given: Given, paths: readonly string[]): Promise<void> {
  const path = `${pathOf(given, 'job')}/artifacts`;
  const artifacts = await together(4, paths, (file) => describe(given, file));
  const reply = (await ask(given, 'failed to upload artifacts', {
    path,
    body: { id: crypto.randomUUID(), artifacts, upload_destination: '', multipart_supported: true },
  })) as Instructions;
  const ids = reply.artifact_ids;
  const states = await together(concurrencyOf(given), artifacts, async (artifact, index) => {
    const id = ids[index] ?? '';
    return uploadOne(given, id, actionFor(reply, id), artifact);
  });
  const body = { artifacts: states.map(({ state }) => state) };
  await ask(given, 'failed to upload artifacts', { method: 'PUT', path, body });
  const failed = states.find(({ message }) => message !== undefined);
  if (failed !== undefined)
    throw new AgentError(`failed to upload artifacts: ${failed.message ?? ''}`);
}

interface Action {
  readonly method: string;
  readonly url: string;
  readonly part_number?: number;
}

interface Instruction {
  readonly actions?: readonly Action[];
}

interface Instructions {
  readonly artifact_ids: readonly string[];
  readonly per_artifact_instructions?: Readonly<Record<string, Instruction>>;
  readonly upload_instructions?: Instruction;
}

function actionFor(reply: Instructions, id: string): Action {
  const action = (reply.per_artifact_instructions?.[id] ?? reply.upload_instructions)?.actions?.[0];
  if (action === undefined)
    throw new AgentError('failed to upload artifacts: the service returned no upload URL');
  return action;
}

async function uploadOne(
  given: Given,
  id: string,
  action: Action,
  artifact: Awaited<ReturnType<typeof describe>>,
): Promise<{ readonly state: object; readonly message?: string }> {
  const { path, file_size: size, content_type: type } = artifact;
  try {
    note(given, `Uploading artifact ${path} (${size} B)`);
    const etag = await sendFile(action, { path: artifact.absolute_path, size, type });
    const etags = [{ part_number: action.part_number ?? 1, etag }];
    return { state: { id, state: 'finished', multipart_etags: etags } };
  } catch (error) {
    return { state: { id, state: 'error' }, message: `${path}: ${(error as Error).message}` };
  }
}

async function describe(given: Given, path: string) {
  const { createHash } = await import('node:crypto');
  const hashes = [createHash('sha1'), createHash('sha256')] as const;
  let size = 0;
  try {
    for await (const chunk of createReadStream(path)) {
      size += (chunk as Buffer).length;
      for (const hash of hashes) hash.update(chunk as Buffer);
    }
  } catch (error) {
    throw new AgentError(`failed to upload artifacts: ${(error as Error).message}`);
  }
  return {
    path: isAbsolute(path) ? path.slice(1) : path,
    absolute_path: resolve(path),
    file_size: size,
    sha1sum: hashes[0].digest('hex'),
    sha256sum: hashes[1].digest('hex'),
    content_type: given.text('content-type') || typeOf(extname(path)),
  };
}

function concurrencyOf(given: Given): number {
  const text = given.text('concurrency');
  if (!/^[1-9]\d{0,2}$/.test(text))
    throw new AgentError(`invalid value "${text}" for flag -concurrency`);
  return Number(text);
}

/** Checks for credentials: by path, by link target and, for a private key, by content. */
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
    String.raw`(?:[^/]*[-_.])?credentials(?:\.(?:(?:tfrc\.)?json|ya?ml|toml|ini))?`,
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

/** Files with these extensions, or without one, are either certificates or keys. */
const mayHaveKey = /\.(?:pem|crt|cer|p8)$|\/[^./]+$/i;

const largest = 1024 * 1024;

function hasPrivateKey(path: string): boolean {
  try {
    const key = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;
    return statSync(path).size <= largest && key.test(readFileSync(path, 'latin1'));
  } catch {
    // The upload itself reports later that the file cannot be read.
    return false;
  }
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  mp4: 'video/mp4',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  tgz: 'application/gzip',
  txt: 'text/plain',
  webm: 'video/webm',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

const typeOf = (extension: string): string =>
  types[extension.slice(1).toLowerCase()] ?? 'application/octet-stream';
