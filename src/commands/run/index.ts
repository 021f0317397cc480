import { command } from '../../command/command.ts';
import { stepResource } from './step.ts';

export const runCommand = command({
  name: 'run',
  summary: 'Run a pipeline file on this machine',
  details:
    'Without FILE: .buildkite/pipeline.{yml,yaml,json} or pipeline.{yml,yaml,json} here.\n' +
    'Jobs run in the folder of the file, for a file in .buildkite in the folder above. The first\n' +
    'Ctrl-C cancels the build in order, the second ends it at once.',
  arguments: { file: { summary: 'pipeline file, or a folder that has one' } },
  options: {
    plan: { summary: 'print the jobs and all notices, run nothing' },
    graph: { summary: 'with --plan: print the jobs as a Mermaid flowchart' },
    env: {
      short: 'e',
      value: 'K=V',
      repeat: true,
      summary: 'variable; K alone takes its value here',
    },
    envFrom: { value: 'FILE', summary: 'variables from a dotenv file' },
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
