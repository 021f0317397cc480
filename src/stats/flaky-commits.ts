import type { Build } from '../api/resources/build.ts';

/** A build in which something has passed. */
export interface PassedBuild {
  readonly number: number;
  readonly web_url: string | null;
}

/** What passed at which commit, in builds that come newest first. */
export interface CommitPasses {
  /** The next newer build of the same commit in which a part has passed. */
  find(build: Build, part: number): PassedBuild | undefined;
  add(build: Build, parts: readonly number[]): void;
}

/** Parts are numbers: of a build a few bytes a job stay. */
export function createCommitPasses(): CommitPasses {
  const commits = new Map<string, (PassedBuild & { readonly parts: Uint32Array })[]>();
  return {
    find(build, part) {
      const commit = commitOf(build);
      if (commit === undefined) return undefined;
      return commits.get(commit)?.findLast(({ parts }) => parts.includes(part));
    },
    add(build, parts) {
      const commit = commitOf(build);
      if (commit === undefined || parts.length === 0) return;
      const passed = {
        number: build.number ?? 0,
        web_url: build.web_url ?? null,
        parts: Uint32Array.from(parts),
      };
      commits.set(commit, [...(commits.get(commit) ?? []), passed]);
    },
  };
}

/**
 * Parts are of one pipeline each, so that the commit is enough. `HEAD` and a branch are another one each
 * time; of a SHA git takes four digits at least.
 */
const commitOf = ({ commit }: Build): string | undefined =>
  /^[\da-f]{4,64}$/i.test(commit ?? '') ? (commit ?? undefined) : undefined;
