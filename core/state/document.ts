// Parses a state as people write it, and collects every fault of an invalid one.
import type { z } from 'zod'
import { toRules } from '../contract/field.ts'
import { describeValidationRefusal } from '../contract/validation.ts'
import { composeWords, fail, fillTemplate, joinTexts, toWords, words, type Words } from '../errors.ts'
import type { EntryTextPath, StateSection } from './section.ts'
import { stateSections } from './sections/index.ts'
import type { SectionContent, StateEntries, StateEntry, StateValue } from './state.ts'
import { isSame, sortTextList, toEntryFields } from './state.ts'

// References of a file that could not be resolved where the file was read: what Weir has in their place is kept.

type EntryFields = Readonly<Record<string, StateValue>>

/**
 * Returns the entries of a file with the present values where references could not be resolved, so that they are
 * neither changed nor removed. A field of an entry that keeps its other fields is left out instead: a secret counts as
 * given again only if the file has it.
 * @param paths key and fields of each reference
 */
function keepUnresolved(
  { whole }: Pick<StateSection, 'whole'>,
  given: EntryFields,
  present: StateEntries | undefined,
  paths: readonly EntryTextPath[],
): EntryFields {
  let named = given
  for (const [key = '', ...fields] of paths) {
    const before = present?.get(key)
    if (before === undefined || (fields.length === 1 && !whole)) continue
    named = { ...named, [key]: withPresent(named[key], before, fields) }
  }
  return named
}

/** Returns the value with what is at the path before; unchanged if nothing is there. */
function withPresent(value: StateValue | undefined, before: StateValue, [name, ...rest]: EntryTextPath): StateValue {
  if (name === undefined) return before
  const inside = toEntryFields(before)[name]
  if (inside === undefined) return value ?? null
  const fields = toEntryFields(value)
  return { ...fields, [name]: withPresent(fields[name], inside, rest) }
}

/** The version of the form of the file. */
export const STATE_FILE_VERSION = 1

const NAMES_OF_OBJECTS = ['__proto__', 'constructor', 'prototype']

/** The entries by section and key. A missing section leaves its kind of things unchanged. */
export type StateDocument = ReadonlyMap<string, StateEntries>

const MOST_FAULTS = 20

/** The current content by section. */
export type CurrentState = ReadonlyMap<string, SectionContent>

/**
 * Parses a file. Values that Weir has already are not validated, since an import or an earlier release may have stored
 * what a form refuses today.
 * @param unresolved paths of section, key and fields whose references could not be resolved
 * @throws GatewayError state.document with every fault and where it is, up to 20
 */
export function readStateDocument(
  given: Readonly<Record<string, unknown>>,
  present: CurrentState,
  unresolved: readonly EntryTextPath[],
): StateDocument {
  const faults: Words[] = []
  const { weir, ...named } = given
  if (weir !== STATE_FILE_VERSION)
    faults.push(fillTemplate(words('weir: {form} is expected, the version of this form'), { form: STATE_FILE_VERSION }))
  const document = new Map<string, StateEntries>()
  for (const [name, entries] of Object.entries(named)) {
    const section = stateSections.find((one) => one.name === name)
    const all = stateSections.map((one) => one.name).join(', ')
    if (!section) faults.push(fillTemplate(words('{name}: there is no such section ({all})'), { name, all }))
    else if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      faults.push(fillTemplate(words('{name}: an object of names and values is expected'), { name }))
    else {
      const paths = unresolved.filter(([first]) => first === name).map(([, ...path]) => path)
      const named = keepUnresolved(section, entries as Record<string, StateValue>, present.get(name)?.entries, paths)
      document.set(name, readSection(section, named, present.get(name)?.entries, faults))
    }
  }
  if (faults.length > 0) fail('state.document', { reason: joinFaults(faults) })
  return document
}

