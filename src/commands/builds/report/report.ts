import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { withLogCache } from '../../../cache/with-log-cache.ts';
import type { Handler, Input } from '../../../command/command.ts';
import { resolveBuild } from '../../../refs/resolve.ts';
import type { buildsReport } from '../index.ts';
import { gatherReport } from './gather.ts';
import type { BuildRef } from '../../../api/refs.ts';
import type { Context } from '../../../context.ts';
import { CictlError, usageError } from '../../../errors.ts';
import { standardOutput, checkOutFile, dataFlag } from '../../output-flags.ts';

/** `cictl builds report [BUILD]`: code 0 when it could be written, whatever the state of the build. */
export const reportBuild: Handler<typeof buildsReport> = async (input, uncached) => {
  const request = readReportRequest(input, uncached);
  const context = withLogCache(uncached, { offline: false });
  const ref = await resolveBuild(context, input.build, { mutates: false });
  const file = request.isData ? undefined : await reportTarget(ref, input, context);
  const progress = context.messages.progress('reading the build and its logs');
  const gathered = await gatherReport(ref, request, context).finally(() => progress.stop());
  if (request.isData) {
    const { printReportData } = await import('./data.ts');
    return printReportData(gathered, request.maxBytes, context);
  }
  const { writeReport } = await import('./html.ts');
  return writeReport(gathered, { ...request, open: input.open, file }, context);
};

/**
 * The file that a report goes into: the one that is named, or where a person or a browser waits for
 * it `web-142.html` in this folder; undefined for standard output, which is `-` too. What is there under a name that
 * nobody has typed is replaced only where it is an earlier report: code 10.
 */
async function reportTarget(
  { pipeline, number }: BuildRef,
  input: Pick<ReportInput, 'out' | 'open'>,
  { out, cwd }: Pick<Context, 'out' | 'cwd'>,
): Promise<string | undefined> {
  if (input.out !== undefined) return input.out === standardOutput ? undefined : input.out;
  if (!out.isTerminal && !input.open) return undefined;
  const name = `${pipeline.replace(/[^\w.-]/g, '_').replace(/^[.-]/, '_')}-${number}.html`;
  if (await isNoReport(resolve(cwd, name)))
    throw new CictlError('machine', `${name} is there already, and it is no report`, {
      hint: `-O ${name} replaces it`,
    });
  return name;
}

/** Something is there, and it is no page that this command has written, as far as can be seen. */
async function isNoReport(path: string): Promise<boolean> {
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

/** Where the frame of a page says what has made it. */
const headSize = 2048;
const generator = '<meta name="generator" content="cictl builds report"';

type ReportInput = Input<typeof buildsReport>;

/** The flags of `builds report`, checked. */
export interface ReportRequest {
  /** What is behind the page in place of it. */
  readonly isData: boolean;
  readonly logs: 'failed' | 'all' | 'none';
  /** Of excerpts, annotations and logs, all together. */
  readonly maxBytes: number;
}

/** Code 2, naming the flags, where they cannot be used together. */
function readReportRequest(input: ReportInput, context: Context): ReportRequest {
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

/** What a ticket takes as a file, and a browser shows at once. */
const defaultBytes = 4 * 1024 * 1024;
