// The texts of the console: those that its code shows, found in the syntax tree, and the catalogues that translate them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root, sources } from '../support/sources.ts'

export const LOCALES = join(root, 'console/locales')

export type Catalogue = Record<string, string>

/** The English texts by the key of the catalogue, each with the rooms that show it. */
export interface FoundTexts {
  used: Map<string, Set<string>>
  /** Keys of `texts` that are shown in a context: a catalogue may translate them apart. */
  inContext: Map<string, Set<string>>
}

interface Node {
  type: string
  [member: string]: unknown
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

/** Returns the folder whose catalogue has the texts of a file. The frame shows the titles of screens and of acts. */
const findRoom = (file: string): string =>
  /\/(screen|acts)\.ts$/.test(file)
    ? 'shell'
    : (/^console\/(?:screens\/)?([^/]+)\//.exec(file)?.[1] ?? '').replace('parts-page', 'parts')

/** Finds every text that the code of the console shows. */
export function findTexts(): FoundTexts {
  const used = new Map<string, Set<string>>()
  const declared: [string, string][] = []
  const contexts: [string, string][] = []
  const add = (key: string, room: string) => used.set(key, (used.get(key) ?? new Set()).add(room))
  for (const file of sources.filter((each) => /^console\/.*\.tsx?$/.test(each))) {
    const code = readFileSync(join(root, file), 'utf8')
    if (!code.includes('/texts.tsx') && !/declare(Acts|Screen)/.test(code) && !file.endsWith('shortcuts.ts')) continue
    const room = findRoom(file)
    visit(parseSync(file, code).program as unknown as Node, (call) => {
      const callee = getCalleeName(call['callee'] as Node)
      const [first, second] = call['arguments'] as Node[]
      if (!first) return
      if (callee === 'text' || callee === 'texts')
        for (const key of readDeclaration(first)) {
          add(key, room)
          declared.push([key, room])
        }
      else if (callee === 't' || callee === 'translate' || callee === 'getTranslate()') {
        const context = readContext(second)
        const keys = readLiterals(first)
        for (const key of keys) add(context ? `${key}_${context}` : key, room)
        if (context && keys.length === 0) contexts.push([context, room])
      }
    })
  }
  const inContext = new Map<string, Set<string>>()
  for (const [key, room] of declared)
    for (const [context, shown] of contexts)
      if (shown === room)
        inContext.set(`${key}_${context}`, (inContext.get(`${key}_${context}`) ?? new Set()).add(room))
  return { used, inContext }
}

function visit(node: Node, take: (call: Node) => void): void {
  if (node.type === 'CallExpression') take(node)
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? value : [value]) if (isNode(child)) visit(child, take)
}

/** `getTranslate(language)('Save')` translates too. */
function getCalleeName(callee: Node): string {
  if (callee.type === 'Identifier') return callee['name'] as string
  return callee.type === 'CallExpression' ? `${getCalleeName(callee['callee'] as Node)}()` : ''
}

/** Returns the texts that an expression can be. */
function readLiterals(node: Node): string[] {
  if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value']]
  if (node.type === 'ConditionalExpression')
    return [node['consequent'], node['alternate']].flatMap((branch) => readLiterals(branch as Node))
  return []
}

const readDeclaration = (node: Node): string[] =>
  node.type === 'ObjectExpression'
    ? (node['properties'] as Node[]).flatMap(({ value }) => readLiterals(value as Node))
    : readLiterals(node)

function readContext(values: Node | undefined): string | undefined {
  const properties = values?.type === 'ObjectExpression' ? (values['properties'] as Node[]) : []
  const given = properties.find(({ key }) => isNode(key) && key['name'] === 'context')
  return given && readLiterals(given['value'] as Node)[0]
}

export const listLanguages = (): string[] => readdirSync(LOCALES)

/** Returns the catalogues of a language by their rooms. */
export const readCatalogues = (language: string): Record<string, Catalogue> =>
  Object.fromEntries(
    readdirSync(join(LOCALES, language)).map((name) => [
      name.slice(0, -'.json'.length),
      JSON.parse(readFileSync(join(LOCALES, language, name), 'utf8')) as Catalogue,
    ]),
  )

/**
 * Puts the translations of a language into the catalogues where they belong: those of one room into its own, others
 * into `common`. Texts that nobody shows are left out, and those without a translation are empty.
 */
export function arrangeCatalogues({ used, inContext }: FoundTexts, language: string): Record<string, Catalogue> {
  const known: Catalogue = Object.assign({}, ...Object.values(readCatalogues(language)))
  const shown = new Map([...used, ...[...inContext].filter(([key]) => key in known && !used.has(key))])
  const arranged: Record<string, [string, string][]> = {}
  for (const [key, [room = '', ...others]] of shown)
    (arranged[others.length > 0 ? 'common' : room] ??= []).push([key, known[key] ?? ''])
  return Object.fromEntries(
    Object.entries(arranged).map(([room, entries]) => [
      room,
      Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))),
    ]),
  )
}

/** Returns what the console shows for a key in a language: a test finds buttons and fields by it. */
export function createLookup(language: string): (key: string) => string {
  if (language === 'en') return (key) => key.replace(/_[a-z]+$/, '')
  const known: Catalogue = Object.assign({}, ...Object.values(readCatalogues(language)))
  return (key) => {
    const translation = known[key]
    if (!translation) throw new Error(`No catalogue of ${language} has "${key}".`)
    return translation
  }
}
