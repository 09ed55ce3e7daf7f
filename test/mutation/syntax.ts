// The syntax tree of a source file, as far as it is code: types and imports are left out.
import { parseSync } from 'vite'

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
