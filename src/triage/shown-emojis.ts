import type { Build } from '../api/resources/build.ts';
import type { Job } from '../api/resources/job.ts';
import { emojisFor, type WriteEmojis } from '../render/shortcodes.ts';
import type { Report } from './report-resource.ts';

/** The build with the shortcodes of its message and job names replaced by emojis. */
export async function buildWithEmojis(build: Build): Promise<Build> {
  const names = (build.jobs ?? []).flatMap(({ name, label }) => [name, label]);
  const write = await emojisFor([build.message, ...names].map((text) => text ?? ''));
  const jobs = build.jobs?.map((job) => jobWithEmojis(job, write)) ?? [];
  return { ...build, message: written(build.message, write), jobs };
}

/** Colons in a command are not shortcodes. */
function jobWithEmojis(job: Job, write: WriteEmojis): Job {
  const { name, label, command } = job;
  if (typeof name === 'string' && name === command) return job;
  return { ...job, name: written(name, write), label: written(label, write) };
}

/**
 * The report with the shortcodes of texts by people and of section headers in logs replaced by
 * emojis.
 */
export async function reportWithEmojis(report: Report): Promise<Report> {
  const { build, failures, recovered, annotations } = report;
  const texts = [
    ...[
      build.message,
      ...recovered.map(({ name }) => name),
      ...annotations.map(({ text }) => text),
    ],
    ...failures.flatMap(({ name, section, lines }) => [name, section, ...lines.filter(isHeader)]),
  ];
  const write = await emojisFor(texts.map((text) => text ?? ''));
  return {
    ...report,
    build: { ...build, message: written(build.message, write) },
    failures: failures.map((failure) => ({
      ...failure,
      name: write(failure.name),
      section: written(failure.section, write),
      lines: failure.lines.map((line) => (isHeader(line) ? write(line) : line)),
    })),
    recovered: recovered.map((job) => ({ ...job, name: write(job.name) })),
    annotations: annotations.map((note) => ({ ...note, text: write(note.text) })),
  };
}

const isHeader = (line: string): boolean => /^(?:---|~~~|\+\+\+) /.test(line);

const written = (text: string | null | undefined, write: WriteEmojis): string | null =>
  typeof text === 'string' ? write(text) : null;
