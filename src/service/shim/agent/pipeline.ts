import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { env } from 'node:process';
import { AgentError, type Command, type Given } from './command.ts';
import { jobFlag } from './flags.ts';
import { ask } from './send.ts';
import { note, print, readInput } from './speak.ts';

/** Where a pipeline is looked for; two of them are an error. */
const places = ['buildkite', '.buildkite/pipeline', 'buildkite/pipeline'].flatMap((name) =>
  ['yml', 'yaml', 'json'].map((extension) => `${name}.${extension}`),
);

export const pipelineCommands: readonly Command[] = [
  {
    name: 'pipeline upload',
    summary: 'Add steps to the build, directly after that of this job',
    args: '[file]',
    flags: [
      {
        name: 'replace',
        env: ['BUILDKITE_PIPELINE_REPLACE'],
        help: 'Drop the steps that have not started',
      },
      {
        name: 'dry-run',
        env: ['BUILDKITE_PIPELINE_UPLOAD_DRY_RUN'],
        help: 'Print the pipeline and upload nothing',
      },
      {
        name: 'format',
        value: 'json or yaml',
        env: ['BUILDKITE_PIPELINE_UPLOAD_DRY_RUN_FORMAT'],
        default: 'json',
        help: 'How --dry-run prints it',
      },
      {
        name: 'no-interpolation',
        env: ['BUILDKITE_PIPELINE_NO_INTERPOLATION'],
        help: 'Put no variables in',
      },
      jobFlag,
      // Understood, and without effect: nothing is signed here, and secrets are not refused.
      ...['allow-secrets', 'reject-secrets', 'reject-parse-warnings', 'apply-if-changed'].map(
        (name) => ({ name, help: '' }),
      ),
      { name: 'fetch-diff-base', help: '' },
      ...['git-diff-base', 'changed-files-path', 'jwks-file', 'jwks-key-id'].map((name) => ({
        ...{ name, value: 'value', help: '' },
      })),
    ],
    run: upload,
  },
];

async function upload(given: Given): Promise<number> {
  const { text, file } = await source(given);
  if (text.trim() === '') throw new AgentError(`${file} is empty`);
  const body = {
    ...{ uuid: crypto.randomUUID(), text, file, env: { ...env } },
    ...{ replace: given.on('replace'), literal: given.on('no-interpolation') },
  };
  const what = 'failed to upload and process pipeline';
  if (given.on('dry-run')) return dryRun(given, body);
  await ask(given, what, { method: 'POST', path: '/local/v1/job/pipelines', body });
  note(given, `Successfully uploaded ${file}`);
  return 0;
}

async function dryRun(given: Given, body: object): Promise<number> {
  const format = given.text('format');
  if (!['json', 'yaml'].includes(format))
    throw new AgentError(`--format must be json or yaml, not "${format}"`);
  const call = { method: 'POST', path: '/local/v1/job/pipelines/dry-run' } as const;
  const sent = { ...call, body: { ...body, format } };
  const reply = await ask(given, 'failed to read pipeline', sent);
  print((reply as { text: string }).text);
  return 0;
}

async function source({ args: [name] }: Given): Promise<{ text: string; file: string }> {
  if (name !== undefined) return { text: read(name), file: basename(name) };
  const input = await readInput();
  if (input !== '') return { text: input, file: '(stdin)' };
  const found = places.filter((place) => isFile(place));
  const [first, second] = found;
  if (second !== undefined)
    throw new AgentError(
      `found multiple configuration files: ${found.join(', ')}. Please only have 1 configuration file present`,
    );
  if (first === undefined)
    throw new AgentError(
      'could not find a default pipeline configuration file. See `buildkite-agent pipeline upload --help` for more information',
    );
  return { text: read(first), file: first };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AgentError(`failed to read file ${path}: ${(error as Error).message}`);
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
