import { checkRows } from '../check.ts';

const row = (test: string, name = 'tests') => {
  const file = `test/rows/example/${name}.case.ts`;
  return { section: 'Example', row: `${name} ${test}`, file, test };
};

checkRows(
  [
    ...[row('held'), row('held: 1'), row('held: 2'), row('a suite > held')],
    ...[row('skipped'), row('never written'), row('the only one', 'skipped')],
  ],
  (file) => file.endsWith('.case.ts'),
);
