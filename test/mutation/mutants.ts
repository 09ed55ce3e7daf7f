// Mutants: source files with one line changed, as a mistake would change it. A good test suite fails on nearly all of them.
import { parseSync, transformWithOxc } from 'vite'
import type { Random } from '../../core/ports/random.ts'
import { sources } from '../support/sources.ts'

/** The files that are mutated: the rules of money, routing and translation. */
export const isTarget = (file: string): boolean =>
  /^core\/(pricing|quota|channels|relay|dialects)\/.*(?<!\.data)\.ts$/.test(file)

export const listTargets = (): string[] => sources.filter(isTarget)

export interface Mutant {
  /** From the root. */
  file: string
  /** From 1. */
  line: number
  before: string
  after: string
  change: string
}

/** Draws `count` mutants, no two of a line; a file has its part of them by the number of its lines that can be changed. */
export async function drawMutants(
  texts: ReadonlyMap<string, string>,
  count: number,
  random: Random,
): Promise<Mutant[]> {
  const lines = [...texts].flatMap(([file, text]) =>
    groupByLine(listEdits(file, text), text).map((edits) => ({ file, text, edits })),
  )
  const mutants: Mutant[] = []
  for (const { file, text, edits } of shuffle(lines, random)) {
    if (mutants.length === count) break
    for (const edit of shuffle(edits, random)) {
      if (!(await changesCode(file, text, applyEdit(text, edit)))) continue
      mutants.push(toMutant(file, text, edit))
      break
    }
  }
  return mutants.sort((a, b) => a.file.localeCompare(b.file, 'en') || a.line - b.line)
}

/** The file's text with the mutant's line in it. */
export function mutate(text: string, { file, line, before, after }: Mutant): string {
  const lines = text.split('\n')
  if (lines[line - 1] !== before) throw new Error(`${file}:${line} is another line by now`)
  return lines.with(line - 1, after).join('\n')
}

/** The first character that the mutant changes. */
export function placeOf(text: string, { line, before, after }: Mutant): number {
  const lineStart = text.split('\n', line - 1).join('\n').length + (line > 1 ? 1 : 0)
  return lineStart + before.split('').findIndex((character, index) => character !== after[index])
}

const applyEdit = (text: string, { start, end, text: replacement }: Edit): string =>
  text.slice(0, start) + replacement + text.slice(end)

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length

function groupByLine(edits: readonly Edit[], text: string): Edit[][] {
  const lines = new Map<number, Edit[]>()
  for (const edit of edits) {
    const line = lineOf(text, edit.start)
    lines.set(line, [...(lines.get(line) ?? []), edit])
  }
  return [...lines.values()]
}

function toMutant(file: string, text: string, edit: Edit): Mutant {
  const line = lineOf(text, edit.start)
  const [before = '', after = ''] = [text, applyEdit(text, edit)].map((each) => each.split('\n')[line - 1])
  return { file, line, before, after, change: edit.change }
}

/** Not where the new text is no TypeScript, or means the same. */
async function changesCode(file: string, before: string, after: string): Promise<boolean> {
  try {
    const [old, changed] = await Promise.all([before, after].map((text) => transformWithOxc(text, file)))
    return old?.code !== changed?.code
  } catch {
    return false
  }
}

function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const left = [...items]
  return items.map(() => left.splice(Math.floor(random.number() * left.length), 1)[0]!)
}

interface Edit {
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
function listEdits(file: string, text: string): Edit[] {
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

export interface Node {
  type: string
  start: number
  end: number
  [field: string]: unknown
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** TypeScript's own nodes that have an expression in them; the others are types. */
const TYPED_EXPRESSIONS = /^TS(As|Satisfies|NonNull|Instantiation)/

/** All nodes, outer ones first. */
export function listNodes(file: string, text: string): Node[] {
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const nodes: Node[] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (!isNode(value) || value.type === 'ImportDeclaration') return
    if (value.type.startsWith('TS')) return TYPED_EXPRESSIONS.test(value.type) ? visit(value['expression']) : undefined
    nodes.push(value)
    Object.values(value).forEach(visit)
  }
  visit(program)
  return nodes
}
