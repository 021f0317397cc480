/** The output of simulated jobs. */
const esc = '\x1b';
const color = (code: number, text: string): string => `${esc}[${code}m${text}${esc}[0m`;
const files = 'price tax round basket checkout address coupon stock refund invoice'.split(' ');

const unit: readonly string[] = [
  '--- :npm: Install',
  ...Array.from({ length: 24 }, (_, n) => `added package-${n + 1} 1.${n}.0`),
  '+++ :jest: Unit tests',
  ...files.map((name) => ` ${color(32, 'PASS')} src/${name}.test.ts`),
  ` ${color(31, 'FAIL')} src/currency.test.ts`,
  `  ${color(31, '● rounds half to even for CHF')}`,
  '',
  '    expect(received).toBe(expected) // Object.is equality',
  '',
  `    Expected: ${color(32, '1205')}`,
  `    Received: ${color(31, '1200')}`,
  '',
  `      ${color(90, 'at Object.<anonymous> (src/currency.test.ts:42:21)')}`,
  '',
  `Tests: ${color(31, '1 failed')}, ${color(32, '41 passed')}, 42 total`,
];

const passing: readonly string[] = [
  '--- :package: Build',
  '10%\r50%\r100%',
  ...files.map((name) => `dist/${name}.js  ${color(36, `${name.length * 3} kB`)}`),
  color(32, 'done'),
];

const logs: Readonly<Record<string, readonly string[]>> = {
  start: ['~~~ Preparing the working directory', `${color(90, '$')} git checkout --force`],
  unit,
  passing,
  lint: ['--- Lint', `src/tax.ts:12:7 ${color(33, 'warning')} 'rate' is never used`],
};

/**
 * The log with that name and time marks from `now` on; an unknown name is used as the text itself.
 */
export function logOf(name: string, now: number, exitStatus: number): string {
  const failed = exitStatus === 0 ? [] : ['^^^ +++', `The command exited with ${exitStatus}`];
  const lines = [...(Object.hasOwn(logs, name) ? (logs[name] ?? []) : [name]), ...failed];
  return lines.map((line, n) => `${esc}_bk;t=${now + n * 40}\x07${line}\r\n`).join('');
}
