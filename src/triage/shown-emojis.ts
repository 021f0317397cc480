import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { emojisFor, type WriteEmojis } from '../render/shortcodes.ts';
import type { Report } from './report-resource.ts';

/** Replaces shortcodes in the message and job names of a build with emojis. */
export const buildWithEmojis = (build: Build): Promise<Build> =>
  withEmojis((write) => ({
    ...build,
    message: written(build.message, write),
    jobs: build.jobs?.map((job) => jobWithEmojis(job, write)) ?? [],
  }));

/** Colons in a command are not shortcodes. */
function jobWithEmojis(job: Job, write: WriteEmojis): Job {
  const { name, label, command } = job;
  if (typeof name === 'string' && name === command) return job;
  return { ...job, name: written(name, write), label: written(label, write) };
}

/** Replaces shortcodes in the messages, names and section headers of a report with emojis. */
export const reportWithEmojis = (report: Report): Promise<Report> =>
  withEmojis((write) => ({
    ...report,
    build: { ...report.build, message: written(report.build.message, write) },
    causes: report.causes.map((cause) => ({
      ...cause,
      jobs: cause.jobs.map((job) => ({ ...job, name: write(job.name) })),
    })),
    failures: report.failures.map((failure) => ({
      ...failure,
      name: write(failure.name),
      section: written(failure.section, write),
      lines: failure.lines.map((line) => (isHeader(line) ? write(line) : line)),
    })),
    recovered: report.recovered.map((job) => ({ ...job, name: write(job.name) })),
    annotations: report.annotations.map((note) => ({ ...note, text: write(note.text) })),
  }));

/** Calls `change` twice, first to collect the text: emojis are only loaded if it has shortcodes. */
async function withEmojis<T>(change: (write: WriteEmojis) => T): Promise<T> {
  const texts: string[] = [];
  change((text) => {
    texts.push(text);
    return text;
  });
  return change(await emojisFor(texts));
}

const isHeader = (line: string): boolean => /^(?:---|~~~|\+\+\+) /.test(line);

const written = (text: string | null | undefined, write: WriteEmojis): string | null =>
  typeof text === 'string' ? write(text) : null;
