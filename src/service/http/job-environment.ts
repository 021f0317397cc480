/** The environment of a job, as everybody may see it. */
import type { Job, Tree } from '../domain/records.ts';
import { environmentOf } from '../scheduler/environment.ts';
import { remoteEnvironment } from '../scheduler/remote-environment.ts';
import type { ServiceContext } from '../service-context.ts';
import { codeFor } from '../snapshots/code-for.ts';

/** That of a job with an agent beside the slots is what the agent was given; no token is in it. */
export async function shownEnvironment(
  service: ServiceContext,
  tree: Tree,
  job: Job,
): Promise<Record<string, string>> {
  const agent = job.agent?.remote === true ? service.store.agents.byId(job.agent.id) : undefined;
  if (agent === undefined)
    return environmentOf({ ...service, tags: service.engine.slotTags }, tree, job);
  const step = tree.plan.steps[job.step];
  const isWithoutCode = step?.type === 'command' && step.skipCheckout;
  const code = isWithoutCode ? {} : await knownCode(service, tree, agent);
  return remoteEnvironment(service, tree, job, agent, code);
}

/** Where it could not be had, the log of the job says why. */
const knownCode = (
  service: ServiceContext,
  tree: Tree,
  agent: Parameters<typeof codeFor>[2],
): Promise<Readonly<Record<string, string>>> =>
  codeFor(service, tree, agent, service.urls.base).then(
    ({ env }) => env,
    () => ({}),
  );
