/** Which pipeline file is meant, and the folder in which its jobs run. */
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
  /** As messages call it: relative to the working folder. */
  readonly name: string;
  readonly path: string;
  /** Absolute path of the folder in which jobs run. */
  readonly folder: string;
  readonly text: string;
  /** Whether the folder itself leads to it, without naming the file. */
  readonly isUsual: boolean;
  /** It was read from standard input: there is no file. */
  readonly isInput?: true;
}

/** More than any pipeline may have: what is longer is not read to its end. */
const longest = 64 << 20;

/** The file that FILE names, or the text of standard input for `-`; its jobs run in this folder. */
export async function readPipeline(
  named: string | undefined,
  { cwd, stdin }: Pick<Context, 'cwd' | 'stdin'>,
): Promise<PipelineFile> {
  if (named !== '-') return readPipelineFile(named, cwd);
  const name = 'standard input';
  const text = decoded(await stdin.read('FILE', longest), name);
  if (text.trim() === '') throw usageError('there is no pipeline on standard input: it is empty');
  return { name, path: name, folder: cwd, text, isUsual: false, isInput: true };
}

/**
 * Reads the file that was named, or the one of the folder that was named, or that of the working
 * folder. Code 2 where there is none, 10 where it cannot be read.
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
  if (kind === 'none')
    throw usageError(`there is no pipeline file ${named ?? path}`, hintFor(named));
  if (kind === 'other')
    throw usageError(`cannot run ${named ?? path}: it is a pipe or a device, and no file`);
  const usual = findPipelineFile(path);
  if (usual !== undefined) return usual;
  const where = named === undefined ? 'here' : `in ${named}`;
  throw usageError(
    `there is no pipeline file ${where}: neither .buildkite/pipeline.{yml,yaml,json} nor pipeline.{yml,yaml,json}`,
    'cictl run FILE',
  );
}

/** A pipe is not read: that may wait for ever, and a rebuild would find nothing in it. */
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

/** `.buildkite/pipeline.yml` speaks of the folder above. */
function folderOf(path: string): string {
  const folder = dirname(path);
  return basename(folder) === '.buildkite' ? dirname(folder) : folder;
}

/** Elsewhere `run` is a noun: `run list`. */
const hintFor = (named: string | undefined): string =>
  ['list', 'view', 'watch', 'cancel'].includes(named ?? '')
    ? `cictl builds ${named ?? ''}`
    : 'cictl help run';
