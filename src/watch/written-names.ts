import type { Build } from '../api/resources/build.ts';
import { emojisFor, withShortcodes } from '../render/shortcodes.ts';
import { shownJobs } from './changes.ts';
import { createJobNames, type JobNames } from './job-names.ts';
import { jobTitleLine } from './job-title.ts';

export interface WrittenNames {
  readonly nameOf: JobNames;
  /** To be called before a build is named: what its names need is loaded then. */
  readonly prepare: (build: Build) => Promise<void>;
}

/** The names of jobs for people: with the emojis that their shortcodes stand for. */
export function writtenNames(): WrittenNames {
  let write = withShortcodes;
  return {
    nameOf: createJobNames((job) => write(jobTitleLine(job))),
    prepare: async (build) => {
      if (write === withShortcodes) write = await emojisFor(shownJobs(build).map(jobTitleLine));
    },
  };
}
