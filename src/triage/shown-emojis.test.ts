import { expect, test } from 'vitest';
import { buildWithEmojis } from './shown-emojis.ts';

test.each([
  [{ type: 'manual', label: ':rocket: Go?' }, { label: '🚀 Go?' }],
  [{ type: 'manual', label: ':rocket: Go?', name: null, command: null }, { label: '🚀 Go?' }],
  [{ type: 'script', name: ':rocket: Deploy', command: 'make' }, { name: '🚀 Deploy' }],
  [{ type: 'script', name: 'echo :rocket:', command: 'echo :rocket:' }, { name: 'echo :rocket:' }],
])('%j on a terminal has %j', async (job, shown) => {
  const { jobs } = await buildWithEmojis({ jobs: [job] });
  expect(jobs?.[0]).toMatchObject(shown);
});
