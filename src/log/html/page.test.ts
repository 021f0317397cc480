import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { toText } from '../text.ts';
import type { PageHead } from './page-head.ts';
import { pageEnd, pageStart } from './page.ts';
import { pageScript, scriptHash } from './page-script.ts';

const headOf = (head: PageHead): string | undefined =>
  /<header>\n([^]*)<\/header>/.exec(toText(pageStart(head, false)))?.[1];

test('the policy allows the one script by its hash, and nothing else', () => {
  expect(scriptHash).toBe(`sha256-${createHash('sha256').update(pageScript).digest('base64')}`);
  const policy = /Content-Security-Policy" content="([^"]*)"/.exec(
    pageStart({ title: '' }, false),
  )?.[1];
  expect(policy).toBe(
    `default-src 'none'; style-src 'unsafe-inline'; script-src '${scriptHash}'; base-uri 'none'; form-action 'none'`,
  );
  expect(pageStart({ title: '' }, false)).not.toContain('<script');
  expect(pageEnd.split(`<script>${pageScript}</script>`)).toHaveLength(2);
});

test('the script makes no markup, loads nothing and cannot end early', () => {
  expect(pageScript).not.toMatch(
    /<\/|<!|innerHTML|outerHTML|insertAdjacent|write\(|eval|Function|fetch|import|\.src|\.href|cssText/,
  );
  expect(pageScript).toMatch(/^[\x0a\x20-\x7e]*$/);
});

test('the head names job, build, state and what more there is to say', () => {
  const head: PageHead = {
    title: 'acme/web/7#id',
    job: ':rocket: Deploy <é>',
    build: 'acme/web/7',
    address: 'https://ci.example/7?a&b#id',
    state: { text: '✗ failed', tone: 'bad' },
    facts: ['2m 3s', 'exit status 1'],
  };
  expect(headOf(head)).toBe(`<h1><span title=":rocket:">🚀</span> Deploy &lt;é&gt;</h1>
<p><b class="bad">✗ failed</b>
<a href="https://ci.example/7?a&amp;b#id" rel="noopener noreferrer nofollow">acme/web/7</a>
<span>2m 3s</span>
<span>exit status 1</span>
<span>times in UTC</span></p>
`);
});

test('a head of which nothing is known has the title', () => {
  expect(headOf({ title: 'a\u202eb\nc' })).toBe(
    `<h1>ab c</h1>\n<p><span>times in UTC</span></p>\n`,
  );
});

test.each(['javascript:alert(1)', 'data:text/html,x', '//evil.example', 'relative', ''])(
  'a build is not linked to %j',
  (address) => {
    expect(headOf({ title: 't', build: 'b', address })).toContain('<span>b</span>');
  },
);
