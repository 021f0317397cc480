/** "States and transitions". */
import type { Row } from '../../rows/problems.ts';
import { section } from './section.ts';

const states = 'test/contract/states.test.ts';
const changes = 'test/service/builds-change.test.ts';
const jobs = 'test/service/jobs.test.ts';

export const transitions: readonly Row[] = [
  ...section('Build states', states, {
    running: 'a build that is running says so, and is found by it',
    scheduled: 'a build that is scheduled says so, and is found by it',
    passed: 'a build that is passed says so, and is found by it',
    failing: 'a build that is failing says so, and is found by it',
    failed: 'a build that is failed says so, and is found by it',
    blocked: 'a build that is blocked says so, and is found by it',
    canceled: 'a build that is canceled says so, and is found by it',
    canceling: 'a build that is canceling says so, and is found by it',
    skipped: 'a build that is skipped says so, and is found by it',
    'finished, for filters alone': 'finished is passed, failed, blocked or canceled',
  }),
  ...section('Build states', 'test/contract/commands.test.ts', {
    not_run: 'a command asks for builds that were not run, and shows their state',
  }),
  ...section('Transitions', states, {
    'cancel a scheduled build': 'a build that is scheduled can be canceled',
    'cancel a running build': 'a build that is running can be canceled',
    'cancel a failing build': 'a build that is failing can be canceled',
    'retry a failed job': 'a job that is failed can be retried',
    'retry a job that timed out': 'a job that is timed_out can be retried',
  }),
  ...section('Transitions', changes, {
    'create a build: scheduled': 'a build goes from scheduled to running to passed, with its times',
    'cancel: the processes have ended':
      'cancels a scheduled build at once, and a running one when its processes exit',
    'rebuild: scheduled, with rebuilt_from': 'a rebuild is a new build with the same content',
  }),
  ...section('Transitions', jobs, {
    'retry: a new job, scheduled': 'a retry is a new job, and the build continues',
    'unblock: unblocked, by whom and when, no longer unblockable':
      'unblocking continues the build and stores the fields',
    'unblock: only a block step': 'a script cannot be unblocked',
  }),
];
