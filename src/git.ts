/** What the git checkout around the working folder says. Without git there is no checkout. */
/** Every function resolves to undefined where git has none; none throws. */
export interface Git {
  /** Full SHA of HEAD. */
  readonly headCommit: (cwd: string) => Promise<string | undefined>;
  /** Name of the current branch; undefined when HEAD is detached. */
  readonly branch: (cwd: string) => Promise<string | undefined>;
  /** Full SHA of the commit that a revision names. */
  readonly revParse: (cwd: string, revision: string) => Promise<string | undefined>;
}

export const git: Git = {
  headCommit: (cwd) => git.revParse(cwd, 'HEAD'),
  branch: (cwd) => ask(cwd, ['symbolic-ref', '--quiet', '--short', 'HEAD']),
  revParse: (cwd, revision) =>
    ask(cwd, ['rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`]),
};

/** First line of what git prints, undefined when it fails or prints nothing. */
async function ask(cwd: string, args: readonly string[]): Promise<string | undefined> {
  // Loaded late: most commands that could ask git need not.
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    execFile('git', args, { cwd, encoding: 'utf8' }, (error, stdout) => {
      const line = error ? '' : (stdout.split('\n')[0] ?? '');
      resolve(line === '' ? undefined : line);
    });
  });
}
