import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { BuildRef } from '../../../api/refs.ts';
import { withLogCache } from '../../../cache/with-log-cache.ts';
import type { Handler, Input } from '../../../command/command.ts';
import type { Context } from '../../../context.ts';
import { CictlError, usageError } from '../../../errors.ts';
import { resolveBuild } from '../../../refs/resolve.ts';
import { checkOutFile, dataFlag, standardOutput } from '../../output-flags.ts';
import type { buildsReport } from '../index.ts';
import { gatherReport } from './gather.ts';

type ReportInput = Input<typeof buildsReport>;

/** Exits with 0 if the report could be written, regardless of the state of the build. */
export const reportBuild: Handler<typeof buildsReport> = async (input, uncached) => {
  const request = readRequest(input, uncached);
  const context = withLogCache(uncached, { offline: false });
  const ref = await resolveBuild(context, input.build, { mutates: false });
  const file = request.isData ? undefined : await reportFile(ref, input, context);
  const progress = context.messages.progress('reading the build and its logs');
  const gathered = await gatherReport(ref, request, context).finally(() => progress.stop());
  if (request.isData) {
    const { printReportData } = await import('./data.ts');
    return printReportData(gathered, request.maxBytes, context);
  }
  const { writeReport } = await import('./html.ts');
  return writeReport(gathered, { ...request, open: input.open, file }, context);
};

export interface ReportRequest {
  readonly isData: boolean;
  readonly logs: 'failed' | 'all' | 'none';
  /** Combined limit for excerpts, annotations and logs. */
  readonly maxBytes: number;
}

function readRequest(input: ReportInput, context: Context): ReportRequest {
  const data = dataFlag(context);
  const file = input.out !== undefined ? '--out' : input.open ? '--open' : undefined;
  if (data !== undefined && file !== undefined)
    throw usageError(`${data} and ${file} cannot be used together`);
  checkOutFile('--out', input.out);
  if (input.out === standardOutput && input.open)
    throw usageError('--out - and --open cannot be used together');
  const { logs = 'failed', maxBytes = defaultBytes } = input;
  if (maxBytes < 0) throw usageError(`--max-bytes must not be negative: ${maxBytes}`);
  return { isData: data !== undefined, logs: logs as ReportRequest['logs'], maxBytes };
}

/** Small enough for issue trackers and browsers. */
const defaultBytes = 4 * 1024 * 1024;

/**
 * The output file: `--out` if given. On a terminal or with `--open`, defaults to `web-142.html` in
 * the working directory, otherwise to standard output (undefined). Exit code 10 if the default file
 * already exists and is not a report.
 */
async function reportFile(
  { pipeline, number }: BuildRef,
  input: ReportInput,
  { out, cwd }: Context,
): Promise<string | undefined> {
  if (input.out !== undefined) return input.out === standardOutput ? undefined : input.out;
  if (!out.isTerminal && !input.open) return undefined;
  const name = `${pipeline.replace(/[^\w.-]/g, '_').replace(/^[.-]/, '_')}-${number}.html`;
  if (await isForeignFile(resolve(cwd, name)))
    throw new CictlError('machine', `${name} already exists and is not a report`, {
      hint: `cictl builds report ${pipeline}/${number} -O ${name}`,
    });
  return name;
}

/** Whether the file exists but was not written by this command. */
async function isForeignFile(path: string): Promise<boolean> {
  try {
    const file = await open(path);
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(headSize), 0, headSize, 0);
      return !buffer.toString('latin1', 0, bytesRead).includes(generator);
    } finally {
      await file.close();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

/** Number of bytes at the start of a page that contain the generator tag. */
const headSize = 2048;
const generator = '<meta name="generator" content="cictl builds report"';
