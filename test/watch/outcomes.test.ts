/** The exit code of watching builds of the built-in service to their end. */
import { expect, test } from 'vitest';
import { scriptedRunner, type ScriptedRunner } from '../service/scripted-runner.ts';
import { useCounterpart, type Counterpart } from '../service/counterpart.ts';
import { cictl } from '../support/cli.ts';
import { useHome } from '../support/home.ts';
import { cictlInTerminal, hasTerminal } from '../support/pty.ts';

interface Outcome {
  readonly name: string;
  readonly code: number;
  /** The word for the build in the last line or frame; not checked if omitted. */
  readonly says?: string;
  readonly steps: string;
  /** The watched build; default 1. */
  readonly number?: number;
  readonly flags?: readonly string[];
  /** Jobs finish by themselves. */
  readonly auto: boolean;
  readonly before?: (service: Counterpart, path: string) => Promise<unknown>;
  /** What happens during the watch. */
  readonly meanwhile?: (service: Counterpart, path: string) => Promise<unknown>;
}

const wanted = { commit: 'HEAD', branch: 'main' };
const create = (service: Counterpart, path: string) => service.post(`${path}/builds`, wanted);

const outcomes: readonly Outcome[] = [
  { name: 'fails', code: 1, says: 'failed', steps: "[{ command: 'exit 3' }]", auto: true },
  { name: 'passes', code: 0, says: 'passed', steps: '[{ command: make }]', auto: true },
  {
    ...{ name: 'is canceled', code: 3, says: 'canceled', auto: false },
    steps: '[{ command: make }]',
    meanwhile: (service, path) => service.put(`${path}/builds/1/cancel`),
  },
  {
    ...{ name: 'blocks', code: 4, says: 'blocked', auto: true },
    steps: '[{ command: make }, { block: Deploy? }, { command: deploy }]',
  },
  {
    ...{ name: 'is skipped', code: 5, says: 'skipped', auto: false, number: 2 },
    steps: '[{ command: make }]',
    before: async (service, path) => {
      const settings = { skip_queued_branch_builds: 'true' };
      await service.admin('PATCH', '/organizations/local/pipelines/web', settings);
      await service.until(`${path}/builds/1`, ({ state }) => state === 'running');
      return create(service, path);
    },
    meanwhile: create,
  },
  {
    // The timeout may expire before the first response.
    ...{ name: 'takes too long', code: 124, auto: false },
    steps: '[{ command: make }]',
    flags: ['--timeout', '1s'],
    before: (service, path) =>
      service.until(`${path}/builds/1`, ({ state }) => state === 'running'),
  },
];

/** Runs the watch in its own process while `meanwhile` happens. */
async function watched(outcome: Outcome, watch: Watch) {
  const runner: ScriptedRunner = scriptedRunner({ auto: outcome.auto });
  const service = await useCounterpart({ runner, slots: 1 });
  const path = await service.pipeline('web', `steps: ${outcome.steps}`);
  await create(service, path);
  await outcome.before?.(service, path);
  const home = await useHome();
  const env = { ...home.env, CICTL_BASE_URL: service.url, CICTL_TOKEN: service.token };
  const reference = `local/web/${outcome.number ?? 1}`;
  const args = ['builds', 'watch', reference, '-i', '20ms', ...(outcome.flags ?? [])];
  const [result] = await Promise.all([
    watch(args, { home: { ...home, env } }),
    outcome.meanwhile?.(service, path),
  ]);
  return result;
}

type Watch = (
  args: readonly string[],
  options: Parameters<typeof cictlInTerminal>[1],
) => Promise<{ readonly exitCode: number; readonly text: string }>;

const inPipe: Watch = async (args, options) => {
  const { exitCode, stdout } = await cictl(args, options);
  return { exitCode, text: stdout };
};

const onTerminal: Watch = async (args, options) => {
  const { exitCode, screen } = await cictlInTerminal(args, options);
  return { exitCode, text: screen };
};

test.each(outcomes)('in a pipe, a build that $name exits with $code', async (outcome) => {
  const { exitCode, text } = await watched(outcome, inPipe);
  expect(exitCode).toBe(outcome.code);
  expect(text).not.toContain('\x1b');
  if (outcome.says === undefined) return;
  const builds = text.split('\n').filter((line) => line.includes('\tbuild\t'));
  expect(builds.at(-1)?.split('\t').slice(1, 4)).toEqual([
    ...['build', String(outcome.number ?? 1), outcome.says],
  ]);
});

test.skipIf(!hasTerminal).each(outcomes)(
  'on a terminal, a build that $name exits with $code',
  async (outcome) => {
    const { exitCode, text } = await watched(outcome, onTerminal);
    expect(exitCode).toBe(outcome.code);
    if (outcome.says === undefined) return;
    const [frames = '', end] = text.split('\x1b[?25h');
    expect(frames.slice(frames.lastIndexOf('web #'))).toContain(outcome.says);
    expect(end).toMatch(/^. web #\d/);
    expect(text.split('\x1b[?25l')).toHaveLength(2);
  },
);
