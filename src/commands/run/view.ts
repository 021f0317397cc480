import type { Client } from '../../api/client.ts';
import type { BuildRef } from '../../api/refs.ts';
import type { Context } from '../../context.ts';
import { withHeaderEmojis } from '../../render/shortcodes.ts';
import { createPainter, type Painter, pausable } from '../../render/painter.ts';
import { jobLogs, type JobLogs, type JobLogsOptions, settledLines } from '../../watch/job-logs.ts';
import { createJobNames, prefixLines, shortName } from '../../watch/job-names.ts';
import { liveView } from '../../watch/live-view.ts';
import { jsonView, lineView, viewKind, type View } from '../../watch/view.ts';
import type { Build } from '../../api/resources/build.ts';
import type { Job } from '../../api/resources/job.ts';
import { CictlError } from '../../errors.ts';
import { callAdmin, type BuildChanges } from '../../service/admin.ts';
import type { Hosted } from '../../service/daemon/host.ts';

/** Prints a run as JSON events, as logs above a live frame, or as logs between status lines. */
export function createView(
  client: Client,
  ref: BuildRef,
  { isSilent }: Pick<BuildReader, 'isSilent'>,
  context: Context,
): View {
  const { out } = context;
  const kind = viewKind(out);
  if (kind === 'json') return jsonView(context);
  if (kind === 'lines')
    return lineView(context, { logs: plainLogs(reading(client, ref, context, isSilent), context) });
  const painter = pausable(createPainter(out));
  const logs = colouredLogs(reading(client, ref, context, isSilent), context, painter);
  return liveView({ ...context, painter, logs });
}

/** Prints logs as plain text between status lines, for a pipe. */
function plainLogs(reading: Reading, context: Context): JobLogs {
  const nameOf = createJobNames(shortName);
  return jobLogs({
    ...reading,
    print: async (job, log, build) => {
      const name = nameOf(build, job);
      for await (const text of settledLines(log, {})) {
        await context.out.write(prefixLines(text, name));
      }
    },
  });
}

/** Prints logs above the live frame, in color if color is on. */
function colouredLogs(reading: Reading, context: Context, painter: Painter): JobLogs {
  const { color } = context.out;
  const colours = color.bold('x') !== 'x';
  const nameOf = createJobNames(shortName);
  return jobLogs({
    ...reading,
    print: async (job, log, build) => {
      const name = color.dim(nameOf(build, job));
      for await (const text of settledLines(log, { colours })) {
        await painter.above(prefixLines(await withHeaderEmojis(text), name));
      }
    },
  });
}

type Reading = Omit<JobLogsOptions, 'print'>;

const reading = (
  client: Client,
  ref: BuildRef,
  { clock }: Context,
  isSilent: BuildReader['isSilent'],
): Reading => ({
  read: (job: string, range: string | undefined) =>
    client.jobs.logText({ ...ref, job }, range === undefined ? {} : { range }),
  clock,
  pause: 150,
  isSilent,
});

// Reads the build of a run as it progresses. The service responds as soon as something changes.

export interface BuildReader {
  /** The build with all its jobs. Unchanged jobs are the same objects as in the previous result. */
  read(): Promise<Build>;
  /** Whether the job had no output when the build was read. */
  isSilent(job: Job): boolean;
}

export interface MadeBuild extends BuildRef {
  readonly id: string;
  /** The build in its initial state, so that no change is missed even if jobs are very short. */
  readonly build: Build;
}

export function createBuildReader(
  state: Hosted['state'],
  client: Client,
  made: MadeBuild,
): BuildReader {
  const silent = new WeakSet<Job>();
  let last: { readonly build: Build; readonly version: number } | undefined;
  let isOlder = false;
  let first: Build | undefined = made.build;
  const readChanges = async (): Promise<Build> => {
    const after = last === undefined ? '' : `?after=${last.version}`;
    const path = `/builds/${made.id}/changes${after}`;
    const {
      version,
      build,
      jobs,
      withoutLog = [],
    } = (await callAdmin(state, 'GET', path)) as BuildChanges;
    const now = jobs === undefined ? build : { ...build, jobs: patched(last?.build, jobs) };
    last = { build: now, version };
    const ids = new Set(withoutLog);
    for (const job of (jobs ?? []) as Job[]) if (ids.has(job.id ?? '')) silent.add(job);
    return now;
  };
  return {
    isSilent: (job) => silent.has(job),
    async read() {
      const begun = first;
      first = undefined;
      if (begun !== undefined) return begun;
      if (isOlder) return client.builds.get(made, { exact: true, includeRetriedJobs: true });
      try {
        return await readChanges();
      } catch (error) {
        if (!(error instanceof CictlError) || error.kind !== 'not_found') throw error;
        // An older service lacks this route. If the build is missing, this request fails too.
        const build = await client.builds.get(made, { exact: true, includeRetriedJobs: true });
        isOlder = true;
        return build;
      }
    },
  };
}

function patched(before: Build | undefined, jobs: readonly Job[]): Job[] {
  const changed = new Map(jobs.map((job) => [job.id, job]));
  return (before?.jobs ?? []).map((job) => changed.get(job.id) ?? job);
}
