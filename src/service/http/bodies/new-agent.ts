/** What an agent says of itself when it is registered. */
import type { NewAgent } from '../../scheduler/agents/register.ts';
import { bodyReader, hasNul, objectOf, type Body, type BodyReader } from '../body-reader.ts';

type SaidOfItself = Omit<
  NewAgent,
  'organizationId' | 'registeredWith' | 'userAgent' | 'ip' | 'isOnThisMachine' | 'isOtherUser'
>;

const maxTags = 200;
const maxText = 1000;

/** Throws `ApiError` 400 and 422. */
export function readNewAgent(body: unknown): SaidOfItself {
  const given = objectOf(body);
  const members = bodyReader(given);
  const text = (field: string): string => shortText(members, field);
  const agent = {
    ...{ name: text('name'), hostname: text('hostname'), os: text('os').trim() },
    ...{ arch: text('arch'), version: text('version'), machineId: text('machine_id') },
    pid: members.integer('pid') ?? null,
    tags: readTags(members),
    priority: readPriority(members, given),
    features: (members.texts('features') ?? []).slice(0, maxTags),
    ignoreInDispatches: members.flag('ignore_in_dispatches'),
  };
  members.done();
  return agent;
}

/** Control characters, the line ends of `os` among them, become spaces. */
function shortText(members: BodyReader, field: string): string {
  const text = members.text(field) ?? '';
  if (text.length > maxText)
    members.addError({ field, code: 'too_long', message: `${field} is too long` });
  return text.replace(/[\u0000-\u001f\u007f]+/g, ' ');
}

/** A queue is always among them. */
function readTags(members: BodyReader): string[] {
  const tags = members.texts('meta_data') ?? [];
  const wrong = (message: string): void =>
    members.addError({ field: 'meta_data', code: 'invalid', message });
  if (tags.length > maxTags) wrong(`an agent has at most ${maxTags} tags, not ${tags.length}`);
  else if (tags.some((tag) => tag.length > maxText || hasNul(tag))) wrong('a tag is too long');
  const texts = tags.map((tag) => tag.trim()).filter((tag) => tag !== '');
  return texts.some((tag) => tag.startsWith('queue=')) ? texts : ['queue=default', ...texts];
}

/** A text of the protocol; 0 where none is given. */
function readPriority(members: BodyReader, { priority }: Body): number {
  const text = typeof priority === 'number' ? String(priority) : (priority ?? '');
  if (text === '') return 0;
  if (typeof text === 'string' && /^-?\d{1,9}$/.test(text)) return Number(text);
  members.addError({ field: 'priority', code: 'invalid', message: 'priority must be an integer' });
  return 0;
}
