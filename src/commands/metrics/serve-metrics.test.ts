import { expect, test } from 'vitest';
import { CictlError } from '../../errors.ts';
import { cachedScrape } from './serve-metrics.ts';

/** A service whose responses all differ, and a manual clock. */
function createFixture() {
  const clock = { time: 0, now: () => clock.time, sleep: () => Promise.resolve() };
  const service = { looks: 0, fails: false };
  const get = () => {
    service.looks += 1;
    if (service.fails) return Promise.reject(new CictlError('unreachable', 'gone'));
    const agents = { idle: service.looks, busy: 0, total: 0, queues: {} };
    return Promise.resolve({ metrics: { agents }, pollDuration: 10_000 });
  };
  const organization = () => Promise.resolve(undefined);
  return { clock, service, look: cachedScrape({ metrics: { get, organization } }, { clock }, []) };
}

test('polls no more often than the service allows', async () => {
  const { clock, service, look: scrape } = createFixture();
  const texts = [];
  for (const time of [0, 1, 9_999, 10_000, 15_000, 20_000]) {
    clock.time = time;
    texts.push(/idle_agent_count (\d+)/.exec(await scrape())?.[1]);
  }
  expect(texts).toEqual(['1', '1', '1', '2', '2', '3']);
  expect(service.looks).toBe(3);
});

test('concurrent scrapes share one request', async () => {
  const { service, look: scrape } = createFixture();
  await Promise.all([scrape(), scrape(), scrape()]);
  expect(service.looks).toBe(1);
});

test('reports a failure to each scrape, and does not cache it', async () => {
  const { service, look: scrape } = createFixture();
  service.fails = true;
  await expect(scrape()).rejects.toThrow('gone');
  service.fails = false;
  expect(await scrape()).toContain('idle_agent_count 2');
});
