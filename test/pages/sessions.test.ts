/** Who can sign in, as seen by a browser. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { signInPath } from '../support/browser-visit.ts';
import { small } from './scene/pipelines.ts';
import { createEmptyScene, type Scene } from './scene/scene.ts';

const hour = 3_600_000;

describe.skipIf(!hasBrowser)('a browser', () => {
  const browser = useBrowser();
  let scene: Scene;
  beforeAll(async () => {
    scene = await createEmptyScene();
    await scene.pipeline('api', small);
    await scene.build('api');
    await scene.act();
  });
  afterAll(() => scene.service.stop());

  test('without a session shows what to type, and nothing else', async () => {
    const visit = await browser.visit();
    visit.expectOrigin(scene.service.url);
    visit.allow(/401/);
    for (const path of ['/', '/local/api/builds/1', '/local/none']) {
      expect(await visit.open(path)).toBe(401);
      expect(await visit.page.textContent('main')).toContain('cictl local open');
      expect(await visit.page.textContent('body')).not.toContain('A change');
      expect([...(await visit.problems()), ...(await visit.accessibilityProblems())]).toEqual([]);
    }
    await visit.shoot('sign-in');
    await visit.close();
  });

  test('is redirected to the requested page, whose URL works once', async () => {
    const [visit, thief] = [await browser.visit(), await browser.visit()];
    const path = await signInPath(scene.service);
    for (const one of [visit, thief]) one.expectOrigin(scene.service.url);
    await visit.open(`${path}&to=/local/api/builds/1`);
    expect(visit.page.url()).toBe(`${scene.service.url}/local/api/builds/1`);
    expect(await visit.page.textContent('body')).toContain('A change');
    thief.allow(/401/);
    expect(await thief.open(path)).toBe(401);
    expect(await thief.page.textContent('main')).toContain('cictl local open');
    expect(await visit.problems()).toEqual([]);
    // Going back does not lead to an error, and no URL of the history contains the code.
    await visit.open('/local');
    await visit.page.goBack();
    expect(visit.page.url()).toBe(`${scene.service.url}/local/api/builds/1`);
    await Promise.all([visit.close(), thief.close()]);
  });

  test('has one session in two tabs, and none after signing out of either', async () => {
    const visit = await browser.visit({ signIn: scene.service });
    const second = await visit.context.newPage();
    expect(await visit.open('/local/api', second)).toBe(200);
    await visit.open('/local/api/builds/new');
    visit.allow(/401/);
    await second.getByRole('button', { name: 'Sign out' }).click();
    await second.getByText('cictl local open').waitFor();
    await visit.page.getByRole('button', { name: 'Create' }).click();
    await visit.page.getByText('cictl local open').waitFor();
    expect(await scene.api.send<object[]>('GET', '/v2/builds')).toHaveLength(1);
    expect(await visit.problems()).toEqual([]);
    await visit.close();
  });

  test('has a cookie hidden from scripts and other sites', async () => {
    const visit = await browser.visit({ signIn: scene.service });
    const { port } = new URL(scene.service.url);
    const [cookie] = await visit.context.cookies();
    expect(cookie).toMatchObject({
      ...{ name: `cictl_session_${port}`, httpOnly: true, sameSite: 'Strict', path: '/' },
    });
    expect(await visit.page.evaluate('document.cookie')).toBe('');
    await visit.close();
  });

  test('has to sign in again after twelve hours', async () => {
    const visit = await browser.visit({ signIn: scene.service });
    scene.clock.set(scene.clock.now() + 12 * hour - 1000);
    expect(await visit.open('/local')).toBe(200);
    scene.clock.set(scene.clock.now() + 1001);
    visit.allow(/401/);
    expect(await visit.open('/local')).toBe(401);
    await visit.close();
  });
});
