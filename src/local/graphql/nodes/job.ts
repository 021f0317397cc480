import type { Job, Tree } from '../../domain/records.ts';
import { nameOf } from '../../http/present/job.ts';
import { graphqlId, iso, isoOrNull } from '../../http/present/parts.ts';
import { environmentOf } from '../../scheduler/environment.ts';
import { organizationSeen, pipelineSeen, type Viewpoint } from '../viewpoint.ts';
import { userNode } from './accounts.ts';
import { buildNode } from './build.ts';

const types = { script: 'COMMAND', waiter: 'WAIT', manual: 'BLOCK', trigger: 'TRIGGER' } as const;
const typeNames = {
  script: 'JobTypeCommand',
  waiter: 'JobTypeWait',
  manual: 'JobTypeBlock',
  trigger: 'JobTypeTrigger',
} as const;

export const jobType = ({ type }: Job): string => types[type];

export function jobNode(viewpoint: Viewpoint, tree: Tree, job: Job): object {
  const step = tree.plan.steps[job.step];
  const command = step?.type === 'command' ? step : undefined;
  return {
    __typename: typeNames[job.type],
    id: graphqlId('Job', job.id),
    uuid: job.id,
    state: job.state.toUpperCase(),
    label: nameOf(step),
    url: urlOf(viewpoint, tree, job),
    build: () => buildNode(viewpoint, tree.build.id),
    step: { uuid: job.stepId, key: step?.key ?? null },
    createdAt: iso(job.createdAt),
    scheduledAt: isoOrNull(job.scheduledAt),
    runnableAt: isoOrNull(job.runnableAt),
    startedAt: isoOrNull(job.startedAt),
    finishedAt: isoOrNull(job.finishedAt),
    command: command?.command ?? null,
    passed: job.state === 'passed',
    softFailed: job.softFailed,
    exitStatus: job.exitStatus === null ? null : String(job.exitStatus),
    signal: job.signal,
    signalReason: job.signalReason,
    agent: job.agent && {
      __typename: 'Agent',
      id: graphqlId('Agent', job.agent.id),
      uuid: job.agent.id,
      name: job.agent.name,
    },
    agentQueryRules: command?.agentQueryRules ?? [],
    env: () => environment(viewpoint, tree, job),
    retried: job.retriedInJobId !== null,
    retriesCount: job.retriesCount,
    isUnblockable: job.state === 'blocked',
    unblockedAt: isoOrNull(job.unblockedAt),
    unblockedBy: () => userNode(viewpoint, job.unblockedById),
  };
}

function urlOf(viewpoint: Viewpoint, { build }: Tree, job: Job): string {
  const organization = organizationSeen(viewpoint, build.organizationId);
  const pipeline = pipelineSeen(viewpoint, build.pipelineId);
  const { urls } = viewpoint.core;
  return urls.webJob(organization?.slug ?? '', pipeline?.slug ?? '', build.number, job.id);
}

const environment = ({ core }: Viewpoint, tree: Tree, job: Job): string[] =>
  Object.entries(environmentOf(core, tree, job)).map(([name, value]) => `${name}=${value}`);
