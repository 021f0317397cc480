import { job } from '../../api/resources/job.ts';
import { command } from '../../cli/command.ts';

export const jobUnblock = command({
  name: 'job unblock',
  summary: 'Unblock a block step, with values for its fields',
  arguments: { job: { summary: 'BUILD#JOB, an address, or JOB with --build' } },
  options: {
    build: { value: 'BUILD', summary: 'the build of JOB' },
    field: { value: 'K=V', repeat: true, summary: 'value of a field; one key twice makes a list' },
    fieldsFile: { value: 'FILE|-', summary: 'JSON object with the values; - for standard input' },
    unblocker: { value: 'USER-ID', summary: 'who unblocks; default the user of the token' },
  },
  examples: [
    'cictl job unblock hello/3#release --field version=1.4',
    'cictl job unblock release --build hello/3 --fields-file fields.json',
  ],
  resource: job,
  mutates: true,
});
