/** A job that prints more than fits into many pieces of its log, which agents send side by side. */
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
  // Compared one by one, since the difference of two such lists is made for minutes.
  expect(printed.findIndex((line, place) => line !== `line ${place + 1}`)).toBe(-1);
});
