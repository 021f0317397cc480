/** Commits as filters: the API matches only full SHAs. */
import { usageError } from '../errors.ts';
import { git, type Git } from '../git.ts';

/** 40 hex digits in small letters, anything else through `git rev-parse`. Code 2 when git knows none. */
export async function fullCommit(
  text: string,
  cwd: string,
  { revParse }: Pick<Git, 'revParse'> = git,
): Promise<string> {
  if (/^[0-9a-f]{40}$/i.test(text)) return text.toLowerCase();
  const commit = text === '' ? undefined : await revParse(cwd, text);
  if (commit !== undefined) return commit;
  throw usageError(
    `${JSON.stringify(text)} is no commit of this checkout, and the API matches full SHAs alone`,
    'give all 40 hex digits',
  );
}
