import type { Scene } from './scene.ts';
import { small, waiting, web } from './pipelines.ts';

const hour = 3_600_000;
const commit = (n: number): string => `${n}`.repeat(40).slice(0, 40);

/**
 * Creates the pipelines `web`, `deploys` and `api` with their histories; the newest builds are at
 * noon.
 */
export async function fillWeb(scene: Scene): Promise<void> {
  await scene.pipeline('deploys', small);
  await scene.pipeline('api', small);
  await scene.pipeline('gpu', waiting);
  await scene.pipeline('web', web);
  await history(scene);
  await newest(scene);
}

/** Twenty-two builds of `api`, fast and slow, some of them failed. */
async function history(scene: Scene): Promise<void> {
  const noon = scene.clock.now();
  for (let n = 0; n < 22; n++) {
    scene.clock.set(noon - (23 - n) * hour);
    const env = { SECONDS: `${60 + ((n * 37) % 140)}`, STATUS: n % 7 === 3 ? '1' : '0' };
    const branch = n % 4 === 1 ? 'feature/prices' : 'main';
    await scene.build('api', { branch, env, commit: commit(n), message: `Change ${n + 1}` });
    await scene.act();
  }
  scene.clock.set(noon - 2 * hour);
  await scene.build('api', { env: { SECONDS: '300', STATUS: '0' }, message: 'Canceled by hand' });
  const canceled = '/v2/organizations/local/pipelines/api/builds/23/cancel';
  await scene.act(scene.clock.now() + 60_000);
  await scene.api.send('PUT', canceled);
  scene.clock.set(noon);
}

/** A failed, a blocked and a running build of `web`, and a build of `gpu` without an agent. */
async function newest(scene: Scene): Promise<void> {
  const start = scene.clock.now();
  const author = { name: 'Grace Hopper', email: 'grace@example.com' };
  const all = { author, branch: 'feature/minor-units', commit: commit(7) };
  scene.clock.set(start - hour);
  await scene.build('web', { ...all, env: { UNIT: '1 on 1', UNIT_LOG: 'unit' }, message: failed });
  await scene.act();
  await annotate(scene, 'web/1');
  await scene.build('web', { ...all, message: ':tada: Round to even' });
  await scene.until('web/2', ({ blocked }) => blocked === true);
  scene.clock.set(start);
  await scene.build('gpu', { message: 'Train it again' });
  await scene.build('web', { message: 'Say what a coupon is worth' });
  await scene.act(scene.clock.now() + 110_000);
}

const failed =
  'Rework the checkout: prices in minor units, taxes by country\n\nAnd what goes with it.';

async function annotate({ api }: Scene, build: string): Promise<void> {
  const [slug = '', number = ''] = build.split('/');
  const path = `/v2/organizations/local/pipelines/${slug}/builds/${number}/annotations`;
  for (const [style, body] of Object.entries(annotations))
    await api.send('POST', path, { style, body, context: style });
}

const annotations = {
  error: '**1 of 42 tests failed**\n\n- `currency.test.ts`: rounds half to even for CHF',
  info: '| suite | tests | time |\n|---|---|---|\n| unit | 42 | 1 m 35 s |\n| e2e | 12 | 2 m |',
  success: 'Preview: <a href="https://preview.example.com/1">preview.example.com</a> :rocket:',
};
