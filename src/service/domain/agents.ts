/** Agents that are separate processes (`buildkite-agent`), on this machine or others. */
import type { Agent, Build, Job } from './records.ts';
import type { Step } from '../pipeline/plan.ts';

export interface RemoteAgent extends Agent {
  readonly remote: true;
  readonly organizationId: string;
  readonly tokenId: string;
  /** ID of the registration token. */
  readonly registeredWith: string;
  readonly hostname: string;
  readonly os: string;
  readonly arch: string;
  readonly version: string;
  readonly userAgent: string;
  readonly ip: string;
  readonly pid: number | null;
  readonly machineId: string;
  /** Tags of the form `key=value`, including the queue. */
  readonly tags: readonly string[];
  /** Agents with a higher priority get jobs first. */
  readonly priority: number;
  readonly features: readonly string[];
  /** Whether `local agent start` started the agent, so it can use directories on this machine. */
  readonly isOnThisMachine: boolean;
  /** Whether the agent runs as another user on this machine; undefined if unknown. */
  readonly isOtherUser?: boolean;
  /** Set if the agent only takes jobs that it acquires by ID, or takes no jobs at all. */
  readonly ignoreInDispatches: boolean;
  readonly state: 'registered' | 'connected' | 'disconnected' | 'lost';
  readonly connectedAt: number | null;
  readonly disconnectedAt: number | null;
  readonly lostAt: number | null;
  /** A command for the agent, sent with the response to its next ping. */
  readonly stop: 'gracefully' | 'at once' | null;
  readonly pause: Pause | null;
}

/** A paused agent stays connected but does not get jobs. */
export interface Pause {
  readonly note: string;
  readonly at: number;
  /** Null if the agent is paused indefinitely. */
  readonly until: number | null;
  readonly byId: string | null;
}

export const isConnected = ({ state }: Pick<RemoteAgent, 'state'>): boolean =>
  state === 'connected';

/** A job's requirements for its agent. In string form, they are the key for looking up jobs. */
export interface Demand {
  readonly organizationId: string;
  readonly runsOn: 'any' | 'slots' | 'agents';
  /** `key=value` tags that the agent must have. The value may contain `*`. */
  readonly rules: readonly string[];
}

/** Returns the job's requirements for its agent as a string. Empty if the job needs no agent. */
export function demandOf(
  { organizationId, options }: Pick<Build, 'organizationId' | 'options'>,
  { type }: Pick<Job, 'type'>,
  step: Step | undefined,
): string {
  if (type !== 'script') return '';
  const rules = rulesOf(step).toSorted();
  return `${organizationId} ${options.runsOn ?? 'any'} ${JSON.stringify(rules)}`;
}

/** The agent rules of a step. Adds `queue=default` if they do not include a queue. */
export function rulesOf(step: Step | undefined): readonly string[] {
  const rules = step?.type === 'command' ? step.agentQueryRules : [];
  return rules.some((rule) => rule.startsWith('queue=')) ? rules : ['queue=default', ...rules];
}

export function readDemand(text: string): Demand {
  const [organizationId = '', runsOn = 'any'] = text.split(' ', 2);
  const rules = JSON.parse(text.slice(organizationId.length + runsOn.length + 2)) as string[];
  return { organizationId, runsOn: runsOn as Demand['runsOn'], rules };
}

/** Whether an agent with these tags meets every rule. */
export const meets = (tags: readonly string[], rules: readonly string[]): boolean =>
  rules.every((rule) => tags.some((tag) => meetsRule(tag, rule)));

/** In a rule's value, `*` matches any text. A tag without a value has the value `true`. */
function meetsRule(tag: string, rule: string): boolean {
  const [key, value] = parts(tag);
  const [wantedKey, wanted] = parts(rule);
  if (key !== wantedKey) return false;
  if (!wanted.includes('*')) return value === wanted;
  const [first = '', ...rest] = wanted.split('*');
  const last = rest.pop() ?? '';
  if (!value.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = value.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return value.length - last.length >= from && value.endsWith(last);
}

function parts(text: string): readonly [key: string, value: string] {
  const at = text.indexOf('=');
  return at < 0 ? [text, 'true'] : [text.slice(0, at), text.slice(at + 1)];
}
