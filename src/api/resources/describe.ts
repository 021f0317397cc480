type Members = Readonly<Record<string, unknown>>;

/** `build web/7 on main at 0141deadbe: Fix it`; unknown parts are omitted */
export function describeBuild({ pipeline, number, branch, commit, message }: Members): string {
  const slug = textAt(pipeline, 'slug');
  const title = (typeof message === 'string' ? message : '').trim().split('\n', 1)[0];
  return joined([
    ['build', [slug, textOf(number)].filter(isText).join('/')],
    ['on', endOf(textOf(branch))],
    ['at', textOf(commit)?.slice(0, 10)],
    [':', title],
  ]);
}

function endOf(branch: string | undefined): string | undefined {
  const characters = Array.from(branch ?? '');
  return characters.length > 32 ? `…${characters.slice(-31).join('')}` : branch;
}

export const describeJob = ({ name, label, step_key, id }: Members): string =>
  joined([
    ['job', textOf(name) ?? textOf(label) ?? textOf(id)],
    ['(', textOf(step_key)],
  ]);

export const describeAnnotation = ({ context, style }: Members): string =>
  joined([
    ['annotation', textOf(context)],
    ['(', textOf(style)],
  ]);

/** `rule UUID: ACTION from SOURCE to TARGET` */
export const describeRule = ({ uuid, action, type, source_uuid, target_uuid }: Members): string =>
  joined([
    ['rule', textOf(uuid)],
    [':', textOf(action) ?? textOf(type)],
    ['from', textOf(source_uuid)],
    ['to', textOf(target_uuid)],
  ]);

export const describeUser = ({ name, email, id }: Members): string =>
  joined([
    ['user', textOf(name)],
    ['<', textOf(email)],
    [':', textOf(id)],
  ]);

type Part = readonly [lead: string, text: string | undefined];

const joined = (parts: readonly Part[]): string =>
  parts
    .filter(([, text], at) => at === 0 || isText(text))
    .map(([lead, text = ''], at) => (at === 0 ? `${lead} ${text}`.trim() : behind(lead, text)))
    .join('');

function behind(lead: string, text: string): string {
  if (lead === ':') return `: ${text}`;
  if (lead === '(') return ` (${text})`;
  return lead === '<' ? ` <${text}>` : ` ${lead} ${text}`;
}

const isText = (text: string | undefined): text is string => text !== undefined && text !== '';

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' || typeof value === 'number' || isLongNumber(value)
    ? String(value)
    : undefined;

const isLongNumber = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'isLosslessNumber' in value;

const textAt = (value: unknown, name: string): string | undefined =>
  typeof value === 'object' && value !== null && name in value
    ? textOf((value as Members)[name])
    : undefined;
