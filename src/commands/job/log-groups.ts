import type { Jobs } from '../../api/jobs.ts';
import { jobName, type JobRef } from '../../api/refs.ts';
import { prose, resource, text } from '../../api/resources/resource.ts';
import type { Context } from '../../context.ts';
import { CictlError } from '../../errors.ts';
import { chooseGroup } from '../../log/choose-group.ts';
import { readGroups, type Group } from '../../log/read-groups.ts';
import { readHeaderTimes } from '../../log/header-times.ts';
import { durationText, instantText } from '../../log/nanoseconds.ts';
import { wholeLog } from '../../api/log-bytes.ts';

const group = resource({
  name: 'group',
  plural: 'groups',
  members: { name: prose(), start: text(), duration: text() },
  columns: [
    { path: 'name', heading: 'NAME' },
    { path: 'start', heading: 'START' },
    { path: 'duration', heading: 'DURATION' },
  ],
});

/** `--groups`: the sections with the time when they began and how long they took. */
export async function listGroups(
  ref: JobRef,
  end: string | null | undefined,
  context: Context,
): Promise<void> {
  const { jobs } = await context.client();
  await context.out.list(group, rows(groupsOf(jobs, ref, end)), { empty: 'no groups found' });
}

/** The name of the group that is meant. The log is read for it up to that group, at most. */
export async function findGroup(wanted: string, ref: JobRef, context: Context): Promise<string> {
  const { jobs } = await context.client();
  const names: string[] = [];
  const noTimes = { headerTimes: () => Promise.resolve([]) };
  for await (const { name } of readGroups(await wholeLog(jobs, ref), noTimes)) {
    if (name === wanted) return wanted;
    if (name.includes(wanted)) names.push(name);
  }
  try {
    return chooseGroup(wanted, names);
  } catch (error) {
    if (!(error instanceof CictlError)) throw error;
    throw new CictlError(error.kind, error.message, {
      hint: `cictl job log ${jobName(ref)} --groups`,
    });
  }
}

async function* groupsOf(
  jobs: Jobs,
  ref: JobRef,
  end: string | null | undefined,
): AsyncGenerator<Group> {
  let times: Promise<bigint[]> | undefined;
  const headerTimes = (): Promise<bigint[]> => (times ??= readTimes(jobs, ref));
  const ended = Date.parse(end ?? '');
  yield* readGroups(await wholeLog(jobs, ref), {
    headerTimes,
    end: Number.isNaN(ended) ? undefined : BigInt(ended) * 1_000_000n,
  });
}

const readTimes = async (jobs: Jobs, ref: JobRef): Promise<bigint[]> =>
  readHeaderTimes((await jobs.logJson(ref)).body);

async function* rows(groups: AsyncIterable<Group>): AsyncGenerator<object> {
  for await (const { name, start, duration } of groups) {
    yield {
      name,
      start: start === undefined ? null : instantText(start),
      duration: duration === undefined ? null : durationText(duration),
    };
  }
}
