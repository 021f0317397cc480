/** A test that runs once with each version of the real agent, all of them side by side. */
import { stderr } from 'node:process';
import { test } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { findAgents, type AgentProgram } from '../support/agents.ts';
import { openScene } from './open-scene.ts';
import type { Scene } from './scene.ts';

const programs = findAgents(process.env);

/** `options` are those of the service. Where no agent is at hand the test is skipped. */
export function eachAgent(
  title: string,
  body: (scene: Scene) => Promise<void>,
  options: Partial<ServiceOptions> = {},
): void {
  eachProgram(title, (program) => openScene(program, options), body);
}

/** The same with a scene of the caller's. */
export function eachProgram<S extends Scene>(
  title: string,
  open: (program: AgentProgram) => Promise<S>,
  body: (scene: S) => Promise<void>,
): void {
  if (programs.length === 0) test.skip(title);
  for (const program of programs) {
    test.concurrent(`${title}: ${program.version}`, async (context) => {
      const scene = await open(program);
      context.onTestFinished(() => scene.close());
      context.onTestFailed(() => showAgents(scene));
      await body(scene);
    });
  }
}

/** Why a test with real agents failed stands in what they printed. */
function showAgents({ agents }: Scene): void {
  for (const { name, output } of agents) stderr.write(`-- ${name} --\n${output().slice(-4000)}\n`);
}
