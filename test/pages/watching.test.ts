/**
 * Watching a build with forty jobs across a restart of the service: no line is lost or duplicated.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../src/api/resources/build.ts';
import { freePort } from '../support/free-port.ts';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { signInPath, type Visit } from '../support/browser-visit.ts';
import { createHome, type Home } from '../support/home.ts';
import { openService } from '../support/service.ts';
import { linesOfFile } from './scene/lines-of-file.ts';
import { linesOnPage } from '../support/browser-layout.ts';
import { apiOf, type SceneApi } from './scene/api.ts';

const jobs = 40;
const path = '/v2/organizations/local/pipelines/many/builds/1';
// `$$` is a literal dollar sign for the shell.
const command = 'for n in $$(seq 1 25); do echo "$$LABEL says $$n"; sleep 0.04; done';

type WireBuild = Pick<Build, 'state' | 'finished_at'> & { jobs: { id: string; state: string }[] };
type Opened = Awaited<ReturnType<typeof openService>>;

describe.skipIf(!hasBrowser)('a build of forty jobs', () => {
  const browser = useBrowser();
  let home: Home;
  let opened: Opened;
  let api: SceneApi;
  let visit: Visit;

  const open = async (port: number): Promise<void> => {
    const options = { dataDir: home.dataDir, hostEnv: home.env, slots: 6, port };
    opened = await openService(options);
    api = apiOf(opened.service);
  };
  const build = () => api.send<WireBuild>('GET', path);
  const running = async (): Promise<string[]> =>
    (await build()).jobs.filter(({ state }) => state === 'running').map(({ id }) => id);

  beforeAll(async () => {
    home = await createHome();
    await mkdir(home.dataDir, { recursive: true });
    await open(await freePort());
    const file = join(home.root, 'many.json');
    await writeFile(file, fileOf());
    const pipeline = { folder: home.cwd, file, slug: 'many' };
    await api.admin('POST', '/organizations/local/pipelines', pipeline);
    visit = await browser.visit({ signIn: opened.service });
  });
  afterAll(async () => {
    await visit.close();
    await opened.service.close({ kill: true });
    await home.remove();
  });

  test('is followed to its end', async () => {
    const body = { commit: 'HEAD', branch: 'main', message: 'Forty at once' };
    await api.send('POST', path.replace('/1', ''), body);
    const { page, context } = visit;
    await visit.open('/local/many/builds/1');
    await expect.poll(() => running()).not.toEqual([]);
    // Two of the logs are open in the meantime.
    const watched = (await running()).slice(0, 2);
    const tabs = await Promise.all(watched.map(() => context.newPage()));
    for (const [index, tab] of tabs.entries())
      await visit.open(`/local/many/builds/1/jobs/${watched[index] ?? ''}`, tab);
    await expect.poll(async () => (await page.getByText('passed').all()).length > 3).toBe(true);

    visit.allow(/401|ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY|ERR_CONNECTION_RESET/);
    const { port } = opened.service;
    await opened.service.close({ kill: true });
    await page.getByText('Disconnected').first().waitFor();
    await open(port);
    await page.getByText('cictl local open').first().waitFor();
    // The page continues once its browser is signed in again.
    const again = await context.newPage();
    await visit.open(await signInPath(opened.service), again);
    await again.close();
    await expect.poll(async () => (await build()).finished_at).not.toBe(null);
    for (const [index, tab] of tabs.entries()) await expectWhole(tab, watched[index] ?? '');
    const { state } = await build();
    await expect.poll(() => page.textContent('main')).toContain(state);
    await expect.poll(() => page.textContent('ol.jobs')).not.toContain('running');
    for (const { id } of (await build()).jobs) {
      await visit.open(`/local/many/builds/1/jobs/${id}`);
      await expectWhole(page, id);
    }
    expect(await visit.problems()).toEqual([]);
  });

  /** The lines on the page are those of the file. */
  async function expectWhole(page: Visit['page'], job: string): Promise<void> {
    const log = await readFile(join(home.dataDir, 'logs', `${job}.log`), 'utf8');
    await expect.poll(() => linesOnPage(page), { message: job }).toEqual(linesOfFile(log));
  }
});

const fileOf = (): string =>
  JSON.stringify({
    steps: Array.from({ length: jobs }, (_, index) => ({
      label: `Job ${index + 1}`,
      command,
      env: { LABEL: `job-${index + 1}` },
    })),
  });
