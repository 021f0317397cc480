/** Finds the pipeline file and the directory where its jobs run. */
import { stat } from 'node:fs/promises';
import { basename, dirname, relative, resolve } from 'node:path';
import type { Context } from '../../context.ts';
import { CictlError, usageError } from '../../errors.ts';
import {
  decodePipeline,
  maxPipelineBytes,
  readPipelineBytes,
} from '../../service/pipeline/pipeline-bytes.ts';
import { findPipelineFile } from '../../service/scheduler/pipeline-file.ts';

export interface PipelineFile {
  /** Path relative to the working directory, for messages. */
  readonly name: string;
  readonly path: string;
  /** Absolute path of the directory in which jobs run. */
  readonly folder: string;
  readonly text: string;
  /** Whether this is the default pipeline file of its directory. */
  readonly isUsual: boolean;
  /** Set if the text is from standard input. */
  readonly isInput?: true;
}

/** More bytes than any pipeline needs. Longer input is not read completely. */
const longest = 64 << 20;

/** Reads FILE. If FILE is `-`, reads standard input, and jobs run in the working directory. */
export async function readPipeline(
  named: string | undefined,
  { cwd, stdin }: Pick<Context, 'cwd' | 'stdin'>,
): Promise<PipelineFile> {
  if (named !== '-') return readPipelineFile(named, cwd);
  const name = 'standard input';
  const text = decoded(await stdin.read('FILE', longest), name);
  if (text.trim() === '') throw usageError('the pipeline on standard input is empty');
  return { name, path: name, folder: cwd, text, isUsual: false, isInput: true };
}

/**
 * Reads the given file, or the pipeline file of the given directory or the working directory. Exit
 * code 2 if there is no such file, 10 if it cannot be read.
 */
export async function readPipelineFile(
  named: string | undefined,
  cwd: string,
): Promise<PipelineFile> {
  const path = await find(named, cwd);
  const name = relative(cwd, path) || path;
  const folder = folderOf(path);
  const text = decoded(bytes(path, name), name);
  return { name, path, folder, text, isUsual: path === findPipelineFile(folder) };
}

async function find(named: string | undefined, cwd: string): Promise<string> {
  const path = resolve(cwd, named ?? '.');
  const kind = await kindOf(path);
  if (kind === 'file') return path;
  if (kind === 'none') throw usageError(`no pipeline file ${named ?? path}`, hintFor(named));
  if (kind === 'other') throw usageError(`cannot run ${named ?? path}: it is not a regular file`);
  const usual = findPipelineFile(path);
  if (usual !== undefined) return usual;
  const where = named === undefined ? 'here' : `in ${named}`;
  throw usageError(
    `no pipeline file ${where}: neither .buildkite/pipeline.{yml,yaml,json} nor pipeline.{yml,yaml,json}`,
    'cictl run FILE',
  );
}

/** Pipes are not regular files: reading one may block, and a rebuild could not read it again. */
async function kindOf(path: string): Promise<'file' | 'folder' | 'other' | 'none'> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) return 'folder';
    return found.isFile() ? 'file' : 'other';
  } catch {
    return 'none';
  }
}

function bytes(path: string, name: string): Uint8Array {
  try {
    const read = readPipelineBytes(path);
    if (read.length <= maxPipelineBytes) return read;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new CictlError('machine', `cannot read ${name}: ${reason}`, { cause });
  }
  const details = [`${name}:1:1: the file is larger than 4 MiB`];
  throw new CictlError('usage', `the pipeline file ${name} has a problem`, { details });
}

function decoded(read: Uint8Array, name: string): string {
  try {
    return decodePipeline(read);
  } catch {
    throw usageError(`${name} is not valid UTF-8, nor UTF-16 with a byte order mark`);
  }
}

/** `.buildkite/pipeline.yml` belongs to the parent of `.buildkite`. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === '.buildkite' ? dirname(folder) : folder;
}

/** Other tools have commands such as `run list`. */
const hintFor = (named: string | undefined): string =>
  ['list', 'view', 'watch', 'cancel'].includes(named ?? '')
    ? `cictl builds ${named ?? ''}`
    : 'cictl help run';
