type JobMembers = Readonly<Record<string, unknown>>;

/** What a job is called: its name, else a block step's label, its key, its command or its type. */
export function jobTitle({ name, label, step_key, command, type }: JobMembers): string | undefined {
  const firstLine = typeof command === 'string' ? command.trim().split('\n', 1)[0] : undefined;
  const title = name === command ? firstLine : name;
  return [title, label, step_key, firstLine, type].find(isText);
}

/** Which of the jobs of its step it is, `1/2`; nothing where there is one, or its name says it. */
export function partOfParallel(job: JobMembers): string | undefined {
  const { parallel_group_index: index, parallel_group_total: total } = job;
  if (typeof index !== 'number' || typeof total !== 'number' || total < 2) return undefined;
  const part = `${index + 1}/${total}`;
  return ` ${jobTitle(job) ?? ''} `.includes(` ${part} `) ? undefined : part;
}

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.trim() !== '';
