import { AgentError, type Command, type Given, buildFlag, jobFlag, stepFlag } from './command.ts';
import { redact } from './redact.ts';
import { ask, pathOf } from './send.ts';
import { note, print, readInput } from './print.ts';

export const stepCommands: readonly Command[] = [
  {
    name: 'step get',
    summary: 'Print an attribute of a step, or the whole step as JSON',
    args: '[attribute]',
    flags: [
      stepFlag,
      buildFlag,
      {
        name: 'format',
        value: 'json',
        env: ['BUILDKITE_STEP_GET_FORMAT'],
        help: 'The output format',
      },
    ],
    async run(given) {
      const [attribute] = given.args;
      const format = given.text('format');
      const body = {
        ...(attribute !== undefined && { attribute }),
        ...(format !== '' && { format }),
        build_id: given.text('build'),
      };
      const call = { path: `${pathOf(given, 'step')}/export`, body };
      const { output } = (await ask(given, 'failed to get step', call)) as { output: string };
      print(`${output}\n`);
    },
  },
  {
    name: 'step update',
    summary: 'Change an attribute of a step: its label or priority',
    args: '<attribute> [value]',
    needs: ['attribute'],
    flags: [
      stepFlag,
      buildFlag,
      {
        name: 'append',
        env: ['BUILDKITE_STEP_UPDATE_APPEND'],
        help: 'Append to the current value',
      },
    ],
    async run(given) {
      const body = {
        ...{ idempotency_uuid: crypto.randomUUID(), build_id: given.text('build') },
        ...{ attribute: given.args[0], value: await valueOf(given) },
        ...(given.on('append') && { append: true }),
      };
      const path = pathOf(given, 'step');
      await ask(given, 'failed to change step', { method: 'PUT', path, body });
    },
  },
  {
    name: 'step cancel',
    summary: 'Cancel the unfinished jobs of a step',
    args: '',
    flags: [
      stepFlag,
      buildFlag,
      {
        name: 'force',
        env: ['BUILDKITE_STEP_CANCEL_FORCE'],
        help: 'Kill jobs that are still running after the grace period',
      },
      {
        name: 'force-grace-period-seconds',
        value: 'seconds',
        env: ['BUILDKITE_STEP_CANCEL_FORCE_GRACE_PERIOD_SECONDS'],
        default: '15',
        help: 'How long --force waits; jobs are killed after ten seconds in any case',
      },
    ],
    async run(given) {
      const grace = given.text('force-grace-period-seconds');
      if (!/^\d{1,9}$/.test(grace))
        throw new AgentError(`invalid value "${grace}" for flag -force-grace-period-seconds`);
      const force = given.on('force') ? { force: true, force_grace_period: Number(grace) } : {};
      const body = { build_id: given.text('build'), ...force };
      const call = { path: `${pathOf(given, 'step')}/cancel`, body };
      const { uuid } = (await ask(given, 'failed to cancel step', call)) as { uuid: string };
      note(given, `Successfully cancelled step: ${uuid}`);
    },
  },
  {
    name: 'build cancel',
    summary: 'Cancel the build',
    args: '',
    flags: [buildFlag],
    async run(given) {
      const call = { path: `${pathOf(given, 'build')}/cancel` };
      const { uuid } = (await ask(given, 'failed to cancel build', call)) as { uuid: string };
      note(given, `Successfully cancelled build ${uuid}`);
    },
  },
  {
    name: 'job update',
    summary: 'Change the priority of the job',
    args: '<attribute> [value]',
    needs: ['attribute'],
    flags: [jobFlag],
    async run(given) {
      const [attribute = ''] = given.args;
      await ask(given, 'failed to update job', {
        method: 'PUT',
        path: pathOf(given, 'job'),
        body: { [attribute]: await valueOf(given) },
      });
    },
  },
];

async function valueOf(given: Given): Promise<string> {
  const [, value] = given.args;
  if (value !== undefined) return redact(given, value);
  note(given, 'Reading value from STDIN');
  return redact(given, (await readInput()).replace(/\r?\n$/, ''));
}
