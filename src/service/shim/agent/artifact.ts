import { statSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { AgentError, type Command, type Flag, type Given, buildFlag, jobFlag } from './command.ts';
import { ask, pathOf } from './send.ts';
import { note, print } from './print.ts';
import { together, receiveFile } from './transfer.ts';
import { uploadArtifacts } from './upload-artifacts.ts';

const searchFlags: readonly Flag[] = [
  {
    name: 'step',
    value: 'key, label or job id',
    help: 'Only search artifacts of this step or job',
  },
  buildFlag,
  {
    name: 'include-retried-jobs',
    env: ['BUILDKITE_AGENT_INCLUDE_RETRIED_JOBS'],
    help: 'Include artifacts from retried jobs in the search',
  },
];

const uploadFlags: readonly Flag[] = [
  jobFlag,
  {
    name: 'content-type',
    value: 'type',
    env: ['BUILDKITE_ARTIFACT_CONTENT_TYPE'],
    help: 'The Content-Type of the files (default: determined by the file extension)',
  },
  {
    name: 'literal',
    env: ['BUILDKITE_AGENT_ARTIFACT_LITERAL'],
    help: 'Treat the paths as literal file names, not as glob patterns',
  },
  {
    name: 'delimiter',
    value: 'text',
    env: ['BUILDKITE_AGENT_ARTIFACT_DELIMITER'],
    default: ';',
    help: 'The delimiter between patterns',
  },
  {
    name: 'glob-resolve-follow-symlinks',
    env: ['BUILDKITE_AGENT_ARTIFACT_GLOB_RESOLVE_FOLLOW_SYMLINKS'],
    help: 'Follow symbolic links to directories when resolving `**`',
  },
  { name: 'follow-symlinks', env: ['BUILDKITE_AGENT_ARTIFACT_SYMLINKS'], help: '' },
  {
    name: 'upload-skip-symlinks',
    env: ['BUILDKITE_ARTIFACT_UPLOAD_SKIP_SYMLINKS'],
    help: 'Do not upload symbolic links',
  },
  {
    name: 'concurrency',
    value: 'count',
    env: ['BUILDKITE_ARTIFACT_UPLOAD_CONCURRENCY'],
    default: '4',
    help: 'The number of concurrent uploads',
  },
  { name: 'no-multipart-artifact-upload', help: '' },
  // The destination is usually given as the second argument instead.
  { name: 'destination', value: 'url', env: ['BUILDKITE_ARTIFACT_UPLOAD_DESTINATION'], help: '' },
];

export const artifactCommands: readonly Command[] = [
  {
    name: 'artifact upload',
    summary: 'Upload files as artifacts of the job; separate patterns with semicolons',
    args: '<patterns>',
    needs: ['upload paths'],
    flags: uploadFlags,
    run: uploadArtifacts,
  },
  {
    name: 'artifact download',
    summary: 'Download the artifacts of the build that match a pattern into a directory',
    args: '<query> <destination>',
    needs: ['artifact search query', 'artifact download path'],
    flags: [...searchFlags, { name: 'no-s3-multipart-download', help: '' }],
    run: download,
  },
  {
    name: 'artifact search',
    summary: 'Search for the artifacts of the build that match a pattern',
    args: '<query>',
    needs: ['artifact search query'],
    flags: [
      ...searchFlags,
      { name: 'allow-empty-results', help: 'Exit with 0 if no artifacts are found' },
      {
        name: 'format',
        value: 'text',
        default: String.raw`%j %p %c\n`,
        help: 'Output format: %i ID, %p path, %c creation time, %j job, %s bytes, %S SHA-1, %T SHA-256, %u URL',
      },
    ],
    run: printFound,
  },
  {
    name: 'artifact shasum',
    summary: 'Print the checksum of the only artifact that matches a pattern',
    args: '<query>',
    needs: ['artifact search query'],
    flags: [
      { name: 'sha256', help: 'Print the SHA-256 checksum instead of SHA-1' },
      ...searchFlags,
    ],
    async run(given) {
      const found = await search(given, 'failed to get the checksum');
      if (found.length === 0) throw new AgentError('no artifacts matched the search query');
      if (found.length > 1)
        throw new AgentError(
          'multiple artifacts were found. Try being more specific with the search or scope by step',
        );
      print(`${(given.on('sha256') ? found[0]?.sha256sum : found[0]?.sha1sum) ?? ''}\n`);
    },
  },
];

interface Artifact {
  readonly id: string;
  readonly path: string;
  readonly job_id: string;
  readonly created_at: string;
  readonly file_size: number;
  readonly sha1sum: string;
  readonly sha256sum: string;
  readonly url: string;
}

async function search(given: Given, what: string, more = {}): Promise<readonly Artifact[]> {
  const [query = ''] = given.args;
  note(given, `Searching for artifacts: "${query}"`);
  const step = given.text('step');
  const parameters = new URLSearchParams({
    ...{ query, state: 'finished', ...more },
    ...(step !== '' && { scope: step }),
    ...(given.on('include-retried-jobs') && { include_retried_jobs: 'true' }),
  });
  const path = `${pathOf(given, 'build')}/artifacts/search?${parameters.toString()}`;
  return (await ask(given, what, { method: 'GET', path })) as readonly Artifact[];
}

async function download(given: Given): Promise<undefined> {
  const what = 'failed to download artifacts';
  const [, destination = ''] = given.args;
  const folder = resolve(destination);
  const found = await search(given, what);
  if (found.length === 0) throw new AgentError(`${what}: no artifacts found for downloading`);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new AgentError(`${what}: ${folder} is not a directory; create it first`);
  const targets = found.map((artifact) => ({ artifact, target: targetOf(folder, artifact) }));
  note(given, `Found ${found.length} artifacts. Starting to download to: ${folder}`);
  await together(4, targets, async ({ artifact: { path, url, file_size: size }, target }) => {
    try {
      await receiveFile(url, target);
    } catch (error) {
      throw new AgentError(`${what}: ${path}: ${(error as Error).message}`);
    }
    note(given, `Successfully downloaded "${path}" ${size} B`);
  });
}

/** Stores `app/x` as `x` in a directory named `app`. Throws if the path leaves the directory. */
function targetOf(folder: string, { path }: Artifact): string {
  const isInside = path.split('/')[0] === basename(folder);
  const base = isInside ? dirname(folder) : folder;
  const target = join(base, path);
  if (!target.startsWith(base === sep ? base : base + sep))
    throw new AgentError(
      `failed to download artifacts: the artifact path "${path}" is outside ${folder}`,
    );
  return target;
}

async function printFound(given: Given): Promise<undefined> {
  const found = await search(given, 'failed to search for artifacts', {
    include_duplicates: 'true',
  });
  if (found.length > 0) {
    print(found.map((artifact) => formatted(given.text('format'), artifact)).join(''));
    return;
  }
  const message = `no matches found for "${given.args[0] ?? ''}"`;
  if (!given.on('allow-empty-results')) throw new AgentError(message);
  note(given, message);
}

const specifiers: Readonly<Record<string, keyof Artifact>> = {
  ...{ '%i': 'id', '%p': 'path', '%c': 'created_at', '%j': 'job_id', '%s': 'file_size' },
  ...{ '%S': 'sha1sum', '%T': 'sha256sum', '%u': 'url' },
};

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\' };

const formatted = (format: string, artifact: Artifact): string =>
  format.replaceAll(/%[ipcjsSTu]|\\([ntr\\])/g, (text, escape?: string) =>
    escape === undefined ? String(artifact[specifiers[text] ?? 'id']) : (escapes[escape] ?? text),
  );
