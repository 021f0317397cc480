import type { BuildFilters, Builds, BuildScope } from '../../api/builds.ts';
import type { Build } from '../../api/resources/build.ts';

/** Of which branches builds are counted. */
export interface Branches {
  /** What the service filters by; empty where it cannot, or where all count. */
  readonly asked: readonly string[];
  /** Whether a build that came counts. */
  includes(build: Build): boolean;
  /** Those of the builds that counted, as far as it was chosen for the user; empty for all. */
  readonly names: readonly string[];
}

/**
 * Those that the user names; else, where no commit says more, the default branch: that of the
 * pipeline, or of each pipeline.
 */
export async function chooseBranches(
  builds: Builds,
  scope: BuildScope,
  { branch = [], commit = [] }: BuildFilters,
): Promise<Branches> {
  if (branch.length > 0 || commit.length > 0) return fixed(branch);
  if (scope.pipeline === undefined) return defaultOfEach();
  for await (const newest of builds.list(scope, { perPage: 1 }))
    return fixed([newest.pipeline?.default_branch ?? []].flat());
  return fixed([]);
}

const fixed = (names: readonly string[]): Branches => ({
  asked: names,
  includes: () => true,
  names,
});

function defaultOfEach(): Branches {
  const names = new Set<string>();
  return {
    asked: [],
    includes({ branch, pipeline }) {
      const isDefault = branch === (pipeline?.default_branch ?? branch);
      if (isDefault && typeof branch === 'string') names.add(branch);
      return isDefault;
    },
    get names() {
      return [...names].sort();
    },
  };
}
