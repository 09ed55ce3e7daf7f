// Finds the texts that the code of core, cli and http declares, and reads the catalogues that translate them.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseSync } from 'vite'
import { root, sources } from '../support/sources.ts'

export const PARTS = ['core', 'cli'] as const
export type Part = (typeof PARTS)[number]

/** A text in the code. `key` is its name in a catalogue: the English text, and `_context` if it has one. */
export interface DeclaredText {
  part: Part
  key: string
  /** The catalogue of the file: the folder of the part, or the part itself for the files that are in none. */
  room: string
  /** `file:line` */
  at: string
}

/** The functions that declare texts, and the place of the text among their arguments. Errors are rows of a table. */
const WORDS = { words: 0 }
const ROWS = { row: 1, passing: 1 }
/** The modules that `words` is imported from. Another function of this name declares no text. */
const HOME = /(^|\/)(errors|texts)\.ts$/

interface Node {
  type: string
  start: number
  [member: string]: unknown
}

type Call = Node & { callee: Node; arguments: Node[] }
type Import = Node & { source: { value: string }; specifiers: { local: { name: string } }[] }

/** Files of a part. The texts of http are in core: it only passes errors on. */
export const productFiles = sources.filter((file) => /^(core|cli)\//.test(file))

export interface Scan {
  texts: DeclaredText[]
  /** Calls whose text is not a literal, and what else cannot be translated. */
  faults: string[]
}

export function scanFile(file: string): Scan {
  const scan: Scan = { texts: [], faults: [] }
  const part = PARTS.find((each) => file.startsWith(`${each}/`))
  if (!part) return scan
  const code = readFileSync(join(root, file), 'utf8')
  const parsed = parseSync(file, code)
  if (parsed.errors.length > 0) throw new Error(`${file}: ${parsed.errors[0]?.message}`)
  const program = parsed.program as unknown as Node
  const declaring = new Map(
    Object.entries({
      ...(file === 'core/texts.ts' || importsWords(program) ? WORDS : {}),
      ...(isErrorTable(file) ? ROWS : {}),
    }),
  )
  visit(program, (node) => {
    if (node.type !== 'CallExpression') return
    const { callee, arguments: given } = node as unknown as Call
    const place = callee.type === 'Identifier' ? declaring.get(String(callee.name)) : undefined
    // `row(...given)` and `words(en)` make the rows of the table of errors.
    if (place === undefined || (isErrorTable(file) && given.every(({ type }) => !type.endsWith('Literal')))) return
    const at = `${file}:${code.slice(0, node.start).split('\n').length}`
    const text = readLiteral(given[place])
    const context = callee.name === 'words' && given[1] ? readContext(given[1]) : undefined
    if (text === undefined) scan.faults.push(`${at}: the text is not a literal`)
    else if (callee.name === 'words' && given.length > 1 && context === undefined)
      scan.faults.push(`${at}: the second argument is not { context: 'a literal' }`)
    else scan.texts.push({ part, key: context === undefined ? text : `${text}_${context}`, room: findRoom(file), at })
  })
  return scan
}

const isErrorTable = (file: string) => file === 'core/errors.data.ts'

const importsWords = ({ body }: Node): boolean =>
  (body as Import[]).some(
    ({ type, source, specifiers }) =>
      type === 'ImportDeclaration' && HOME.test(source.value) && specifiers.some(({ local }) => local.name === 'words'),
  )

function visit(node: Node, see: (node: Node) => void): void {
  see(node)
  for (const value of Object.values(node))
    if (Array.isArray(value)) value.forEach((each) => isNode(each) && visit(each, see))
    else if (isNode(value)) visit(value, see)
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns the text of a literal, or of literals joined by `+`. */
function readLiteral(node: Node | undefined): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type !== 'BinaryExpression' || node.operator !== '+') return undefined
  const [left, right] = [readLiteral(node.left as Node), readLiteral(node.right as Node)]
  return left === undefined || right === undefined ? undefined : left + right
}

function readContext(node: Node): string | undefined {
  const [property] = (node.properties ?? []) as { key: { name?: string }; value: Node }[]
  return property?.key.name === 'context' ? readLiteral(property.value) : undefined
}

/** `core/users/name.ts` → `users`, `core/errors.data.ts` → `errors`, `cli/input/ask.ts` → `cli`. */
function findRoom(file: string): string {
  const [part = '', folder = '', ...more] = file.split('/')
  if (more.length > 0) return folder
  return folder.endsWith('.data.ts') ? basename(folder, '.data.ts') : part
}

/** Room → key → translation. */
export type Catalogue = Record<string, Record<string, string>>

export const COMMON = 'common'

export const languagesOf = (part: Part): string[] => {
  const folder = join(root, part, 'locales')
  return existsSync(folder) ? readdirSync(folder).sort() : []
}

export function readCatalogue(part: Part, language: string): Catalogue {
  const folder = join(root, part, 'locales', language)
  return Object.fromEntries(
    readdirSync(folder)
      .sort()
      .map((name) => [basename(name, '.json'), JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  )
}

/** The room of each key: that of the files that use it, `common` if there are several. */
export function placeTexts(texts: readonly DeclaredText[]): Map<string, string> {
  const rooms = new Map<string, string>()
  for (const { key, room } of texts) rooms.set(key, rooms.has(key) && rooms.get(key) !== room ? COMMON : room)
  return rooms
}

/** Compares keys by their characters, so that every machine sorts them alike. */
export const compareKeys = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
