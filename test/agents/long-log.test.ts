/** A job with so much output that agents send many log chunks in parallel. */
import { expect } from 'vitest';
import { eachAgent } from './each-agent.ts';

const lines = 400_000;

eachAgent('a long log is complete and in order', async (scene) => {
  await scene.pipeline(`  - { key: work, command: 'seq -f "line %.0f" ${lines}' }`);
  scene.agent();
  const number = await scene.create();
  expect((await scene.settled(number)).state).toBe('passed');
  const log = await scene.log(number, 'work');
  const printed = log.split('\n').filter((line) => /^line \d+$/.test(line));
  expect(printed).toHaveLength(lines);
  // Compared line by line, because computing the diff of two such lists takes minutes.
  expect(printed.findIndex((line, place) => line !== `line ${place + 1}`)).toBe(-1);
});
