import { expect, test } from 'vitest';
import { loadPipeline } from '../../service/pipeline/load.ts';
import { planGraph } from './plan-graph.ts';

const graph = (yaml: string): string[] =>
  planGraph(loadPipeline(yaml, { file: 'p.yml', env: {} }))
    .trimEnd()
    .split('\n')
    .map((line) => line.trim());

test('draws steps, gates with their own shape, groups and dependencies', () => {
  const yaml = `
- {command: make, key: build, parallelism: 3}
- wait
- group: Tests
  key: tests
  steps: [{command: test, label: unit}]
- {block: Release}
- {input: Which}
- {trigger: deploy, depends_on: [build, {step: tests, allow_failure: true}]}
- {command: x, skip: not now, depends_on: []}
`;
  expect(graph(yaml)).toEqual([
    'flowchart TD',
    'n0["build × 3"]',
    'n1(["wait"])',
    'subgraph g2["Tests"]',
    'n3["unit"]',
    'end',
    'n4{{"Release"}}',
    'n5[/"Which"/]',
    'n6[["deploy"]]',
    'n7["x"]:::omitted',
    'n0 --> n1',
    'n1 --> n3',
    expect.stringMatching(/n1 --> n4|n3 --> n4/),
    expect.stringMatching(/n1 --> n4|n3 --> n4/),
    'n4 --> n5',
    'n0 --> n6',
    'g2 -.-> n6',
    'classDef omitted stroke-dasharray: 4 4, opacity: 0.6',
  ]);
});

test('omits a step if all its jobs are', () => {
  const matrix = (skip: string) =>
    `[{command: x, matrix: {setup: [a, b], adjustments: [{with: a, skip: true}${skip}]}}]`;
  expect(graph(matrix(''))[1]).toBe('n0["x × 2"]');
  expect(graph(matrix(', {with: b, skip: true}'))[1]).toBe('n0["x × 2"]:::omitted');
});

test.each([
  ['{label: "tests on Node {{matrix}}", command: x, matrix: [20, 22]}', 'tests on Node … × 2'],
  ['{command: "make {{matrix}} fast", matrix: [a, b c]}', 'make … fast × 2'],
  ['{command: "{{matrix}}", key: k, matrix: [a, b]}', 'k × 2'],
  ['{command: "{{matrix}}", matrix: [a, b]}', '… × 2'],
  ['{command: "x {{matrix}}", matrix: [a, a a]}', 'x a … × 2'],
])('names a step by what its jobs have in common: %s', (step, title) => {
  expect(graph(`[${step}]`)[1]).toBe(`n0["${title}"]`);
});

test('escapes characters special to Mermaid or HTML, and joins lines', () => {
  const [, line] = graph(String.raw`[{command: x, label: "a\"b]<i>#1;\n\u001b|` + '`{c}"}]');
  expect(line).toBe('n0["a#34;b#93;#60;i#62;#35;1; #124;#96;#123;c#125;"]');
});

test('names a step without a label by the first 60 characters of its command', () => {
  const [, line] = graph(JSON.stringify([{ command: `${'é'.repeat(80)}\nmore` }]));
  expect(line).toBe(`n0["${'é'.repeat(59)}…"]`);
});