function readSection(
  section: StateSection,
  given: Readonly<Record<string, StateValue>>,
  present: StateEntries | undefined,
  faults: Words[],
): StateEntries {
  const entries = Object.entries(given).map(([key, value]) => {
    const at = `${section.name}.${key}`
    if (NAMES_OF_OBJECTS.includes(key)) faults.push(fillTemplate(words('{at}: this name is not free'), { at }))
    const before = present?.get(key)
    if (section.key && before === undefined) parseEntry(section.key, key, { at, faults })
    if (value === null) return [key, null] as const
    const same = before === undefined ? [] : listUnchangedFields(section, before, value)
    if (before !== undefined && same.length === Object.keys(toEntryFields(value)).length) return [key, value] as const
    return [key, parseEntry(section.entry, value, { at, faults, same }) ?? null] as const
  })
  return new Map(entries)
}

/** Returns the names of the fields of `to` that have the same value before. */
export function listUnchangedFields(
  { sets = [] }: Pick<StateSection, 'sets'>,
  before: StateEntry,
  to: StateEntry,
): string[] {
  const known = toEntryFields(before)
  const normalize = (name: string, value: StateValue) => (sets.includes(name) ? sortTextList(value) : value)
  return Object.entries(toEntryFields(to)).flatMap(([name, value]) =>
    Object.hasOwn(known, name) && isSame(normalize(name, known[name]!), normalize(name, value)) ? [name] : [],
  )
}

interface DocumentPlace {
  at: string
  faults: Words[]
  /** Fields whose faults do not matter, as their values are stored already. */
  same?: readonly string[]
}

/** Parses the value by its schema. Adds the faults and returns undefined if it is invalid. */
function parseEntry<T>(schema: z.ZodType<T>, value: T, { at, faults, same = [] }: DocumentPlace): T | undefined {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const refusal = describeValidationRefusal(error, schema, value)
  const relevant = [refusal, ...refusal.others].filter(({ field }) => !same.includes(field?.split('.')[0] ?? ''))
  for (const { words: text, field } of relevant) {
    const place = field === undefined ? at : `${at}.${field}`
    faults.push(fillTemplate(words('{place}: {text}'), { place, text }))
  }
  return relevant.length === 0 ? value : undefined
}

function joinFaults(faults: readonly Words[]): Words {
  const more = faults.length > MOST_FAULTS ? `\n… ${faults.length - MOST_FAULTS}` : ''
  const lines = joinTexts(faults.slice(0, MOST_FAULTS), toWords('\n'))
  return composeWords((language) => lines[language] + more)
}

/** Returns the JSON Schema that an editor checks a file against. */
export function buildDocumentSchema(): Record<string, unknown> {
  const properties = stateSections.map(({ name, entry, comment }) => [
    name,
    {
      description: comment.en,
      type: 'object',
      additionalProperties: { anyOf: [withReferences(toPlainSchema(entry)), { type: 'null' }] },
    },
  ])
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'weir.yaml',
    type: 'object',
    additionalProperties: false,
    required: ['weir'],
    properties: { weir: { const: STATE_FILE_VERSION }, ...Object.fromEntries(properties) },
  }
}

const toPlainSchema = (entry: z.ZodType) => {
  const { $schema: _, ...schema } = toRules(entry, 'input') as JsonSchema
  return schema
}

type JsonSchema = Record<string, unknown>

/** Returns the schema with references allowed for every text. */
function withReferences(schema: JsonSchema): JsonSchema {
  const inside = Object.entries(schema).map(([word, value]) => {
    if (Array.isArray(value)) return [word, value.map((one) => (isObject(one) ? withReferences(one) : one))]
    return [word, isObject(value) && word !== 'default' ? withReferences(value) : value]
  })
  const { pattern, format, enum: choices, ...free } = Object.fromEntries(inside) as JsonSchema
  const isText = schema.type === 'string' && (pattern ?? format ?? choices) !== undefined
  if (!isText) return Object.fromEntries(inside)
  return { anyOf: [Object.fromEntries(inside), { ...free, pattern: REFERENCE }] }
}

/** The pattern of `references.ts`. */
const REFERENCE = '^\\$\\{(ENV|file|age):.+\\}$'

const isObject = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
