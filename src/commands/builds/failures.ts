import { command } from '../../cli/command.ts';
import { report } from '../../triage/resource.ts';

export const buildsFailures = command({
  name: 'builds failures',
  summary: 'Explain why a build failed',
  details:
    'Tells what failed, what merely followed, the end of each failed log, errors and warnings\n' +
    'of annotations, and retries. In a pipe: a row a failed job, or --json, or --markdown.\n' +
    'Whatever a limit cuts is marked as truncated.',
  arguments: { build: { summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' } },
  options: {
    lines: {
      value: 'N',
      type: 'integer',
      fallback: '50',
      summary: 'last lines of each log, 0 for none',
    },
    maxJobs: { value: 'N', type: 'integer', fallback: '10', summary: 'at most N failed jobs' },
    maxLineBytes: { value: 'N', type: 'integer', fallback: '4096', summary: 'of one line' },
    maxJobBytes: { value: 'N', type: 'integer', fallback: '65536', summary: 'of one log' },
    maxBytes: {
      value: 'N',
      type: 'integer',
      fallback: '131072',
      summary: 'of all logs and annotations together',
    },
    markdown: { summary: 'as Markdown, for a comment or a prompt' },
  },
  examples: ['cictl builds failures hello/3', 'cictl builds failures latest -p hello --markdown'],
  resource: report,
});
