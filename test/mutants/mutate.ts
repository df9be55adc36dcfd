import { parseSync, Visitor } from 'oxc-parser';

/** One change of a source file that its tests should notice. */
export interface Mutant {
  /** Where it begins and ends, in UTF-16 code units. */
  start: number;
  end: number;
  /** What stands there instead. */
  replacement: string;
}

/** The neighbor of each operator: what a slip of the pen would write instead. */
const operators: Record<string, string> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '==': '!=',
  '!=': '==',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '**': '*',
  '&': '|',
  '|': '&',
  '^': '|',
  '<<': '>>',
  '>>': '<<',
  '>>>': '<<',
  '+=': '-=',
  '-=': '+=',
  '*=': '/=',
  '/=': '*=',
  '%=': '=',
  '&=': '|=',
  '|=': '&=',
  '^=': '|=',
  '<<=': '>>=',
  '>>=': '<<=',
  '>>>=': '<<=',
  '??=': '=',
  '||=': '=',
  '&&=': '=',
};

/** Methods that take the same and return the same, but not for the same. */
const methods: Record<string, string> = {
  some: 'every',
  every: 'some',
  min: 'max',
  max: 'min',
  floor: 'ceil',
  ceil: 'floor',
  round: 'floor',
  startsWith: 'endsWith',
  endsWith: 'startsWith',
  indexOf: 'lastIndexOf',
  lastIndexOf: 'indexOf',
  find: 'findLast',
  findLast: 'find',
};

/** Methods whose result is of the kind of what they are called on: without them, it stays as it is. */
const refinements = new Set([
  'filter',
  'slice',
  'subarray',
  'sort',
  'toSorted',
  'toReversed',
  'trim',
  'trimEnd',
  'trimStart',
  'toLowerCase',
  'toUpperCase',
  'replace',
  'replaceAll',
]);

/** Returns the changes of a TypeScript file, from its beginning to its end. Text for people is not changed. */
export function mutantsOf(file: string, source: string): Mutant[] {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) {
    throw new SyntaxError(`${file}: ${errors[0]?.message}`);
  }
  const mutants: Mutant[] = [];
  /** Names of modules and properties, and types, which are nothing once the program runs. */
  const untouched: Span[] = [];
  const textOf = ({ start, end }: Span): string => source.slice(start, end);
  const replace = ({ start, end }: Span, ...replacements: string[]): void => {
    for (const replacement of replacements) {
      mutants.push({ start, end, replacement });
    }
  };
  /** Replaces the operator between two operands. */
  const replaceOperator = (left: Span, operator: string, right: Span): void => {
    const replacement = operators[operator];
    const start = source.indexOf(operator, left.end);
    if (replacement !== undefined && start !== -1 && start < right.start) {
      replace({ start, end: start + operator.length }, replacement);
    }
  };
  const decide = (test: Span): void => replace(test, 'true', 'false');

  new Visitor({
    ImportDeclaration: (node) => untouched.push(node),
    ImportExpression: (node) => untouched.push(node),
    ExportAllDeclaration: (node) => untouched.push(node),
    ExportNamedDeclaration: ({ source: from }) => from && untouched.push(from),
    TSLiteralType: (node) => untouched.push(node),
    TSImportType: (node) => untouched.push(node),
    Property: ({ computed, key }) => !computed && untouched.push(key),
    IfStatement: ({ test }) => decide(test),
    ConditionalExpression: ({ test }) => decide(test),
    WhileStatement: ({ test }) => replace(test, 'false'),
    ForStatement: ({ test }) => test && replace(test, 'false'),
    BinaryExpression({ left, operator, right }) {
      const joinsText = operator === '+' && [left, right].some(isText);
      if (!joinsText) {
        replaceOperator(left, operator, right);
      }
    },
    AssignmentExpression: ({ left, operator, right }) => replaceOperator(left, operator, right),
    LogicalExpression(node) {
      // The compiler demands a value for an element that is always there.
      if (node.operator === '??' && node.left.type === 'MemberExpression' && node.left.computed) {
        untouched.push(node.right);
      }
      if (node.operator !== '??') {
        replace(node, textOf(node.left));
      }
      replace(node, textOf(node.right));
    },
    ArrayPattern: ({ elements }) =>
      elements.forEach((element) => element?.type === 'AssignmentPattern' && untouched.push(element.right)),
    UnaryExpression(node) {
      if (['!', '-', '~'].includes(node.operator)) {
        replace(node, textOf(node.argument));
      }
    },
    UpdateExpression(node) {
      const operator = node.operator === '++' ? '--' : '++';
      const argument = textOf(node.argument);
      replace(node, node.prefix ? `${operator}${argument}` : `${argument}${operator}`);
    },
    ExpressionStatement(node) {
      if (node.directive === undefined || node.directive === null) {
        replace(node, ';');
      }
    },
    CallExpression(node) {
      const { callee } = node;
      if (callee.type !== 'MemberExpression' || callee.property.type !== 'Identifier') {
        return;
      }
      const { name } = callee.property;
      const other = Object.hasOwn(methods, name) ? methods[name] : undefined;
      if (other !== undefined) {
        replace(callee.property, other);
      }
      if (refinements.has(name)) {
        replace(node, textOf(callee.object));
      }
    },
    Literal(node) {
      if (typeof node.value === 'boolean') {
        replace(node, String(!node.value));
      } else if (typeof node.value === 'number') {
        // A limit that is off by a thousandth is the same limit.
        replace(node, String(node.value <= 10 ? node.value + 1 : 2 * node.value));
      } else if (typeof node.value === 'string' && /^\S+$/u.test(node.value)) {
        // Without the name of an encoding, it is UTF-8.
        replace(node, ['latin1', 'utf8'].includes(node.value) ? "'utf16le'" : "''");
      } else if ('regex' in node) {
        const { pattern, flags } = node.regex;
        const looser = [pattern.replace(/^\^/u, ''), pattern.replace(/(?<!\\)\$$/u, '')];
        const others = looser.filter((other) => other !== pattern).map((other) => `/${other}/${flags}`);
        replace(node, ...others, ...(flags.includes('i') ? [`/${pattern}/${flags.replace('i', '')}`] : []));
      }
    },
  }).visit(program);

  return mutants
    .filter((mutant) => !untouched.some(({ start, end }) => start <= mutant.start && mutant.end <= end))
    .toSorted((one, other) => one.start - other.start || one.end - other.end);
}

interface Span {
  start: number;
  end: number;
}

/** Whether an operand is a text as it stands there, so that `+` can only join it. */
function isText(node: { type: string; value?: unknown }): boolean {
  return node.type === 'TemplateLiteral' || (node.type === 'Literal' && typeof node.value === 'string');
}
