import { expect, test } from 'vitest';
import { buildReference } from './cell.ts';

const url = 'https://api.example/v2/organizations/acme/pipelines/web%20app/builds/5';
const web = 'https://ci.example/acme/web/builds/5';

test.each([
  [{ number: 5, pipeline: { slug: 'web' }, url }, 'web/5', 'acme/web/5'],
  [{ number: 5, url }, 'web app/5', 'acme/web app/5'],
  [{ number: 5, pipeline: { slug: 'web' }, web_url: web }, 'web/5', 'acme/web/5'],
  [{ web_url: web }, 'web/5', 'acme/web/5'],
  [{ number: 5, pipeline: null, url: null }, '?/5', '?/?/5'],
  [{ number: 5, url: url.replace('%20', '%zz') }, 'web%zzapp/5', 'acme/web%zzapp/5'],
])('%j is %s or %s', (build, short, long) => {
  expect(buildReference(build, 'pipeline')).toBe(short);
  expect(buildReference(build, 'organization')).toBe(long);
});
