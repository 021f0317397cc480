import type { Author, Build } from './records.ts';

/** Meta-data key that agents set to the output of `git show` after a checkout. */
export const commitKey = 'buildkite:git:commit';

/**
 * Sets the build's commit unless it is already a full SHA. Sets the message and author unless they
 * were given; the default author `creator` does not count as given. Does nothing if `text`
 * describes a different commit.
 */
export function withGitCommit(build: Build, text: string, creator: Author | null): Build {
  const { sha, author, message } = readGitCommit(text);
  if (sha === undefined || (isFullSha(build.commit) && build.commit !== sha)) return build;
  const isGiven =
    build.author !== null &&
    (build.author.name !== creator?.name || build.author.email !== creator.email);
  return {
    ...build,
    commit: sha,
    message: build.message || message,
    author: isGiven ? build.author : (author ?? build.author),
  };
}

export const isFullSha = (text: string): boolean => /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(text);

function readGitCommit(text: string) {
  const [head = '', ...rest] = text.replaceAll('\r\n', '\n').split('\n\n');
  const [, sha] = /^commit (\S+)$/m.exec(head) ?? [];
  const [, name, email] = /^Author: (.*?) ?<(.*)>$/m.exec(head) ?? [];
  return {
    sha: sha !== undefined && isFullSha(sha) ? sha : undefined,
    author: name === undefined || email === undefined ? undefined : { name, email },
    message: rest.join('\n\n').replace(/^ {4}/gm, '').trim(),
  };
}
