import { expect, test } from 'vitest';
import type { ListedAgent } from '../api/resources/agent.ts';
import { AgentDetails } from './agent-details.tsx';
import { htmlOf } from './elements.tsx';

const context = { now: 0, link: () => undefined, formToken: undefined };

test("shows an agent's times like a job's", () => {
  const agent = { name: 'a', last_job_finished_at: '2026-11-20T11:07:49.123Z' } as ListedAgent;
  const html = htmlOf(<AgentDetails agent={agent} context={context} />);
  const time = '<time datetime="2026-11-20T11:07:49.123Z">2026-11-20 11:07:49 UTC</time>';
  expect(html).toContain(`<dt>Last job ended</dt><dd>${time}</dd>`);
});
