import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { env } from 'node:process';
import { AgentError, type Command, type Given, jobFlag, type Flag } from './command.ts';
import { ask } from './send.ts';
import { note, print, readInput, readText } from './print.ts';
import { secretsOf } from './redact.ts';

const places = ['buildkite', '.buildkite/pipeline', 'buildkite/pipeline'].flatMap((name) =>
  ['yml', 'yaml', 'json'].map((extension) => `${name}.${extension}`),
);

const changesFlags: readonly Flag[] = [
  {
    name: 'apply-if-changed',
    env: ['BUILDKITE_AGENT_APPLY_IF_CHANGED', 'BUILDKITE_AGENT_APPLY_SKIP_IF_UNCHANGED'],
    help: 'Apply `if_changed` (default); with =false, steps with `if_changed` always run',
  },
  {
    name: 'git-diff-base',
    value: 'revision',
    env: ['BUILDKITE_GIT_DIFF_BASE'],
    help: 'The revision that `if_changed` compares against',
  },
  {
    name: 'changed-files-path',
    value: 'file',
    env: ['BUILDKITE_CHANGED_FILES_PATH'],
    help: 'A file that lists the changed files, one per line; used instead of git',
  },
  {
    name: 'fetch-diff-base',
    env: ['BUILDKITE_FETCH_DIFF_BASE'],
    help: 'Has no effect: nothing is fetched on this machine',
  },
];

export const pipelineCommands: readonly Command[] = [
  {
    name: 'pipeline upload',
    summary: "Upload steps to the build, directly after this job's step",
    args: '[file]',
    flags: [
      {
        name: 'replace',
        env: ['BUILDKITE_PIPELINE_REPLACE'],
        help: 'Replace the steps that have not started yet',
      },
      {
        name: 'dry-run',
        env: ['BUILDKITE_PIPELINE_UPLOAD_DRY_RUN'],
        help: 'Print the pipeline instead of uploading it',
      },
      {
        name: 'format',
        value: 'json or yaml',
        env: ['BUILDKITE_PIPELINE_UPLOAD_DRY_RUN_FORMAT'],
        default: 'json',
        help: 'The output format of --dry-run',
      },
      {
        name: 'no-interpolation',
        env: ['BUILDKITE_PIPELINE_NO_INTERPOLATION'],
        help: 'Skip variable interpolation',
      },
      jobFlag,
      {
        name: 'reject-secrets',
        env: ['BUILDKITE_AGENT_PIPELINE_UPLOAD_REJECT_SECRETS'],
        help: 'Reject the pipeline if it contains the value of a secret variable',
      },
      {
        name: 'allow-secrets',
        env: ['BUILDKITE_AGENT_PIPELINE_UPLOAD_ALLOW_SECRETS'],
        help: 'Do not warn if the pipeline contains the value of a secret variable',
      },
      ...changesFlags,
      // This flag has no effect, because notices never prevent an upload.
      { name: 'reject-parse-warnings', help: '' },
      ...['jwks-file', 'jwks-key-id'].map((name) => ({
        ...{ name, value: 'value', help: 'Unsupported: the local service does not sign pipelines' },
      })),
    ],
    run: upload,
  },
];

async function upload(given: Given): Promise<undefined> {
  const { text, file } = await source(given);
  if (text.trim() === '') throw new AgentError(`${file} is empty`);
  if (given.has('jwks-file') || given.has('jwks-key-id'))
    throw new AgentError(
      '--jwks-file and --jwks-key-id are not supported: the local service does not sign pipelines',
    );
  const body = {
    ...{ uuid: crypto.randomUUID(), text, file, env: { ...env } },
    ...{ replace: given.on('replace'), literal: given.on('no-interpolation') },
    ...changesOf(given),
  };
  await checkSecrets(given, text, () => filledIn(given, body, 'json'), file);
  if (given.on('dry-run')) {
    const format = given.text('format');
    if (!['json', 'yaml'].includes(format))
      throw new AgentError(`--format must be json or yaml, not "${format}"`);
    print(await filledIn(given, body, format));
    return;
  }
  const call = { path: '/local/v1/job/pipelines', body };
  await ask(given, 'failed to upload and process pipeline', call);
  note(given, `Successfully uploaded ${file}`);
}

async function filledIn(given: Given, body: object, format: string): Promise<string> {
  const call = { path: '/local/v1/job/pipelines/dry-run', body: { ...body, format } };
  return ((await ask(given, 'failed to read pipeline', call)) as { text: string }).text;
}

async function source({ args: [name] }: Given): Promise<{ text: string; file: string }> {
  if (name !== undefined)
    return { text: readText(name, 'failed to read file'), file: basename(name) };
  const input = await readInput();
  if (input !== '') return { text: input, file: '(stdin)' };
  const found = places.filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile());
  const [first, second] = found;
  if (second !== undefined)
    throw new AgentError(
      `found multiple configuration files: ${found.join(', ')}. Please only have 1 configuration file present`,
    );
  if (first === undefined)
    throw new AgentError(
      'could not find a default pipeline configuration file. See `buildkite-agent pipeline upload --help` for more information',
    );
  return { text: readText(first, 'failed to read file'), file: first };
}

/** Returns the part of the request body that is determined by `changesFlags`. */
function changesOf(given: Given): object {
  if (given.has('apply-if-changed') && !given.on('apply-if-changed'))
    return { ignore_changes: true };
  if (given.on('fetch-diff-base'))
    note(given, '--fetch-diff-base has no effect: nothing is fetched on this machine');
  const path = given.text('changed-files-path');
  if (path !== '') return filesIn(given, path);
  const base = given.text('git-diff-base');
  return base === '' ? {} : { diff_base: base };
}

/** Reads a list of changed files. If that fails, all steps run, as with the public agent. */
function filesIn(given: Given, path: string): object {
  try {
    const lines = readFileSync(path, 'utf8').split(/\r?\n/);
    return { changed_files: lines.map((line) => line.trim()).filter((line) => line !== '') };
  } catch (error) {
    const problem = `Couldn't read changed files from ${path}, not skipping any steps`;
    note(given, `${problem}: ${(error as Error).message}`);
    return { ignore_changes: true };
  }
}

/**
 * Warns about secret variables whose values would become part of the pipeline, where everyone with
 * access to the build can read them. With `--reject-secrets`, throws `AgentError` instead. Only
 * calls `filled` if the text may contain a secret.
 */
async function checkSecrets(
  given: Given,
  text: string,
  filled: () => Promise<string>,
  file: string,
): Promise<void> {
  const rejects = given.on('reject-secrets');
  const secrets = secretsOf(given, env).filter(
    ([name, value]) => rejects || text.includes(name) || text.includes(value),
  );
  if (secrets.length === 0 || (given.on('allow-secrets') && !rejects)) return;
  const whole = await filled();
  const found = secrets.filter(([, value]) => whole.includes(JSON.stringify(value).slice(1, -1)));
  if (found.length === 0) return;
  const names = found.map(([name]) => name).sort();
  const what = `pipeline "${file}" contains values interpolated from the following secret environment variables: [${names.join(' ')}]`;
  if (rejects) throw new AgentError(`${what}, and cannot be uploaded`);
  note(given, `${what}; to reject such pipelines, use --reject-secrets`);
}
