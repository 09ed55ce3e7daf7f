// Parses a state as people write it, and collects every fault of an invalid one.
import { z } from 'zod'
import { validationRefusal } from '../contract/validation.ts'
import { fail, words, type Language, type Words } from '../errors.ts'
import type { Section } from './section.ts'
import { sections } from './sections/index.ts'
import type { Entries } from './state.ts'

/** The version of the form of the file. */
export const FORM = 1

const NAMES_OF_OBJECTS = ['__proto__', 'constructor', 'prototype']

/** The entries by section and key. A missing section leaves its kind of things unchanged. */
export type Document = ReadonlyMap<string, Entries>

const MOST_FAULTS = 20

/** @throws GatewayError state.document with every fault and where it is, up to 20 */
export function readDocument(given: Readonly<Record<string, unknown>>): Document {
  const faults: Words[] = []
  const { weir, ...named } = given
  if (weir !== FORM)
    faults.push(words(`weir: ${FORM} is expected, the version of this form`, `weir：应为 ${FORM}，即此格式的版本`))
  const document = new Map<string, Entries>()
  for (const [name, entries] of Object.entries(named)) {
    const section = sections.find((one) => one.name === name)
    const all = sections.map((one) => one.name).join(', ')
    if (!section) faults.push(words(`${name}: there is no such section (${all})`, `${name}：没有此部分（${all}）`))
    else if (typeof entries !== 'object' || entries === null || Array.isArray(entries))
      faults.push(words(`${name}: names with what they stand for are expected`, `${name}：应为名称及其内容`))
    else document.set(name, readSection(section, entries as Record<string, unknown>, faults))
  }
  if (faults.length > 0) fail('state.document', { reason: joinFaults(faults) })
  return document
}

function readSection(section: Section, given: Record<string, unknown>, faults: Words[]): Entries {
  const entries = Object.entries(given).map(([key, value]) => {
    const at = `${section.name}.${key}`
    if (NAMES_OF_OBJECTS.includes(key)) faults.push(words(`${at}: this name is not free`, `${at}：此名称不可用`))
    if (section.key) parseEntry(section.key, key, at, faults)
    if (value === null) return [key, null] as const
    return [key, parseEntry(section.entry, value, at, faults) ?? null] as const
  })
  return new Map(entries)
}

/** Parses the value by its schema. Adds the faults and returns undefined if it is invalid. */
function parseEntry<T>(schema: z.ZodType<T>, value: unknown, at: string, faults: Words[]): T | undefined {
  const { data, error } = schema.safeParse(value)
  if (!error) return data
  const refusal = validationRefusal(error, schema, value)
  for (const { words: text, field } of [refusal, ...refusal.others]) {
    const place = field === undefined ? at : `${at}.${field}`
    faults.push(words(`${place}: ${text.en}`, `${place}：${text.zh}`))
  }
  return undefined
}

function joinFaults(faults: readonly Words[]): Words {
  const more = faults.length > MOST_FAULTS ? `\n… ${faults.length - MOST_FAULTS}` : ''
  const lines = (language: Language) =>
    faults
      .slice(0, MOST_FAULTS)
      .map((fault) => fault[language])
      .join('\n')
  return words(lines('en') + more, lines('zh') + more)
}

/** Returns the JSON Schema that an editor checks a file against. */
export function documentSchema(): Record<string, unknown> {
  const properties = sections.map(({ name, entry, comment }) => [
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
    properties: { weir: { const: FORM }, ...Object.fromEntries(properties) },
  }
}

const toPlainSchema = (entry: z.ZodType) => {
  const { $schema: _, ...schema } = z.toJSONSchema(entry, { io: 'input', unrepresentable: 'any' }) as JsonSchema
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
