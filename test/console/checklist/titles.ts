// The titles of the tests in a file, as they stand in its source: also those with places to fill in.
import { readFileSync } from 'node:fs'
import { parseSync } from 'vite'

interface Node {
  type: string
  [field: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** What a test is made with, however it is called: `it(…)`, `it.each(…)(…)`, `test.runIf(…)(…)`. */
function makerOf(callee: unknown): string {
  if (!isNode(callee)) return ''
  if (callee.type === 'Identifier') return String(callee['name'])
  return makerOf(callee['object'] ?? callee['callee'])
}

function titleOf(node: unknown): string | undefined {
  if (!isNode(node)) return undefined
  if (node.type === 'Literal') return String(node['value'])
  if (node.type !== 'TemplateLiteral') return undefined
  return (node['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join('…')
}

function titlesIn(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(titlesIn)
  if (typeof node !== 'object' || node === null) return []
  const below = Object.values(node).flatMap(titlesIn)
  if (!isNode(node) || node.type !== 'CallExpression' || !/^(it|test)$/.test(makerOf(node['callee']))) return below
  const title = titleOf((node['arguments'] as unknown[])[0])
  return title === undefined ? below : [title, ...below]
}

/** `path`: of the file with the tests. */
export const titlesOf = (path: string): string[] =>
  titlesIn(parseSync(path, readFileSync(path, 'utf8')).program.body as unknown)
