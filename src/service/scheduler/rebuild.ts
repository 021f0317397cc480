import type { Build, Organization, Pipeline } from '../domain/records.ts';
import { makeBuild, type BuildParts } from './make-build.ts';

/**
 * A new build with the commit, branch, message, environment, meta-data and pull request of another
 * one. It runs that commit, even if `cictl run` ran the other one in place. Throws `Refusal` as
 * `makeBuild` does.
 */
export const rebuild = (
  service: BuildParts,
  location: { readonly organization: Organization; readonly pipeline: Pipeline },
  build: Build,
  creatorId: string | undefined,
): Promise<Build> =>
  makeBuild(service, location, {
    commit: build.commit,
    branch: build.branch,
    message: build.message,
    author: build.author,
    env: build.env,
    metaData: build.metaData,
    cleanCheckout: build.cleanCheckout,
    ignoreBranchFilters: build.ignoreBranchFilters,
    pullRequest: build.pullRequest,
    workspace: build.workspace,
    hostEnv: build.hostEnv,
    options: build.options,
    plan: build.ownPlan ? service.store.builds.firstPlan(build.id) : undefined,
    rebuiltFrom: { id: build.id, number: build.number },
    creatorId: creatorId ?? null,
  });
