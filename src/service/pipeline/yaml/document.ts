/**
 * YAML 1.2 and JSON -> values with their places. Only this folder knows the library.
 *
 * Its tree is walked here and not turned into plain objects, because scalars keep their source
 * text, duplicate keys are reported with both positions, and aliases are counted before they multiply.
 */
import { isNode, LineCounter, type Document } from 'yaml';
import { maxProblems } from '../notes.ts';
import type { SourcePosition, Report, Value } from '../value.ts';
import { convertNode, type Walk } from './convert-node.ts';
import { findBreach } from './find-breach.ts';
import { findTargets } from './find-targets.ts';
import { tooDeep, tooMuch } from './limits.ts';
import { parseYaml } from './parse-yaml.ts';

/**
 * Reads one YAML 1.2 document (JSON is one too). Everything wrong with its form goes to `report`;
 * undefined when nothing could be read.
 */
export function parseDocument(source: string, report: Report): Value | undefined {
  // The library takes a list behind a byte order mark for none.
  const text = source.startsWith('\ufeff') ? source.slice(1) : source;
  const start: SourcePosition = { line: 1, column: 1 };
  const refused = tooMuch(text);
  if (refused !== undefined) {
    report(start, refused);
    return;
  }
  const lines = new LineCounter();
  const positionOf = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const control = text.search(controls);
  if (control !== -1) {
    report(lineAndColumn(text, control), 'the file has a control character');
    return;
  }
  const document = parseYaml(text.replace(lonelyReturns, '\n'), lines);
  const errors = document === undefined ? [] : complaintsOf(document);
  const complaints = errors.filter((one) => !isOfEmptyRest(one, text));
  for (const { message, pos } of complaints.slice(0, maxProblems + 1))
    report(positionOf(pos[0]), sentence(message));
  if (complaints.length > 0) return undefined;
  if (document === undefined || document.contents === null) {
    report(start, 'the file is empty');
    return;
  }
  const targets = findTargets(document);
  const positionOfNode = (node: unknown, before = ''): SourcePosition => {
    if (!isNode(node) || !node.range) return start;
    const [offset] = node.range;
    return positionOf(before === '' ? offset : text.lastIndexOf(before, offset));
  };
  const breach = findBreach(document.contents, targets);
  if (breach !== undefined) {
    report(positionOfNode(breach.node), breach.reason);
    return;
  }
  const walk: Walk = { targets, report, positionOf: positionOfNode, broken: false };
  const value = convertNode(walk, document.contents);
  return walk.broken ? undefined : value;
}

/** Not taken by the public parser either, also within quotes. */
const controls = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]/;
const lonelyReturns = /\r(?!\n)/g;

function lineAndColumn(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A file may end with `---`. */
const isOfEmptyRest = ({ message, pos }: Complaint, text: string): boolean =>
  message.includes('multiple documents') && /^---(?:\s+|#[^\n]*)*$/.test(text.slice(pos[0]));

interface Complaint {
  readonly message: string;
  readonly pos: readonly [number, number];
}

/** After a stack that was too small, what the library says of the rest of the file is not true. */
function complaintsOf({ errors }: Document): readonly Complaint[] {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted === undefined) return errors;
  return [{ message: tooDeep, pos: exhausted.pos }];
}

function sentence(message: string): string {
  if (message.includes('multiple documents')) return 'the file has more than one document';
  return message.charAt(0).toLowerCase() + message.slice(1);
}
