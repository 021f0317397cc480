import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parametersOf, toolsFor } from '../../src/commands/mcp/tools.ts';

const page = readFileSync(join(import.meta.dirname, '../../docs/mcp.md'), 'utf8');

test('docs/mcp.md names every tool', () => {
  expect(toolsFor(true).filter(({ name }) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('each option of a tool is one of its command', () => {
  const missing = toolsFor(true).flatMap(({ name, command, options }) =>
    options.filter((key) => command.options[key] === undefined).map((key) => `${name}: ${key}`),
  );
  expect(missing).toEqual([]);
});

test('no two arguments of a tool have one name', () => {
  for (const tool of toolsFor(true)) {
    const names = parametersOf(tool).map(({ name }) => name.replaceAll('_', ''));
    expect(new Set(names).size, tool.name).toBe(names.length);
  }
});
