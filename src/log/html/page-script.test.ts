/** The script of a page in a document; that browsers run it, and nothing else, is the policy's part. */
import { runInNewContext } from 'node:vm';
import { Window } from 'happy-dom';
import { expect, test } from 'vitest';
import { feed } from '../../../test/log/split.ts';
import { createLogPipeline } from '../log-pipeline.ts';
import { toBytes, toText } from '../text.ts';
import { pageScript } from './page-script.ts';

const log = `before\n--- one\n\x1b[31mAn er\x1b[0mror [a.b]\n12:30 fine\n+++ two\nERROR\n--- three\nlast\n`;

/** A page that a browser has opened at an address of it. */
async function open(text: string, hash = '', mediaType = 'screen') {
  const settings = { device: { mediaType } };
  const window = new Window({ url: `file:///log.html${hash}`, settings });
  const { document } = window;
  const page = { title: '' };
  const html = toText(feed(await createLogPipeline({ format: 'html', page }), toBytes(text)));
  document.write(html.replace(`<script>${pageScript}</script>`, ''));
  const ranges = new Set<{ toString(): string }>();
  const seen: string[] = [];
  window.Element.prototype.scrollIntoView = function scroll(this: { id: string }) {
    seen.push(this.id);
  };
  class Highlight {
    add = (range: { toString(): string }) => ranges.add(range);
    constructor() {
      ranges.clear();
    }
  }
  runInNewContext(pageScript, {
    ...{ document, Highlight, NodeFilter: window.NodeFilter, location: window.location },
    ...{ CSS: { highlights: new Map() }, clearTimeout: () => undefined },
    // What waits for the next letter need not wait here.
    setTimeout: (run: () => void) => {
      run();
    },
    addEventListener: window.addEventListener.bind(window),
  });
  const field = document.querySelector('input');
  const press = (key: string, more = {}) =>
    field?.dispatchEvent(new window.KeyboardEvent('keydown', { key, bubbles: true, ...more }));
  return {
    ...{ window, document, press, seen },
    type(value: string) {
      if (field) field.value = value;
      field?.dispatchEvent(new window.Event('input'));
    },
    all: () =>
      [...document.querySelectorAll('button')].find(({ className }) => className === 'all'),
    now: () => document.querySelector('.now')?.id,
    count: () => document.querySelector('output')?.textContent,
    marked: () => [...ranges].map(String),
    folds: () => [...document.querySelectorAll('details')].map(({ open: isOpen }) => isOpen),
  };
}

test('what is searched is found in any case, over colours, not in numbers and times', async () => {
  const page = await open(log);
  page.type('error');
  expect([page.count(), page.now(), page.marked()]).toEqual(['1 of 2', 'L3', ['error', 'ERROR']]);
  page.type('3');
  expect([page.count(), page.now()]).toEqual(['1 of 1', 'L4']);
  page.type('.b]');
  expect([page.count(), page.marked()]).toEqual(['1 of 1', ['.b]']]);
  page.type('nowhere');
  expect([page.count(), page.now(), page.marked()]).toEqual(['none', undefined, []]);
});

test.each(['--- a-b', '^$\\.*+?()[]{}|/', '\\d', '!"#&,:;<=>@_`~%\''])(
  '%j is searched as it stands',
  async (text) => {
    const page = await open(`other\n>${text}<\n`);
    page.type(`>${text}<`);
    expect([page.count(), page.marked()]).toEqual(['1 of 1', [`>${text}<`]]);
  },
);

test('of what is found anywhere in a line without end, no more is marked than one can look at', async () => {
  const page = await open(`${'z'.repeat(20_000)}\nz\n`);
  page.type('z');
  expect([page.count(), page.marked().length]).toEqual(['1 of 2', 5000]);
});

test('Enter goes through what was found, round and back, and opens its section', async () => {
  const page = await open(log);
  expect(page.folds()).toEqual([false, true, false]);
  page.type('e');
  const found = [page.now()];
  for (let press = 0; press < 6; press++) {
    page.press('Enter');
    found.push(page.now());
  }
  expect(found).toEqual(['L1', 'L2', 'L3', 'L4', 'L6', 'L7', 'L1']);
  expect(page.folds()).toEqual([true, true, false]);
  page.press('Enter', { shiftKey: true });
  expect([page.now(), page.count()]).toEqual(['L7', '6 of 6']);
  page.press('Escape');
  expect([page.now(), page.count()]).toEqual([undefined, '']);
});

test('an address opens the section that its line is in', async () => {
  const page = await open(log, '#L8');
  expect([page.folds(), page.seen]).toEqual([[false, true, true], ['L8']]);
  page.window.location.hash = '#L4';
  page.window.dispatchEvent(new page.window.Event('hashchange'));
  expect(page.folds()).toEqual([true, true, true]);
});

test.each(['#L99', '#x', '#L1"]'])('an address of no line does nothing: %s', async (hash) => {
  const page = await open(log, hash);
  expect([page.folds(), page.seen]).toEqual([[false, true, false], []]);
});

test('all sections are opened, and closed', async () => {
  const { window, all, folds } = await open(log);
  const press = () => void all()?.dispatchEvent(new window.Event('click'));
  press();
  expect([folds(), all()?.textContent]).toEqual([[true, true, true], 'Close all']);
  press();
  expect([folds(), all()?.textContent]).toEqual([[false, false, false], 'Open all']);
});

test('the bar is shown by the script, without a button for sections where there are none', async () => {
  const [page, without] = [await open(log), await open('a\n')];
  expect(page.document.querySelector('nav')?.hidden).toBe(false);
  expect([page.all()?.hidden, without.all()?.hidden]).toEqual([false, true]);
});

test.each([
  ['screen', 'flex'],
  ['print', 'none'],
])('for %s the bar is laid out as %s', async (mediaType, display) => {
  const { window, document } = await open(log, '', mediaType);
  const bar = document.querySelector('nav');
  expect(bar && window.getComputedStyle(bar).display).toBe(display);
});
