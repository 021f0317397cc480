import { integer, member, one, part, resource, text, type ResourceValue } from './resource.ts';

const agentCounts = { idle: integer(), busy: integer(), total: integer() };

const jobCounts = {
  scheduled: integer(),
  running: integer(),
  waiting: integer(),
  total: integer(),
};

/** Counts by queue name. A queue may be missing from the agents or the jobs. */
type Queues<K extends string> = Record<string, Partial<Record<K, number | null>>>;

const agents = part({
  ...agentCounts,
  queues: member<Queues<keyof typeof agentCounts>>('json')(),
});

const jobs = part({ ...jobCounts, queues: member<Queues<keyof typeof jobCounts>>('json')() });

/** spec.md, "Metrics". Includes the cluster of the agent token if the service has clusters. */
export const metrics = resource({
  name: 'metrics',
  plural: 'metrics',
  members: {
    agents: one(agents),
    jobs: one(jobs),
    organization: one(part({ slug: text() })),
    cluster: one(part({ name: text() })),
  },
  columns: [
    { path: 'organization.slug', heading: 'ORGANIZATION' },
    { path: 'agents.idle', heading: 'IDLE' },
    { path: 'agents.busy', heading: 'BUSY' },
    { path: 'agents.total', heading: 'AGENTS' },
    { path: 'jobs.scheduled', heading: 'SCHEDULED' },
    { path: 'jobs.running', heading: 'RUNNING' },
    { path: 'jobs.waiting', heading: 'WAITING' },
    { path: 'jobs.total', heading: 'JOBS' },
  ],
});

export type Metrics = ResourceValue<typeof metrics>;
