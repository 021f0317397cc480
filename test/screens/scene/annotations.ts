/** The annotations of the scene. */
import { at, idOf } from './members.ts';

const one = (n: number, style: string, context: string, body_html: string) => ({
  ...{ id: idOf('f', n), context, style, priority: 3, body_html },
  ...{ created_at: at('11:03:00'), updated_at: at('11:03:30') },
});

const ofFailed = [
  one(
    1,
    'error',
    'junit',
    `<h3>:x: 2 tests failed</h3>
<table><tr><th>Test</th><th>File</th></tr>
<tr><td>rounds half to even for <code>CHF</code></td><td>round.test.ts:42</td></tr>
<tr><td>端数処理は国ごとに異なる</td><td>round.test.ts:57</td></tr></table>
<p>See <a href="https://docs.example.org/a/very/long/address/of/a/page/about/rounding-and-taxes.html">the page about rounding</a>, which says what is meant in each country and when that was last changed.</p>`,
  ),
  one(2, 'warning', 'bundle-size', '<p>The bundle grew by <strong>12 %</strong>.</p>'),
  one(
    3,
    'info',
    'a-context-with-a-long-name/of-a-step/and-of-its-shard-1-of-2',
    '<ul><li>one</li><li>two :tada:</li></ul>',
  ),
];

export const annotations = (build = ''): object[] => (build === '141' ? ofFailed : []);
