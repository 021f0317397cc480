/** Runs a test once with each version of the real agent, all in parallel. */
import { stderr } from 'node:process';
import { test } from 'vitest';
import type { ServiceOptions } from '../../src/service/service.ts';
import { findAgents, type AgentProgram } from '../support/agents.ts';
import { openScene } from './open-scene.ts';
import type { Scene } from './scene.ts';

const programs = findAgents(process.env);

/** `options` are options of the service. Skips the test if no agent is installed. */
export function eachAgent(
  title: string,
  body: (scene: Scene) => Promise<void>,
  options: Partial<ServiceOptions> = {},
): void {
  eachProgram(title, (program) => openScene(program, options), body);
}

/** The same with the caller's own scene. */
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

/** Prints the agents' output, which usually explains why a test failed. */
function showAgents({ agents }: Scene): void {
  for (const { name, output } of agents) stderr.write(`-- ${name} --\n${output().slice(-4000)}\n`);
}
