// The small mistakes that can be made in a source file: each is an edit of its text within one line.
import { isNode, listNodes, type Node } from './syntax.ts'

export interface Edit {
  start: number
  end: number
  text: string
  /** What is different afterwards, for a reader. */
  change: string
}

const OPPOSITE_OPERATORS: Record<string, string> = {
  ...{ '<': '<=', '<=': '<', '>': '>=', '>=': '>', '===': '!==', '!==': '===', '==': '!=', '!=': '==' },
  ...{ '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '&&': '||', '||': '&&', '??': '&&' },
  ...{ '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '??=': '=', '++': '--', '--': '++' },
}

const OPPOSITE_METHODS: Record<string, string> = {
  ...{ some: 'every', every: 'some', min: 'max', max: 'min', floor: 'ceil', ceil: 'floor', push: 'unshift' },
  ...{ startsWith: 'endsWith', endsWith: 'startsWith', toLowerCase: 'toUpperCase', toUpperCase: 'toLowerCase' },
}

/** Numbers above this are rarely counted with: they are limits and codes of which one more says little. */
const LARGEST_COUNT = 1000

/**
 * All edits of a file, by their place. Properties of tables that never change are not taken away: they would be most of all
 * edits.
 * @param file a name that says how the text is to be read, such as `a.ts`
 */
export function listEdits(file: string, text: string): Edit[] {
  const nodes = listNodes(file, text)
  const functions = nodes.filter(({ type }) => /Function/.test(type))
  const isInFunction = ({ start, end }: Node) => functions.some((one) => one.start < start && end <= one.end)
  return nodes
    .filter((node) => node.type !== 'ObjectExpression' || isInFunction(node))
    .flatMap((node) => editsOf(node, text))
    .filter(({ start, end }) => !text.slice(start, end).includes('\n'))
    .sort((one, other) => one.start - other.start)
}

function editsOf(node: Node, text: string): Edit[] {
  const edit = ({ start, end }: { start: number; end: number }, replacement: string, change: string): Edit[] => [
    { start, end, text: replacement, change },
  ]
  const negate = (part: unknown, change: string) =>
    isNode(part) ? edit(part, `!(${text.slice(part.start, part.end)})`, change) : []
  const swap = (word: unknown, opposites: Record<string, string>, from: number, to: number): Edit[] => {
    const opposite = Object.hasOwn(opposites, String(word)) ? opposites[String(word)] : undefined
    const start = text.indexOf(String(word), from)
    if (opposite === undefined || start < from || start >= to) return []
    return edit({ start, end: start + String(word).length }, opposite, `${String(word)} → ${opposite}`)
  }
  const { left, right, argument, test, body, callee, expression, operator, value } = node
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return swap(operator, OPPOSITE_OPERATORS, (left as Node).end, (right as Node).start)
    case 'UpdateExpression':
      return swap(operator, OPPOSITE_OPERATORS, node.start, node.end)
    case 'UnaryExpression':
      return operator === '!' ? edit({ start: node.start, end: node.start + 1 }, '', 'no !') : []
    case 'IfStatement':
    case 'WhileStatement':
    case 'ConditionalExpression':
      return negate(test, 'the condition is negated')
    case 'Literal':
      if (typeof value === 'boolean') return edit(node, String(!value), `${value} → ${!value}`)
      if (typeof value !== 'number' || !Number.isInteger(value) || value > LARGEST_COUNT) return []
      return edit(node, String(value + 1), `${value} → ${value + 1}`)
    case 'ReturnStatement':
      return isNode(argument) ? edit(argument, 'undefined as never', 'nothing is returned') : []
    case 'ArrowFunctionExpression':
      return expression === true ? edit(body as Node, '(undefined as never)', 'nothing is returned') : []
    case 'ExpressionStatement':
      return node['directive'] ? [] : edit(node, ';', 'the statement is gone')
    case 'ObjectExpression':
      return (node['properties'] as Node[]).flatMap((property) => edit(property, '...{}', 'the property is gone'))
    case 'CallExpression':
      return editsOfCall(callee as Node)
    default:
      return []
  }

  function editsOfCall({ type, property }: Node): Edit[] {
    if (type !== 'MemberExpression' || !isNode(property) || property.type !== 'Identifier') return []
    const [first] = node['arguments'] as Node[]
    const chosen = property['name'] === 'filter' && first?.['expression'] === true ? first['body'] : undefined
    return [
      ...swap(property['name'], OPPOSITE_METHODS, property.start, property.end),
      ...negate(chosen, 'the filter is negated'),
    ]
  }
}
