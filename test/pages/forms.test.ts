/** What a user can change on the pages, with scripts and without. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Build } from '../../src/api/resources/build.ts';
import type { Visit } from '../support/browser-visit.ts';
import { hasBrowser, usualDisplay, useBrowser } from '../support/browser.ts';
import { small, web } from './scene/pipelines.ts';
import { createEmptyScene, type Scene } from './scene/scene.ts';

const isBlocked = ({ blocked }: Build): boolean => blocked === true;

describe.skipIf(!hasBrowser)('forms', () => {
  const browser = useBrowser();
  let scene: Scene;
  beforeAll(async () => {
    scene = await createEmptyScene();
    await scene.pipeline('deploys', small);
    await scene.pipeline('api', small);
    await scene.pipeline('web', web);
  });
  afterAll(() => scene.service.stop());
  const stateOf = async (build: string) => (await scene.get(build)).state;
  const metaDataOf = async (build: string) => (await scene.get(build)).meta_data;

  describe.each([
    ['with scripts', true],
    ['without scripts', false],
  ])('%s', (_, scripts) => {
    const visiting = (): Promise<Visit> =>
      browser.visit({ display: { ...usualDisplay, scripts }, signIn: scene.service });

    test('a build is created, canceled and rebuilt', async () => {
      const visit = await visiting();
      const { page } = visit;
      await visit.open('/local/api');
      await page.getByRole('link', { name: 'New build' }).click();
      await page.getByLabel('Message').fill('Typed <b>by hand</b>');
      await page.getByRole('textbox', { name: 'Branch' }).fill('feature/x');
      await page.getByLabel('Environment').fill('SECONDS=500\nNAME=a=b');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.waitForURL(/\/local\/api\/builds\/\d+$/);
      const number = Number(page.url().split('/').at(-1));
      const build = await scene.get(`api/${number}`);
      const env = { SECONDS: '500', NAME: 'a=b' };
      expect(build).toMatchObject({ branch: 'feature/x', message: 'Typed <b>by hand</b>', env });
      await page.getByRole('button', { name: 'Cancel' }).click();
      await page.waitForURL(/\/local\/api\/builds\/\d+$/);
      await expect.poll(() => stateOf(`api/${number}`)).toBe('canceled');
      await visit.open(`/local/api/builds/${number}`);
      await page.getByRole('button', { name: 'Rebuild' }).click();
      await page.waitForURL(`**/local/api/builds/${number + 1}`);
      await page.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => stateOf(`api/${number + 1}`)).toBe('canceled');
      expect(await visit.problems()).toEqual([]);
      await visit.close();
    });

    test('a rejection is shown next to the form', async () => {
      const visit = await visiting();
      const { page } = visit;
      visit.allow(/422/);
      await visit.open('/local/api/builds/new');
      await page.getByLabel('Message').fill('stays');
      await page.getByLabel('Environment').fill('no name and no value');
      await page.getByRole('button', { name: 'Create' }).click();
      await page.getByText('no name and no value').waitFor();
      expect(await page.getByLabel('Message').inputValue()).toBe('stays');
      expect(await visit.problems()).toEqual([]);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await visit.shoot(`refused/${scripts ? 'scripts' : 'plain'}`);
      await visit.close();
    });

    test('a failed job is retried', async () => {
      const visit = await visiting();
      const { page } = visit;
      const number = await scene.build('api', { env: { STATUS: '1' } });
      await scene.act();
      const id = await scene.jobId(`api/${number}`, 'test');
      await visit.open(`/local/api/builds/${number}/jobs/${id}`);
      await page.getByRole('button', { name: 'Retry' }).click();
      await page.waitForURL((url) => !url.href.includes(id));
      const again = await scene.jobId(`api/${number}`, 'test');
      expect(again).not.toBe(id);
      expect(page.url()).toContain(again);
      await scene.act();
      await visit.close();
    });

    test('a failed job is retried from the list', async () => {
      const visit = await visiting();
      const { page } = visit;
      const number = await scene.build('api', { env: { STATUS: '1' } });
      await scene.act();
      await visit.open(`/local/api/builds/${number}`);
      expect(await visit.accessibilityProblems()).toEqual([]);
      await visit.shoot(`retry/${scripts ? 'scripts' : 'plain'}`);
      await page.getByRole('button', { name: 'Retry Test' }).click();
      await page.waitForURL(/#/);
      expect(page.url()).toContain(`/${number}#${await scene.jobId(`api/${number}`, 'test')}`);
      expect(await visit.problems()).toEqual([]);
      await scene.act();
      await visit.close();
    });

    test('a block step accepts its fields', async () => {
      const visit = await visiting();
      const { page } = visit;
      const number = await scene.build('web');
      await scene.until(`web/${number}`, isBlocked);
      await visit.open(`/local/web/builds/${number}`);
      await visit.shoot(`block/${scripts ? 'scripts' : 'plain'}`);
      await page.getByLabel('Version').fill('2.0.0 <i>');
      await page.getByLabel('Where to').selectOption(['eu', 'us']);
      await page.getByRole('button', { name: 'Unblock' }).click();
      const given = { version: '2.0.0 <i>', regions: 'eu\nus' };
      await expect.poll(() => metaDataOf(`web/${number}`)).toMatchObject(given);
      await scene.act();
      expect(await stateOf(`web/${number}`)).toBe('passed');
      await visit.close();
    });
  });

  test('two clicks create one build', async () => {
    const visit = await browser.visit({ signIn: scene.service });
    const { page } = visit;
    const before = await scene.build('api', { env: { SECONDS: '900' } });
    let sent = 0;
    page.on('request', (request) => void (sent += request.method() === 'POST' ? 1 : 0));
    await visit.open('/local/api/builds/new');
    await page.getByLabel('Environment').fill('SECONDS=900');
    await page.getByRole('button', { name: 'Create' }).dblclick();
    await page.waitForURL(`**/local/api/builds/${before + 1}`);
    await page.getByRole('button', { name: 'Rebuild' }).dblclick();
    await page.waitForURL(`**/local/api/builds/${before + 2}`);
    expect(sent).toBe(2);
    // The next number shows that nothing else was created.
    expect(await scene.build('api')).toBe(before + 3);
    await visit.close();
  });

  test('an interrupted form can be sent again', async () => {
    const visit = await browser.visit({ signIn: scene.service });
    const { page } = visit;
    visit.allow(/ERR_ABORTED/);
    const before = await scene.build('api', { env: { SECONDS: '900' } });
    await page.clock.install();
    await visit.open(`/local/api/builds/${before}`);
    // Like pressing Escape.
    await page.route('**/rebuild', (route) => route.abort('aborted'), { times: 1 });
    const broken = page.waitForEvent('requestfailed', (request) => request.method() === 'POST');
    const rebuild = page.getByRole('button', { name: 'Rebuild' });
    await rebuild.click({ noWaitAfter: true });
    await broken;
    await page.clock.runFor(3000);
    await rebuild.click();
    await page.waitForURL(`**/local/api/builds/${before + 1}`);
    await visit.close();
  });

  test('a read-only user finds no buttons, and cannot change anything by URL', async () => {
    const body = { scopes: ['read_builds', 'read_organizations', 'read_pipelines'] };
    const { token } = await scene.api.admin<{ token: string }>('POST', '/tokens', body);
    const number = await scene.build('api', { env: { SECONDS: '900' } });
    const visit = await browser.visit({ signIn: { ...scene.service, actAs: token } });
    await visit.open(`/local/api/builds/${number}`);
    const changing = visit.page.locator('form[method=post] button');
    expect(await changing.allTextContents()).toEqual(['Sign out']);
    await visit.open('/local/api');
    expect(await visit.page.getByText('New build').count()).toBe(0);
    visit.allow(/403/);
    expect(await visit.open('/local/api/builds/new')).toBe(403);
    await visit.close();
  });
});
