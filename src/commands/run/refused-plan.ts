import { CictlError } from '../../errors.ts';

/** What a plan cannot run without, a line each (`problems`), as the problems of a file: code 2. */
export function refusedPlan(problems: string, file: string, cause: unknown): CictlError {
  const lines = problems.split('\n');
  const [only = ''] = lines;
  if (lines.length === 1) return new CictlError('usage', only, { cause });
  const message = `the pipeline file ${file} has ${lines.length} problems`;
  return new CictlError('usage', message, { details: lines, cause });
}
