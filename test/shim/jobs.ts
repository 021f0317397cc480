/** Jobs that call `buildkite-agent`, run by the built-in service. */
import { writeFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipelineIn } from '../run/pipelines.ts';
import { cictl } from '../support/cli.ts';
import { useHome, type Home } from '../support/home.ts';

export interface JobRun {
  readonly home: Home;
  /** The exit code of `cictl run`. */
  readonly exitCode: number;
  /** The output of `run`: the logs of all jobs, each line prefixed with the job's name. */
  readonly log: string;
  /** A file that a job wrote into its directory. */
  readonly file: (name: string) => Promise<string>;
}

/** Runs one job with this script; its results are in the file `out`. */
export async function runJob(script: string, home?: Home): Promise<JobRun> {
  const used = home ?? (await useHome());
  const folder = await pipelineIn(used, 'demo', 'steps: [{ command: bash script }]');
  await writeFile(join(folder, 'script'), script);
  return runPipeline(used, folder);
}

/** Runs an existing pipeline. */
export async function runPipeline(home: Home, folder: string): Promise<JobRun> {
  const { exitCode, stdout, stderr } = await cictl(['run'], { home, cwd: folder });
  return {
    ...{ home, exitCode, log: stdout + stderr },
    file: (name) => readFile(join(folder, name), 'utf8'),
  };
}
