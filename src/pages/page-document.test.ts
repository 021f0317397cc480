import { expect, test } from 'vitest';
import { pageDocument } from './page-document.tsx';

const page = (text: string): string =>
  pageDocument({
    ...{ title: text, crumbs: [{ text, href: '/a' }, { text }], body: '' },
    assets: { styleHref: '/a.css', scriptHref: '/a.js', iconHref: '/a.svg' },
  });

test('title and breadcrumbs show shortcodes as emojis', () => {
  const html = page(':rocket: Release');
  expect(html).toContain('<title>🚀 Release</title>');
  const emoji = '<bdi><span title=":rocket:">🚀</span> Release</bdi>';
  expect(html).toContain(`<a href="/a">${emoji}</a>`);
  expect(html).toContain(`<span aria-current="page">${emoji}</span>`);
});

test('they contain no markup and no direction or hidden characters', () => {
  const html = page('</title><b>\u202Egnp.a\u0000\u{e0041}');
  expect(html).toContain('<title>&lt;/title&gt;&lt;b&gt;gnp.a</title>');
  expect(html).not.toMatch(/<b>|\u202E|\u{e0041}/u);
});
