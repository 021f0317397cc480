/** Secrets of the service in jobs of real agents. */
import { expect } from 'vitest';
import { eachProgram } from './each-agent.ts';
import { openBackground } from './background.ts';

eachProgram(
  'a job gets a secret by name, and its log redacts it',
  (program) => openBackground(program, ['--slots', '0']),
  async (scene) => {
    const { cictl, program } = scene;
    const stdin = 'open-sesame-17\n';
    const set = await cictl(['local', 'secret', 'set', 'DEPLOY'], { stdin });
    expect(set.exitCode, set.stderr).toBe(0);
    // With version 3, the script fetches the secret itself.
    const steps = program.major < 4 ? '' : 'secrets: [DEPLOY], ';
    const fetch = program.major < 4 ? 'DEPLOY=$$(buildkite-agent secret get DEPLOY); ' : '';
    const command = `${fetch}test "$$DEPLOY" = open-sesame-17 && echo "it is $$DEPLOY"`;
    await scene.pipeline(
      `  - { key: work, ${steps}command: '${command}' }\n  - { key: none, command: buildkite-agent secret get NONE }`,
    );
    scene.agent();
    const number = await scene.create();
    const { jobs } = await scene.settled(number);
    const log = await scene.log(number, 'work');
    expect(
      jobs.map(({ state }) => state),
      log,
    ).toEqual(['passed', 'failed']);
    expect(log).toContain('it is [REDACTED]');
    expect(await scene.log(number, 'none')).toMatch(/not found|no secret/i);
  },
);
