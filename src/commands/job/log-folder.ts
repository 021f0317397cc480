import { createHash } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Job } from '../../api/resources/job.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { makeFolder } from '../../make-folder.ts';
import { writeWholeFile } from '../write-whole-file.ts';
import { nameOf } from './failed-log.ts';
import type { LogFormat } from './index.ts';
import { filteredBytes } from './log-values.ts';
import type { LogTarget } from './log-stream.ts';

/** A folder with a file for each log; there is none where there is no log. */
export async function logFolder(
  folder: string,
  format: LogFormat,
  context: Context,
): Promise<LogTarget> {
  const path = resolve(context.cwd, folder);
  await makeFolder(path).catch((error: unknown) => {
    const code = (error as NodeJS.ErrnoException).code ?? String(error);
    throw new CictlError('machine', `cannot make the folder ${folder}: ${code}`, { cause: error });
  });
  const suffix = format === 'html' || format === 'json' ? format : 'log';
  return {
    writeLog: async (job, bytes) =>
      writeWholeFile(
        join(path, `${fileName(job)}.${suffix}`),
        await filteredBytes(bytes, context),
        context,
      ),
    writeNote: () => Promise.resolve(),
  };
}

/** `rspec-3f0e…`: of the name only what any file system takes. */
function fileName(job: Job): string {
  const slug = nameOf(job)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60);
  return [slug, idInName(job.id ?? '')].filter((part) => part !== '').join('-');
}

/** The id, else one of its own for each: two that differ in case alone are one name to some disks. */
const idInName = (id: string): string =>
  /^[a-z0-9-]{1,64}$/.test(id) ? id : createHash('sha256').update(id).digest('hex').slice(0, 32);
