import { command } from '../../cli/command.ts';

export const buildsWatch = command({
  name: 'builds watch',
  summary: 'Watch a build until it settles; its outcome is the exit code',
  details:
    'Without BUILD: the newest build of the commit that is checked out, as soon as there is one.\n' +
    'Exits with 0 passed, 1 failed, 3 canceled, 4 blocked, 5 skipped or not run, 124 timed out.',
  arguments: { build: { summary: 'N, latest, PIPELINE/N, ORG/PIPELINE/N or an address' } },
  options: {
    interval: {
      short: 'i',
      value: 'DURATION',
      type: 'duration',
      fallback: '1s to 15s, as things happen',
      summary: 'time between two looks',
    },
    timeout: { value: 'DURATION', type: 'duration', summary: 'longest time for the whole wait' },
    commit: { value: 'COMMIT', summary: 'the newest build of this commit, in place of BUILD' },
    failFast: { summary: 'end as soon as the build is certain to fail' },
    allowBlocked: { summary: 'judge a blocked build by its state' },
    allowSkipped: { summary: 'a build that is skipped or not run is fine' },
    logs: { summary: 'show the end of the log of each job that fails' },
    maxOutage: {
      value: 'DURATION',
      type: 'duration',
      fallback: '30m',
      summary: 'longest time for which the service may be out of reach',
    },
  },
  examples: [
    'cictl builds watch hello/3 --logs',
    'git push && cictl builds watch -p hello --fail-fast --timeout 1h',
  ],
});
