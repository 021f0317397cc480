import { Composer, Parser, YAMLParseError, type CST, type Document, type LineCounter } from 'yaml';
import { maxProblems } from '../notes.ts';

/**
 * The first document of a text, and with its errors that there is another; undefined only where the
 * library gives none. Like the library's own function, but a file that is wrong in each of its
 * characters costs no more than others.
 */
export function parseYaml(text: string, lines: LineCounter): Document.Parsed | undefined {
  const limit = Error.stackTraceLimit;
  // Each error of the library notes where it was made: that takes longer than all of the reading.
  Error.stackTraceLimit = 0;
  try {
    return firstDocument(text, lines);
  } finally {
    Error.stackTraceLimit = limit;
  }
}

function firstDocument(text: string, lines: LineCounter): Document.Parsed | undefined {
  const composer = new Composer({ version: '1.2', uniqueKeys: false });
  const tokens = untilTooManyErrors(new Parser(lines.addNewLine).parse(text));
  let first: Document.Parsed | undefined;
  for (const document of composer.compose(tokens, true, text.length)) {
    if (first !== undefined) {
      const [from, to] = document.range;
      first.errors.push(new YAMLParseError([from, to], 'MULTIPLE_DOCS', 'multiple documents'));
      break;
    }
    first = document;
  }
  return first;
}

function* untilTooManyErrors(tokens: Iterable<CST.Token>): Generator<CST.Token> {
  let errors = 0;
  for (const token of tokens) {
    yield token;
    if (token.type === 'error' && ++errors > maxProblems) return;
  }
}
