// The state as a YAML file: written with comments, read with line numbers in errors.
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { fillTemplate, getThrownText, toWords, type Language, type Words } from '../core/errors.ts'
import { parseReference, type StateReference, unescapeReferenceText } from '../core/state/references.ts'
import { GatewayRefusal } from './failure.ts'
import { words } from './texts.ts'

export type StateDocument = Record<string, unknown>

const HEAD = words(
  'The configuration of a Weir. weir plan FILE shows the effect of a change, weir apply FILE applies it.',
)

/** Formats the state: sections in their order, keys sorted, a comment above each section. */
export async function formatStateFile(
  document: StateDocument,
  comments: Readonly<Record<string, Words>>,
  language: Language,
): Promise<string> {
  const { Document, isMap, isScalar, visit } = await import('yaml')
  const { weir, ...sections } = document
  const yaml = new Document({ weir, ...sections })
  yaml.commentBefore = indentComment(HEAD[language])
  if (isMap(yaml.contents))
    for (const { key } of yaml.contents.items) {
      if (!isScalar(key)) continue
      const comment = comments[String(key.value)]
      key.spaceBefore = String(key.value) !== 'weir'
      if (comment) key.commentBefore = indentComment(comment[language])
    }
  // Empty collections are more readable on one line.
  visit(yaml, {
    Map: (_, node) => void (node.flow = node.items.length === 0),
    Seq: (_, node) => void (node.flow = node.items.every(isScalar) && node.items.length <= MAX_INLINE_LENGTH),
  })
  if (yaml.directives) yaml.directives.docStart = true
  return `${yaml.toString({ lineWidth: 0 })}${END}\n`
}

/**
 * The end mark of a YAML document. A document that starts with `---`, as those of `weir export` do, must have it, so
 * that a truncated file is detected.
 */
const END = '...'

/** Maximum length of a list written on one line. */
const MAX_INLINE_LENGTH = 4

const indentComment = (text: string) => text.replace(/^/gm, ' ')

/** @throws Refusal with the line of the first error */
export async function readStateFile(text: string, name: string): Promise<StateDocument> {
  const { parseDocument } = await import('yaml')
  const yaml = parseDocument(text, { uniqueKeys: true, strict: true, version: '1.2', schema: 'core' })
  const [fault] = yaml.errors
  if (fault) throw unreadable(name, toWords(fault.message))
  if (yaml.directives.docStart && text.trimEnd().split('\n').at(-1) !== END) throw unreadable(name, HALF)
  let value: unknown
  try {
    value = yaml.toJS({ maxAliasCount: MAX_ALIASES })
  } catch (error) {
    throw unreadable(name, toWords(getThrownText(error)))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unreadable(name, NO_TABLE)
  return value as StateDocument
}

/** Limits alias expansion, so that a few lines cannot grow to gigabytes. */
const MAX_ALIASES = 1000

const NO_TABLE = words('a table with the sections of the state is expected')
const HALF = words(
  'it begins with --- and does not end with a line of ..., so it may be half of a file: add that line where it is whole',
)

const unreadable = (name: string, reason: Words) =>
  new GatewayRefusal(
    fillTemplate(words('{name} cannot be read, and nothing was changed: {reason}'), { name, reason }),
    'state.unreadable',
  )

// Resolution of the references of a file, on the machine that reads the file.

export interface ReferenceSources {
  env: Readonly<Record<string, string | undefined>>
  /** The folder of the file, to which its paths are relative. */
  folder: string
  /** The age identity file that decrypts encrypted values. */
  identity?: string | undefined
}

/** A reference that could not be resolved. */
export interface MissingReference {
  /** Path in the document, with dots. */
  at: string
  /** The same path, down to the innermost table: a list with such a reference is left out as a whole. */
  path: string[]
  reference: string
}

/**
 * Replaces references by their values. A field with an unresolved reference is left out and listed in `missing`, from
 * which Weir knows that it keeps its current value.
 * @throws Refusal if an encrypted value cannot be decrypted
 */
export async function resolveReferences<T>(
  document: T,
  sources: ReferenceSources,
): Promise<{ document: T; missing: MissingReference[] }> {
  const missing: MissingReference[] = []
  const open = createOpener(sources)
  /** @param list path of the outermost list around the value */
  async function walk(value: unknown, at: readonly string[], list?: readonly string[]): Promise<unknown> {
    if (typeof value === 'string') {
      const reference = parseReference(value)
      if (!reference) return unescapeReferenceText(value)
      const text = reference.kind === 'age' ? await open(reference.what) : await resolveReference(reference, sources)
      if (text === undefined) missing.push({ at: at.join('.'), path: [...(list ?? at)], reference: value })
      return text
    }
    if (Array.isArray(value)) {
      const items = await Promise.all(value.map((one, place) => walk(one, [...at, String(place)], list ?? at)))
      return items.includes(undefined) ? undefined : items
    }
    if (typeof value !== 'object' || value === null) return value
    const fields: [string, unknown][] = []
    for (const [name, one] of Object.entries(value)) {
      const made = await walk(one, [...at, name], list)
      if (made !== undefined) fields.push([name, made])
      else if (list) return undefined
    }
    return Object.fromEntries(fields)
  }
  return { document: (await walk(document, [])) as T, missing }
}

async function resolveReference(
  { kind, what }: StateReference,
  { env, folder }: ReferenceSources,
): Promise<string | undefined> {
  if (kind === 'ENV') return env[what] === '' ? undefined : env[what]
  const text = await readFile(resolve(folder, what), 'utf8').catch(() => undefined)
  return text?.replace(/\r?\n$/, '')
}

/** Creates the function that decrypts values; the identity is read on first use. */
function createOpener({ identity }: ReferenceSources): (sealed: string) => Promise<string | undefined> {
  let opened: Promise<(sealed: string) => Promise<string>> | undefined
  return async (sealed) => {
    if (identity === undefined) return undefined
    opened ??= createValueDecryptor(identity)
    return (await opened)(sealed)
  }
}

/**
 * Creates the function that decrypts values with an identity file.
 * @throws Refusal if it cannot be read, or if a value is encrypted for another identity
 */
export async function createValueDecryptor(file: string): Promise<(sealed: string) => Promise<string>> {
  const { Decrypter } = await import('age-encryption')
  const lines = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new GatewayRefusal(
      fillTemplate(words('The identity file {file} cannot be read ({code}).'), { file, code: error.code ?? '' }),
      'file.unreadable',
    )
  })
  const decrypter = new Decrypter()
  for (const line of lines.split(/\r?\n/)) if (line.startsWith('AGE-SECRET-KEY-')) decrypter.addIdentity(line.trim())
  return (sealed) =>
    decrypter.decrypt(Buffer.from(sealed, 'base64'), 'text').catch(() => {
      throw new GatewayRefusal(
        fillTemplate(
          words('An encrypted value cannot be decrypted with {file}: it is for another identity, or was changed.'),
          { file },
        ),
        'state.sealed',
      )
    })
}
