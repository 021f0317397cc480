/**
 * Finds which members of its input a handler reads, following the functions that it passes the
 * input to.
 */
import ts from 'typescript';

export interface Handled {
  readonly command: string;
  /** The keys of its options and arguments. */
  readonly declared: readonly string[];
  readonly read: ReadonlySet<string>;
}

/** The commands that a tree assigns handlers to, and what the handlers read. */
export function handledCommands(tree: string, options: ts.CompilerOptions): Handled[] {
  const program = ts.createProgram([tree], options, ts.createCompilerHost(options, true));
  const found: Handled[] = [];
  walk(program.getSourceFile(tree), (node) => {
    if (ts.isCallExpression(node) && node.expression.getText() === 'entry') {
      found.push(handled(node, program));
    }
  });
  return found;
}

function handled(
  { arguments: [command, load, name] }: ts.CallExpression,
  program: ts.Program,
): Handled {
  const checker = program.getTypeChecker();
  if (command === undefined || load === undefined || name === undefined)
    throw new Error('an entry without a handler');
  const type = checker.getTypeAtLocation(command);
  const declared = ['arguments', 'options'].flatMap((name) => {
    const part = type.getProperty(name);
    if (part === undefined) throw new Error(`${command.getText()} has no ${name}`);
    return checker.getTypeOfSymbolAtLocation(part, command).getProperties();
  });
  const [loading] = checker.getTypeAtLocation(load).getCallSignatures();
  const loaded = loading && checker.getAwaitedType(loading.getReturnType());
  const handler = functionOf(loaded?.getProperty((name as ts.StringLiteral).text), checker);
  if (handler === undefined) throw new Error(`${command.getText()} has no handler`);
  const read = new Set<string>();
  readParameter(handler, 0, { program, checker, read, seen: new Set() });
  return { command: command.getText(), declared: declared.map(({ name }) => name), read };
}

interface Reading {
  readonly program: ts.Program;
  readonly checker: ts.TypeChecker;
  readonly read: Set<string>;
  /** Nodes that were already followed. */
  readonly seen: Set<ts.Node>;
}

/** The function that a symbol refers to, if its source is in this repository. */
function functionOf(
  symbol: ts.Symbol | undefined,
  checker: ts.TypeChecker,
): ts.SignatureDeclaration | undefined {
  const target =
    symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  const declaration = target?.valueDeclaration;
  if (declaration === undefined) return undefined;
  if (ts.isFunctionDeclaration(declaration)) return declaration;
  const value = ts.isVariableDeclaration(declaration) ? declaration.initializer : undefined;
  return value && (ts.isArrowFunction(value) || ts.isFunctionExpression(value)) ? value : undefined;
}

function readParameter(
  declaration: ts.SignatureDeclaration,
  index: number,
  reading: Reading,
): void {
  const parameter = declaration.parameters[index];
  if (parameter !== undefined) readBinding(parameter.name, declaration, reading);
}

/**
 * `{ a, ...rest }` reads `a` and whatever is read from `rest`; a name reads whatever is read from
 * it.
 */
function readBinding(binding: ts.BindingName, scope: ts.Node, reading: Reading): void {
  if (reading.seen.has(binding)) return;
  reading.seen.add(binding);
  if (ts.isIdentifier(binding)) {
    readUses(binding, scope, reading);
    return;
  }
  for (const element of binding.elements) {
    if (!ts.isBindingElement(element)) continue;
    if (element.dotDotDotToken) readBinding(element.name, scope, reading);
    else reading.read.add((element.propertyName ?? element.name).getText());
  }
}

function readUses(name: ts.Identifier, scope: ts.Node, reading: Reading): void {
  const symbol = reading.checker.getSymbolAtLocation(name);
  walk(scope, (node) => {
    if (!ts.isIdentifier(node) || node === name) return;
    if (node.text === name.text && symbolOf(node, reading.checker) === symbol) {
      readUse(node, scope, reading);
    }
  });
}

/** For `{ options }`, the symbol of the value instead of the member. */
const symbolOf = (node: ts.Identifier, checker: ts.TypeChecker): ts.Symbol | undefined =>
  ts.isShorthandPropertyAssignment(node.parent)
    ? checker.getShorthandAssignmentValueSymbol(node.parent)
    : checker.getSymbolAtLocation(node);

function readUse(use: ts.Identifier, scope: ts.Node, reading: Reading): void {
  const { parent } = use;
  if (ts.isPropertyAccessExpression(parent) && parent.expression === use) {
    reading.read.add(parent.name.text);
  } else if (ts.isElementAccessExpression(parent) && parent.expression === use) {
    for (const key of keysOf(parent.argumentExpression, reading.checker)) reading.read.add(key);
  } else if (ts.isVariableDeclaration(parent) && parent.initializer === use) {
    readBinding(parent.name, scope, reading);
  } else if (ts.isCallExpression(parent)) {
    const called = functionOf(
      reading.checker.getSymbolAtLocation(parent.expression),
      reading.checker,
    );
    if (called) readParameter(called, parent.arguments.indexOf(use), reading);
  } else if (ts.isShorthandPropertyAssignment(parent) || ts.isPropertyAssignment(parent)) {
    readAnywhere(use, reading);
  }
}

/** `limits[key]` reads every possible value of the key. */
function keysOf(key: ts.Expression, checker: ts.TypeChecker): string[] {
  const type = checker.getTypeAtLocation(key);
  const each = type.isUnion() ? type.types : [type];
  return each.flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
}

/**
 * An object literal may be passed anywhere, so every member of its type that any source reads
 * counts.
 */
function readAnywhere(use: ts.Identifier, { checker, program, read }: Reading): void {
  const type = checker.getTypeAtLocation(use);
  const members = new Map(type.getProperties().map((one) => [declarationOf(one), one.name]));
  const names = new Set(members.values());
  const check = (symbol: ts.Symbol | undefined): void => {
    const member = members.get(declarationOf(symbol));
    if (symbol !== undefined && member !== undefined) read.add(member);
  };
  for (const file of program.getSourceFiles()) {
    if (file.isDeclarationFile || file.fileName.includes('node_modules')) continue;
    walk(file, (node) => {
      if (ts.isPropertyAccessExpression(node) && names.has(node.name.text)) {
        check(checker.getSymbolAtLocation(node.name));
      } else if (ts.isBindingElement(node)) {
        const name = node.propertyName ?? node.name;
        if (!names.has(name.getText())) return;
        check(checker.getTypeAtLocation(node.parent).getProperty(name.getText()));
      }
    });
  }
}

const declarationOf = (symbol: ts.Symbol | undefined): ts.Declaration | undefined =>
  symbol?.declarations?.[0];

function walk(node: ts.Node | undefined, visit: (node: ts.Node) => void): void {
  if (node === undefined) return;
  visit(node);
  ts.forEachChild(node, (child) => {
    walk(child, visit);
  });
}
