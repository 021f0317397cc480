/**
 * YAML 1.2 and JSON -> values with their places. Only this folder knows the library.
 *
 * Its tree is walked here and not turned into plain objects, because scalars keep their source
 * text, duplicate keys are reported with both positions, and aliases are counted before they multiply.
 */
import { isNode, LineCounter, parseDocument as parseYaml, type Document } from 'yaml';
import type { SourcePosition, Report, Value } from '../value.ts';
import { convertNode, type Walk } from './convert-node.ts';
import { findBreach } from './find-breach.ts';
import { findTargets } from './find-targets.ts';
import { tooDeep, tooMuch } from './limits.ts';

/**
 * Reads one YAML 1.2 document (JSON is one too). Everything wrong with its form goes to `report`;
 * undefined when nothing could be read.
 */
export function parseDocument(text: string, report: Report): Value | undefined {
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
  const document = parseYaml(text, {
    version: '1.2',
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: false,
  });
  for (const { message, pos } of complaintsOf(document))
    report(positionOf(pos[0]), sentence(message));
  if (document.errors.length > 0) return undefined;
  if (document.contents === null) {
    report(start, 'the file is empty');
    return;
  }
  const targets = findTargets(document);
  const positionOfNode = (node: unknown): SourcePosition =>
    isNode(node) && node.range ? positionOf(node.range[0]) : start;
  const breach = findBreach(document.contents, targets);
  if (breach !== undefined) {
    report(positionOfNode(breach.node), breach.reason);
    return;
  }
  const walk: Walk = { targets, report, positionOf: positionOfNode, broken: false };
  const value = convertNode(walk, document.contents);
  return walk.broken ? undefined : value;
}

/** After a stack that was too small, what the library says of the rest of the file is not true. */
function complaintsOf({ errors, warnings }: Document) {
  const exhausted = errors.find(({ code }) => code === 'RESOURCE_EXHAUSTION');
  if (exhausted === undefined) return [...errors, ...warnings];
  return [{ message: tooDeep, pos: exhausted.pos }];
}

function sentence(message: string): string {
  if (message.includes('multiple documents')) return 'the file has more than one document';
  return message.charAt(0).toLowerCase() + message.slice(1);
}
