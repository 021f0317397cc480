/**
 * Two runs share a service: the one that owns it must not stop between the other's check and its
 * build.
 */
import { expect, onTestFinished, test } from 'vitest';
import { useFolder } from '../../../test/support/job.ts';
import { systemClock } from '../../common/clock.ts';
import { hostService, type Hosted } from './host.ts';

async function host(dataDir: string): Promise<Hosted> {
  const hosted = await hostService({ dataDir, slots: 0 }, systemClock);
  onTestFinished(() => hosted.close(true));
  return hosted;
}

test('starts a new service if the one found has decided to stop', async () => {
  const dataDir = useFolder();
  const first = await host(dataDir);
  expect(first.leave()).toBe(true);
  const second = host(dataDir);
  await first.close();
  expect(await second).toMatchObject({ isOwn: true });
});

test('shares a service that keeps running', async () => {
  const dataDir = useFolder();
  const first = await host(dataDir);
  expect(await host(dataDir)).toMatchObject({ isOwn: false, state: { url: first.state.url } });
});
