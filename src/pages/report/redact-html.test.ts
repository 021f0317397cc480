import { expect, test } from 'vitest';
import { redactHtml } from './redact-html.ts';

const redact = (text: string): string => text.replaceAll('to<k>en', '[R]');

test.each([
  ['<p>a to&lt;k&gt;en b</p>', '<p>a [R] b</p>'],
  [
    '<p><b>x</b> to&lt;<i>k</i>&gt;<span class="a">en</span> y</p>',
    '<p><b>x [R] y</b><i></i><span class="a"></span></p>',
  ],
  [
    '<div id="l0-1"><i>1</i>to&lt;k<b>&gt;en</b></div>\n',
    '<div id="l0-1"><i>1</i>[R]<b></b></div>\n',
  ],
  ['<td>to&lt;k</td><td>&gt;en</td>', '<td>to&lt;k</td><td>&gt;en</td>'],
  ['to&lt;k\n&gt;en', 'to&lt;k\n&gt;en'],
  [
    '<a href="?to&lt;k&gt;en" title="&quot;">a &amp; b</a>',
    '<a href="?[R]" title="&quot;">a &amp; b</a>',
  ],
  ['<a href="?a=1&amp;b">a<b>b</b>c</a>', '<a href="?a=1&amp;b">a<b>b</b>c</a>'],
  ['<style>a>b{c:"d"}</style>', '<style>a>b{c:"d"}</style>'],
])('%j becomes %j', (html, expected) => expect(redactHtml(html, redact)).toBe(expected));
