/** Untrusted text never runs, loads anything or leaves its box on any page. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasBrowser, useBrowser } from '../support/browser.ts';
import { harmProblems } from '../support/browser-layout.ts';
import type { Visit } from '../support/browser-visit.ts';
import { createHostileScene } from './scene/hostile-scene.ts';
import { hostileTexts } from './scene/hostile-texts.ts';
import type { Scene } from './scene/scene.ts';
import { sampled } from '../support/full.ts';

describe.skipIf(!hasBrowser)('text from others', () => {
  const browser = useBrowser();
  let scene: Scene;
  let visit: Visit;
  beforeAll(async () => {
    scene = await createHostileScene();
    const display = { width: 390, scheme: 'light', scripts: true } as const;
    visit = await browser.visit({ display, signIn: scene.service });
  });
  afterAll(async () => {
    await visit.close();
    await scene.service.stop();
  });

  async function problemsAt(path: string, page: Page = visit.page): Promise<string[]> {
    expect(await visit.open(path, page), path).toBe(200);
    return [...(await visit.problems(page)), ...(await harmProblems(page))];
  }

  sampled.each(['/', '/local', '/local/hostile', '/local/hostile?page=2', '/local/hostile/stats'])(
    'does no harm on %s',
    async (path) => {
      expect(await problemsAt(path)).toEqual([]);
      await visit.shoot(`hostile/${path.replaceAll(/\W+/g, '-')}`);
    },
  );

  sampled.each(Object.keys(hostileTexts).map((name, index) => [name, index + 1] as const))(
    'does no harm on the pages of a build and its job: %s',
    async (name, number) => {
      const build = `/local/hostile/builds/${number}`;
      expect(await problemsAt(build)).toEqual([]);
      await visit.shoot(`hostile/build-${name}`);
      const id = await scene.jobId(`hostile/${number}`, 'job');
      expect(await problemsAt(`${build}/jobs/${id}`)).toEqual([]);
    },
  );

  test('does no harm in a search or a form', async () => {
    for (const whole of Object.values(hostileTexts)) {
      // URLs have a maximum length.
      const text = whole.slice(0, 300);
      const query = new URLSearchParams({ branch: text, q: text, state: text, message: text });
      for (const path of ['/local/hostile', '/local/hostile/builds/new'])
        expect(await problemsAt(`${path}?${query.toString()}`)).toEqual([]);
    }
  });

  sampled.each(Object.entries(hostileTexts))(
    'does no harm as the name, the host and the tags of an agent: %s',
    async (_, whole) => {
      const { url, agentToken } = scene.service;
      // Names have a maximum length and must not be blank.
      const text = `${whole.slice(0, 200)}.`;
      const agent = {
        name: text,
        hostname: text,
        os: text,
        meta_data: ['queue=none', `x=${text}`],
      };
      const response = await fetch(`${url}/v3/register`, {
        method: 'POST',
        headers: { authorization: `Token ${agentToken}` },
        body: JSON.stringify(agent),
      });
      const { id } = (await response.json()) as { id: string };
      expect(await problemsAt(`/organizations/local/agents/${id}`)).toEqual([]);
    },
  );

  test("does no harm as a job's log", async () => {
    const builds = '/v2/organizations/local/pipelines/logs/builds';
    const { jobs } = await scene.api.send<{ jobs: { id: string }[] }>('GET', `${builds}/1`);
    for (const { id } of jobs)
      expect(await problemsAt(`/local/logs/builds/1/jobs/${id}`)).toEqual([]);
  });
});
