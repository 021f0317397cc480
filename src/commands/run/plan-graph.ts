/** Converts a plan to the text of a Mermaid flowchart. */
import type { Plan, Step } from '../../service/pipeline/plan.ts';
import { needsOf } from '../../service/domain/needs.ts';

/** Draws one node per step, even if the step has several jobs. Later steps are further down. */
export function planGraph({ steps }: Plan): string {
  const definitions = firstOfEach(steps);
  const lines = ['flowchart TD', ...nodes(steps, definitions), ...edges(steps, definitions)];
  if (steps.some(({ omitted }) => omitted !== null))
    lines.push('  classDef omitted stroke-dasharray: 4 4, opacity: 0.6');
  return `${lines.join('\n')}\n`;
}

function firstOfEach(steps: readonly Step[]): ReadonlyMap<number, number> {
  const first = new Map<number, number>();
  steps.forEach(({ definition }, index) => {
    if (!first.has(definition)) first.set(definition, index);
  });
  return first;
}

function nodes(steps: readonly Step[], definitions: ReadonlyMap<number, number>): string[] {
  const titles = titlesOfEach(steps);
  const running = new Set<number>();
  for (const { definition, omitted } of steps) if (omitted === null) running.add(definition);
  const lines: string[] = [];
  let open: number | null = null;
  for (const [definition, index] of definitions) {
    const step = steps[index];
    if (step === undefined) continue;
    const group = step.group?.definition ?? null;
    if (group !== open && open !== null) lines.push('  end');
    if (group !== open && group !== null) {
      const { label, key } = step.group ?? { label: null, key: null };
      lines.push(`  subgraph g${group}["${escape(label ?? key ?? 'group')}"]`);
    }
    open = group;
    const mark = running.has(definition) ? '' : ':::omitted';
    const indent = group === null ? '  ' : '    ';
    lines.push(`${indent}n${definition}${shape(step, titles.get(definition) ?? [])}${mark}`);
  }
  return open === null ? lines : [...lines, '  end'];
}

function titlesOfEach(steps: readonly Step[]): ReadonlyMap<number, readonly string[]> {
  const titles = new Map<number, string[]>();
  for (const step of steps) {
    const others = titles.get(step.definition);
    if (others === undefined) titles.set(step.definition, [titleOf(step)]);
    else others.push(titleOf(step));
  }
  return titles;
}

/** Wait steps are round; block and input steps have corners. */
function shape(step: Step, titles: readonly string[]): string {
  const count = titles.length > 1 ? ` × ${titles.length}` : '';
  const text = `"${escape(shorten(commonTitle(titles)) + count)}"`;
  switch (step.type) {
    case 'wait':
      return `([${text}])`;
    case 'block':
      return `{{${text}}}`;
    case 'input':
      return `[/${text}/]`;
    case 'trigger':
      return `[[${text}]]`;
    case 'command':
      return `[${text}]`;
  }
}

function titleOf(step: Step): string {
  const named = step.label ?? step.key;
  if (named !== null) return named;
  if (step.type === 'trigger') return step.pipeline;
  const firstLine = step.type === 'command' ? step.command.trim().split('\n')[0] : '';
  return firstLine || step.type;
}

const shorten = (text: string): string =>
  text.length > 60 ? `${Array.from(text).slice(0, 59).join('')}…` : text;

/** Escapes characters that are special in Mermaid or HTML, and drops control characters. */
const escape = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/["#<>&`\\|{}[\]]/g, (sign) => `#${sign.charCodeAt(0)};`);

function edges(steps: readonly Step[], definitions: ReadonlyMap<number, number>): string[] {
  const groups = new Map(
    steps.flatMap(({ group }) => (group?.key ? [[group.key, group.definition] as const] : [])),
  );
  const needs = needsOf(steps);
  return [...definitions].flatMap(([definition, index]) => {
    const lines = (needs[index] ?? []).flatMap(({ list, key, allowFailure }) => {
      const group = key === null ? undefined : groups.get(key);
      const from =
        group === undefined
          ? list.steps.map((one) => `n${steps[one]?.definition ?? 0}`)
          : [`g${group}`];
      return from.map((one) => `  ${one} ${allowFailure ? '-.->' : '-->'} n${definition}`);
    });
    return [...new Set(lines)];
  });
}

/** The title that a step's jobs have in common. Words that differ are replaced with `…`. */
function commonTitle(titles: readonly string[]): string {
  const [first = [], ...others] = titles.map((title) => title.split(' '));
  if (others.every((words) => words.join(' ') === first.join(' '))) return first.join(' ');
  const before = sharedBy(first, others);
  const after = sharedBy(
    first.slice(before).reverse(),
    others.map((words) => words.slice(before).reverse()),
  );
  const end = after === 0 ? [] : first.slice(-after);
  return [...first.slice(0, before), '…', ...end].join(' ');
}

/** The number of words that all titles have in common at the start. */
function sharedBy(first: readonly string[], others: readonly (readonly string[])[]): number {
  const differs = first.findIndex((word, at) => others.some((words) => words[at] !== word));
  return differs === -1 ? first.length : differs;
}
