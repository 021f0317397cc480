/** Jobs that call `buildkite-agent`, run by the built-in service. */
import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';

export interface JobRun {
  readonly home: Home;
  /** Of `cictl run`. */
  readonly exitCode: number;
  /** What `run` printed: the logs of all jobs, each line behind the name of its job. */
  readonly log: string;
  /** A file that a job wrote into its folder. */
  readonly file: (name: string) => Promise<string>;
}

/** Runs one job with this script; what it writes to `out` is found there. */
export async function runJob(script: string, home?: Home): Promise<JobRun> {
  const used = home ?? (await useHome());
  const folder = await pipelineIn(used, 'demo', 'steps: [{ command: bash script }]');
  await writeFile(join(folder, 'script'), script);
  return runPipeline(used, folder);
}

/** Runs a pipeline that is there. */
export async function runPipeline(home: Home, folder: string): Promise<JobRun> {
  const { exitCode, stdout, stderr } = await cictl(['run'], { home, cwd: folder });
  return {
    ...{ home, exitCode, log: stdout + stderr },
    file: (name) => readFile(join(folder, name), 'utf8'),
  };
}
