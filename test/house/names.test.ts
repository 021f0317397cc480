/** Names are standard terms that a new developer knows. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { longTest } from '../support/full.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Words that hint at something for which there is a standard term: report, buffered, error, wait,
 * response.
 */
const hints = new Set(
  'told tell tells telling held keeping forget guest guests door trouble respite patience leniency fault faults'.split(
    ' ',
  ),
);

/** As the entire name of a type, these do not say what it contains. */
const vagueTypes = new Set(['Answer', 'Place', 'Look', 'Found', 'Known']);

/** Unclear as an entire name, but plain English as a part of one (`stringEnds`). */
const riddles = new Set(['ends', 'stops', 'moves', 'play']);

/** Members that are sent: renaming only one side would break the other. */
const sentAs = /: (?:fault|annotations_fault)$/;
const sent = new Set(
  ['commands/run/host.ts', 'service/http/routes/admin/service.ts'].map(
    (path) => `src/${path}: guests`,
  ),
);

longTest('no identifier is a private word', () => {
  const names = ['src', 'test', 'scripts', 'bench', 'bin']
    .flatMap((folder) => programsIn(folder))
    .flatMap((path) => privateNames(path, readFileSync(join(root, path), 'utf8')));
  expect(names.filter((name) => !sent.has(name) && !sentAs.test(name))).toEqual([]);
});

test.each([
  ['function tellUser() {}', ['a.ts: tellUser']],
  ['const { a: isTold } = b;', ['a.ts: isTold']],
  ['const f = (held_bytes) => 1;', ['a.ts: held_bytes']],
  ['interface Door {}', ['a.ts: Door']],
  ['let isFault;', ['a.ts: isFault']],
  ['type Known = 1;', ['a.ts: Known']],
  ['const ends = 1;', ['a.ts: ends']],
  ['const stringEnds = 1;', []],
  ['const known = 1;', []],
  ["text.endsWith('.')", []],
  ['const backends = 1;', []],
])('finds them in %s', (text, names) => {
  expect(privateNames('a.ts', text)).toEqual(names);
});

const programsIn = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.[jt]s$/.test(name))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`);

/** The names that a source declares and that contain a banned word: `path: name`. */
function privateNames(path: string, text: string): string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && isDeclared(node) && isPrivate(node)) {
      names.push(`${path}: ${node.text}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
  return names;
}

/** Names that are only used were declared, and so checked, elsewhere. */
function isDeclared(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isImportSpecifier(parent)) return false;
  return 'name' in parent && parent.name === node;
}

function isPrivate({ text, parent }: ts.Identifier): boolean {
  const isType = ts.isTypeAliasDeclaration(parent) || ts.isInterfaceDeclaration(parent);
  const words = text.split(/_|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase());
  return (
    (isType && vagueTypes.has(text)) || riddles.has(text) || words.some((word) => hints.has(word))
  );
}
