/** With the bundled service, which renders long texts in a thread. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { useService } from '../support/service.ts';

/** Calls the annotations of a new build, given a method and body. */
async function useAnnotations() {
  const { url, token, adminToken } = await useService();
  const folder = mkdtempSync(join(tmpdir(), 'cictl-annotations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'pipeline.yml'), 'steps: [block]');
  const ask = async (method: string, path: string, body?: object): Promise<unknown> => {
    const bearer = path.startsWith('/local/') ? adminToken : token;
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    expect(response.status).toBeLessThan(300);
    return response.json();
  };
  await ask('POST', '/local/v1/organizations/local/pipelines', { folder, slug: 'p' });
  const builds = '/v2/organizations/local/pipelines/p/builds';
  await ask('POST', builds, { commit: 'HEAD', branch: 'main' });
  const annotations = `${builds}/1/annotations`;
  return {
    post: (body: object) => ask('POST', annotations, body),
    list: () => ask('GET', annotations) as Promise<{ body_html: string }[]>,
  };
}

test('loses none of several long texts appended at once', async () => {
  const { post, list } = await useAnnotations();
  const texts = Array.from({ length: 8 }, (_, n) => `text-${n} **bold** ${'word '.repeat(500)}`);
  await Promise.all(texts.map((body) => post({ body, append: true })));
  const shown = await list();
  expect(shown).toHaveLength(1);
  const html = shown[0]?.body_html ?? '';
  expect(html).toContain('<strong>bold</strong>');
  expect(texts.filter((_, n) => !html.includes(`text-${n} `))).toEqual([]);
});
