/** The sources as the house tests see them: their imports and the globals that they use. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');

export interface Import {
  /**
   * A path from the project root (`src/errors.ts`), a package (`undici`), or a built-in
   * (`node:fs`).
   */
  readonly target: string;
  /** Imports only types, which do not exist at run time. */
  readonly typeOnly: boolean;
  /** Loaded on demand with `import()`. */
  readonly isLazy?: boolean;
}

export interface Source {
  /** From the project root: `src/api/client.ts`. */
  readonly path: string;
  readonly imports: readonly Import[];
  readonly lines: number;
  /** Global names used as values: `process`, `console`. */
  readonly globals: ReadonlySet<string>;
  /** Names of exported functions and constants, without types. */
  readonly exports: readonly string[];
}

/** Every source of the tool, without the tests next to it. */
export const sources = (): readonly Source[] =>
  (known ??= readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.test|\.d)\.tsx?$/.test(name))
    .map((name) => readSource(`src/${name.replaceAll('\\', '/')}`)));

let known: readonly Source[] | undefined;

function readSource(path: string): Source {
  const text = readFileSync(join(root, path), 'utf8');
  return parseSource(path, text);
}

/** Parses one source; `path` is relative to the project root. */
export function parseSource(path: string, text: string): Source {
  const imports: Import[] = [];
  const globals = new Set<string>();
  const add = (specifier: ts.Node | undefined, typeOnly: boolean, isLazy = false): void => {
    if (specifier !== undefined && ts.isStringLiteralLike(specifier)) {
      imports.push({ target: target(path, specifier.text), typeOnly, ...(isLazy && { isLazy }) });
    }
  };
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) add(node.moduleSpecifier, isTypeImport(node.importClause));
    else if (ts.isExportDeclaration(node)) add(node.moduleSpecifier, node.isTypeOnly);
    else if (isDynamicImport(node)) add(node.arguments[0], false, true);
    else if (ts.isImportTypeNode(node)) add(literalOf(node.argument), true);
    else if (isGlobal(node)) globals.add(node.text);
    ts.forEachChild(node, visit);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true);
  visit(file);
  const exports = file.statements.flatMap(exportedNames);
  return { path, imports, globals, exports, lines: text.split('\n').length - 1 };
}

function target(from: string, specifier: string): string {
  if (specifier.startsWith('.')) {
    return relative(root, join(root, dirname(from), specifier)).replaceAll('\\', '/');
  }
  if (specifier.startsWith('node:')) return specifier;
  // `@scope/name/file` -> `@scope/name`
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function exportedNames(statement: ts.Statement): string[] {
  const isExported =
    ts.canHaveModifiers(statement) &&
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;
  if (!isExported) return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const hasValue = ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement);
  return hasValue && statement.name !== undefined ? [statement.name.text] : [];
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (clause === undefined) return false;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return true;
  const { namedBindings: names, name } = clause;
  return (
    name === undefined &&
    names !== undefined &&
    ts.isNamedImports(names) &&
    names.elements.every((element) => element.isTypeOnly)
  );
}

const isDynamicImport = (node: ts.Node): node is ts.CallExpression =>
  ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;

const literalOf = (node: ts.TypeNode): ts.Node | undefined =>
  ts.isLiteralTypeNode(node) ? node.literal : undefined;

const watched = new Set(['process', 'console', 'setTimeout', 'setInterval']);

/** `process` as an identifier of its own, but not `x.process` or a member with that name. */
function isGlobal(node: ts.Node): node is ts.Identifier {
  if (!ts.isIdentifier(node) || !watched.has(node.text)) return false;
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent))
    return parent.name !== node;
  return true;
}
