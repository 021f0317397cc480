import { expect, test } from 'vitest';
import { htmlOf } from '../elements.tsx';
import { UnblockFields, type FieldTexts, type UnblockField } from './unblock.tsx';

const text: UnblockField = {
  ...{ key: 'a"b', kind: 'text', label: null, hint: null, default: null, options: [] },
  ...{ required: true, multiple: false, format: null },
};
const options = ['eu', 'us'].map((value) => ({ value, label: `In ${value}` }));
const select: UnblockField = { ...text, key: 'where', kind: 'select', options };

const markup = (field: UnblockField, values?: FieldTexts): string =>
  htmlOf(<UnblockFields id="f" fields={[field]} values={values} />);

test("a field has its label, and a name distinct from the form's own", () => {
  const html = markup(text);
  expect(html).toContain('<label for="f-0"><bdi>a&quot;b</bdi></label>');
  expect(html).toContain('id="f-0" name="field:a&quot;b" required="" value=""');
  expect(markup({ ...text, required: false })).toContain('(optional)');
});

test('a hint describes its control', () => {
  const html = markup({ ...text, label: 'Version', hint: 'like :rocket: 1' });
  expect(html).toContain('<bdi>Version</bdi>');
  expect(html).toContain('aria-describedby="f-0-hint"');
  expect(html).toContain('id="f-0-hint"><bdi>like <span title=":rocket:">');
});

test.each([
  ['its default', undefined, 'us'],
  ['what was typed', { where: ['eu'] }, 'eu'],
])('a choice starts with %s', (_, values, chosen) => {
  const html = markup({ ...select, default: 'us' }, values);
  expect(/<option value="(\w+)" selected=""/.exec(html)?.[1]).toBe(chosen);
  expect(html).not.toContain('<option value="">');
});

test('a choice without a default starts empty', () => {
  expect(markup(select)).toContain('><option value=""></option><option value="eu">');
});

test('a multiple choice allows any number', () => {
  const several = { ...select, multiple: true, default: ['eu', 'us'] };
  expect(markup(several).match(/selected/g)).toHaveLength(2);
  expect(markup(several)).not.toContain('<option value="">');
  expect(markup(several, { where: [] })).not.toContain('selected');
});

test.each([
  [1, 2],
  [3, 3],
  [40, 8],
])('a list of %d choices has %d rows', (count, rows) => {
  const many = Array.from({ length: count }, (_, index) => ({ value: `${index}`, label: 'x' }));
  expect(markup({ ...select, multiple: true, options: many })).toContain(`size="${rows}"`);
});

test('a multi-line text has room, and loses no line', () => {
  expect(markup({ ...text, default: '\na\n</textarea>' })).toContain(
    '>\n\na\n&lt;/textarea&gt;</textarea>',
  );
});

test('choice labels do not change the text direction after them', () => {
  const hostile = [{ value: 'x', label: '\u202e<b>' }];
  expect(markup({ ...select, options: hostile })).toContain('>&lt;b&gt;</option>');
});
