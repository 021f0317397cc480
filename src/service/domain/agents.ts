/** An agent that is a program of its own (`buildkite-agent`), on this machine or on another. */
import type { Agent, Build, Job } from './records.ts';
import type { Step } from '../pipeline/plan.ts';

export interface RemoteAgent extends Agent {
  readonly remote: true;
  readonly organizationId: string;
  /** Id of its own token. */
  readonly tokenId: string;
  /** Id of the registration token. */
  readonly registeredWith: string;
  readonly hostname: string;
  readonly os: string;
  readonly arch: string;
  readonly version: string;
  readonly userAgent: string;
  readonly ip: string;
  readonly pid: number | null;
  readonly machineId: string;
  /** `key=value`, the queue among them. */
  readonly tags: readonly string[];
  /** The higher, the earlier it gets a job. */
  readonly priority: number;
  readonly features: readonly string[];
  /** It works on the folders of this machine themselves: `local agent start` has started it. */
  readonly isOnThisMachine: boolean;
  /** Another user of this machine runs it; undefined if that is unknown. */
  readonly isOtherUser?: boolean;
  /** It takes no jobs but those that it asks for by id, or none any more. */
  readonly ignoreInDispatches: boolean;
  readonly state: 'registered' | 'connected' | 'disconnected' | 'lost';
  readonly connectedAt: number | null;
  readonly disconnectedAt: number | null;
  readonly lostAt: number | null;
  /** What somebody asked of it, and it will hear at its next ping. */
  readonly stop: 'gracefully' | 'at once' | null;
  readonly pause: Pause | null;
}

/** While it is paused an agent stays connected and gets no jobs. */
export interface Pause {
  readonly note: string;
  readonly at: number;
  /** When it ends by itself; null for never. */
  readonly until: number | null;
  readonly byId: string | null;
}

/** As a user of the API sees it: it is there, and speaks. */
export const isConnected = ({ state }: Pick<RemoteAgent, 'state'>): boolean =>
  state === 'connected';

// What an agent has to be for a job, as one text: the organization, who may run it, and the rules of
// its step. Jobs that ask for the same have the same text, and are found by it.

export interface Demand {
  readonly organizationId: string;
  readonly runsOn: 'any' | 'slots' | 'agents';
  /** `key=value`, each a tag that the agent must have; the value may hold `*`. */
  readonly rules: readonly string[];
}

/** Empty for what no agent takes. */
export function demandOf(
  { organizationId, options }: Pick<Build, 'organizationId' | 'options'>,
  { type }: Pick<Job, 'type'>,
  step: Step | undefined,
): string {
  if (type !== 'script') return '';
  const rules = rulesOf(step).toSorted();
  return `${organizationId} ${options.runsOn ?? 'any'} ${JSON.stringify(rules)}`;
}

/** The rules of a step, `queue=default` among them where it names no queue. */
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

/** `*` stands for any text within the value; a tag without a value counts as `true`. */
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
