import type { ServiceContext } from '../../../service-context.ts';
import { isNear } from '../../../snapshots/code-for.ts';
import { isAgentOfOtherUser } from '../../authenticate.ts';
import { json } from '../../response.ts';
import { session, route, type Route, type Call } from '../../route.ts';
import {
  bodyReader,
  hasNul,
  objectOf,
  type Body,
  type BodyReader,
  isObject,
} from '../../body-reader.ts';
import { ApiError, unauthorized } from '../../api-error.ts';
import { iso } from '../../present/scalars.ts';

/** Seconds between pings from an idle agent, and between a busy agent's checks of its job. */
const [pingInterval, jobStatusInterval] = [1, 1];

const maxTags = 200;

const maxText = 1000;

export const registerRoute: Route = route(
  'POST',
  '/v3/register',
  { audience: 'registration' },
  async (call, service) => {
    const { token } = call.caller;
    const said = readNewAgent(await call.body());
    const organizationId = token.organizationIds[0] ?? '';
    const ip = call.remoteAddress;
    const isOnThisMachine = token.isOnThisMachine ?? false;
    const isOtherUser =
      isOnThisMachine || !isNear({ ip }) ? undefined : await isAgentOfOtherUser(said.pid);
    const { agent, secret } = service.engine.agents.register({
      ...said,
      name: nameOf(service, organizationId, said.name, said.hostname),
      ...{ organizationId, registeredWith: token.id, ip, isOnThisMachine },
      userAgent: (call.header('user-agent') ?? '').slice(0, 200),
      ...(isOtherUser !== undefined && { isOtherUser }),
    });
    return json({
      ...{ id: agent.id, name: agent.name, access_token: secret, meta_data: agent.tags },
      // If one of these fields is missing, agents exit or send thousands of requests.
      ping_interval: pingInterval,
      job_status_interval: jobStatusInterval,
      heartbeat_interval: Math.max(1, Math.round(service.agents.heartbeat / 1000)),
    });
  },
);

/** Replaces `%hostname`, and replaces `%n` with the lowest unused number. */
function nameOf(
  { engine }: ServiceContext,
  organizationId: string,
  given: string,
  hostname: string,
): string {
  const name = (given === '' ? '%hostname-%n' : given).replaceAll('%hostname', hostname || 'agent');
  if (!name.includes('%n')) return name;
  const taken = new Set(engine.agents.present(organizationId).map(({ agent }) => agent.name));
  for (let number = 1; ; number++) {
    const numbered = name.replaceAll('%n', String(number));
    if (!taken.has(numbered)) return numbered;
  }
}

function readNewAgent(body: unknown) {
  const members = bodyReader(body);
  const text = (field: string): string => shortText(members, field);
  const agent = {
    ...{ name: text('name'), hostname: text('hostname'), os: text('os').trim() },
    ...{ arch: text('arch'), version: text('version'), machineId: text('machine_id') },
    pid: members.integer('pid') ?? null,
    tags: readTags(members),
    priority: readPriority(members, objectOf(body)),
    features: (members.texts('features') ?? []).slice(0, maxTags),
    ignoreInDispatches: members.flag('ignore_in_dispatches'),
  };
  members.done();
  return agent;
}

/** Replaces control characters, such as the newlines in `os`, with spaces. */
function shortText(members: BodyReader, field: string): string {
  const text = members.text(field) ?? '';
  if (text.length > maxText) members.reject(field, `${field} is too long`, 'too_long');
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
}

function readTags(members: BodyReader): string[] {
  const field = 'meta_data';
  const tags = members.texts(field) ?? [];
  if (tags.length > maxTags)
    members.reject(field, `an agent can have at most ${maxTags} tags, not ${tags.length}`);
  else if (tags.some((tag) => tag.length > maxText || hasNul(tag)))
    members.reject(field, 'a tag is too long');
  const texts = tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  return texts.some((tag) => tag.startsWith('queue=')) ? texts : ['queue=default', ...texts];
}

/** In the protocol, the priority is a string. */
function readPriority(members: BodyReader, { priority }: Body): number {
  const text = typeof priority === 'number' ? String(priority) : (priority ?? '');
  if (text === '') return 0;
  if (typeof text === 'string' && /^-?\d{1,9}$/.test(text)) return Number(text);
  members.reject('priority', 'priority must be an integer');
  return 0;
}

export const gone = (): ApiError =>
  new ApiError(401, 'This agent was disconnected or has been silent for a day; register it again');

export const presenceRoutes: readonly Route[] = [
  route('POST', '/v3/connect', session, (call, { engine }) => {
    if (!engine.agents.connect(agentOf(call))) throw gone();
    return json({});
  }),
  route('POST', '/v3/disconnect', session, (call, { engine }) => {
    engine.agents.disconnect(agentOf(call));
    return json({});
  }),
  route('POST', '/v3/heartbeat', session, async (call, { engine, clock }) => {
    // Always succeeds, because agents of version 4 hang if their heartbeats fail.
    engine.agents.seen(agentOf(call));
    const body = await call.body().catch(() => ({}));
    const sentAt = isObject(body) && typeof body['sent_at'] === 'string' ? body['sent_at'] : null;
    return json({ sent_at: sentAt, received_at: iso(clock.now()) });
  }),
  route('GET', '/v3/ping', session, async (call, { engine }) => {
    const response = engine.agents.ping(agentOf(call), call.signal);
    if (response === undefined) throw gone();
    return json(await response);
  }),
];

export function agentOf({ caller }: Call): string {
  const { agentId } = caller.token;
  if (agentId === undefined) throw unauthorized('session');
  return agentId;
}
