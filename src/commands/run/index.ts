import { command } from '../../command/command.ts';
import { stepResource } from './step.ts';

export const runCommand = command({
  name: 'run',
  summary: 'Run a pipeline file on this machine',
  details: 'The first Ctrl-C cancels the build, the second ends it immediately.',
  arguments: {
    file: { summary: 'file, directory or - (default .buildkite/pipeline.yml or pipeline.yml)' },
  },
  options: {
    plan: { summary: 'print the jobs and all notices, run nothing' },
    graph: { summary: 'print the jobs as a Mermaid flowchart, run nothing' },
    step: {
      value: 'KEY',
      repeat: true,
      summary: 'only these steps, by key or label',
    },
    needs: { summary: 'with --step: also what they depend on' },
    from: { value: 'KEY', summary: 'only this step and what stands behind it in the file' },
    fromBuild: {
      value: 'BUILD',
      suggests: 'builds',
      summary: 'that job (--step), or its only failed one',
    },
    watchFiles: { summary: 'run again when files change, failed steps first' },
    shellOnFailure: { summary: 'open a shell where a job has failed' },
    workspace: {
      value: 'KIND',
      choices: ['inplace', 'copy', 'worktree'],
      fallback: 'inplace',
      summary: 'directory',
    },
    env: {
      short: 'e',
      value: 'K=V',
      repeat: true,
      summary: 'variable; K alone takes its value here',
    },
    envFrom: { value: 'FILE', summary: 'variables from a dotenv file' },
    inheritEnv: { summary: 'variables of this shell, CICTL_*, BUILDKITE_* apart' },
    metaData: { value: 'K=V', repeat: true, summary: 'meta-data of the build' },
    secret: {
      value: 'NAME',
      repeat: true,
      summary: 'secret from the environment, else asked',
    },
    secretFile: { value: 'FILE', summary: 'secrets from a dotenv file' },
    plugins: {
      value: 'POLICY',
      repeat: true,
      suggests: ['run', 'skip', 'error'],
      fallback: 'run',
      summary: 'run, skip, error, skip=X',
    },
    pluginsFrom: { value: 'DIR', summary: 'folder with plugins by name, in place of git' },
    triggers: {
      value: 'POLICY',
      choices: ['skip', 'error'],
      fallback: 'error',
      summary: 'triggers to elsewhere',
    },
    allowUnknownKeys: { summary: 'accept unknown keys, with a notice' },
    ignoreMissingDependencies: { summary: 'accept unknown depends_on keys' },
    noTty: { summary: 'give jobs a pipe for their output, no terminal' },
    agents: { summary: 'on connected agents, not on slots of this machine' },
    jobs: {
      value: 'N',
      type: 'integer',
      fallback: '2',
      summary: 'how many jobs run at once',
    },
    timeout: { value: 'DURATION', type: 'duration', summary: 'longest time for the whole run' },
  },
  examples: ['cictl run', 'cictl run examples/hello --env GREETING=hi --timeout 10m'],
  resource: stepResource,
});
