// `--field value` pairs, converted by an endpoint's schema: numbers of the schema become numbers here.
import type { Endpoint } from '../../core/contract/endpoint.ts'
import { toRules } from '../../core/contract/field.ts'
import { describeFaults, type InputFault } from '../../core/contract/validation.ts'
import { composeWords, fillTemplate, toWords, type Language, type Words } from '../../core/errors.ts'
import { UsageError } from '../failure.ts'
import { joinFlags } from './flags.ts'
import { words } from '../texts.ts'

/** A field of an endpoint on the command line. */
export interface EndpointField {
  name: string
  place: 'path' | 'query' | 'body'
  kind: 'text' | 'number' | 'flag' | 'json'
  required: boolean
  /** Type for people: `number`, `text`, `"a" | "b"`. */
  shown: string
}

type JsonSchema = { type?: string | string[]; anyOf?: JsonSchema[]; enum?: unknown[]; default?: unknown }

/** Returns the input fields of an endpoint, whether they travel in path, query or body. */
export function listEndpointFields(endpoint: Endpoint): EndpointField[] {
  return [
    ...readFields(endpoint.params, 'path'),
    ...readFields(endpoint.query, 'query'),
    ...readFields(endpoint.body, 'body'),
  ]
}

/** Builds the input from command-line words and a JSON object. @throws UsageError naming the field */
export function buildEndpointInput(
  endpoint: Endpoint,
  given: readonly string[],
  dataJson: string | undefined,
): Record<string, unknown> {
  const fields = listEndpointFields(endpoint)
  const input = { ...readObject(dataJson), ...parsePairs(fields, given) }
  const missing = fields.filter(({ name, place }) => place === 'path' && input[name] === undefined)
  const flags = missing.map(({ name }) => `--${name}`)
  if (flags.length > 0) throw new UsageError(fillTemplate(words('{flags} must be given.'), { flags: joinFlags(flags) }))
  for (const part of [endpoint.params, endpoint.query, endpoint.body]) {
    const error = part?.safeParse(input).error
    if (part && error) {
      const clauses = describeFaults(error, part, input, formatFlag).map(aboutFlag)
      throw new UsageError(clauses[0]!.text, clauses)
    }
  }
  return input
}

function parsePairs(fields: readonly EndpointField[], given: readonly string[]): Record<string, unknown> {
  const input: Record<string, unknown> = {}
  for (let at = 0; at < given.length; at += 1) {
    const word = given[at] ?? ''
    const [, flag, attached] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? []
    if (flag === undefined)
      throw new UsageError(fillTemplate(words('"{word}" stands alone: write fields as --field value.'), { word }))
    const field =
      fields.find(({ name }) => name === flag) ?? fields.find(({ name }) => name === flag.replaceAll('-', '_'))
    if (!field) throw new UsageError(unknownField(flag, fields))
    const next = given[at + 1]
    let text = attached
    if (text === undefined && next !== undefined && !next.startsWith('--')) {
      text = next
      at += 1
    }
    input[field.name] = convertValue(field, text)
  }
  return input
}

/** Converts one value. A flag without a value is true. */
function convertValue({ name, kind }: EndpointField, text: string | undefined): unknown {
  if (text === undefined) {
    if (kind === 'flag') return true
    throw new UsageError(fillTemplate(words('--{name} needs a value.'), { name }))
  }
  if (kind === 'flag') {
    if (text !== 'true' && text !== 'false')
      throw new UsageError(fillTemplate(words('--{name} must be true or false, not "{text}".'), { name, text }))
    return text === 'true'
  }
  if (kind === 'number') {
    if (text.trim() === '' || !Number.isFinite(Number(text)))
      throw new UsageError(fillTemplate(words('--{name} must be a number, not "{text}".'), { name, text }))
    return Number(text)
  }
  if (kind === 'json') {
    try {
      return JSON.parse(text)
    } catch {
      throw new UsageError(fillTemplate(words('--{name} must be JSON, and "{text}" is not.'), { name, text }))
    }
  }
  return text
}

function readFields(shape: Endpoint['body'], place: EndpointField['place']): EndpointField[] {
  if (!shape) return []
  const { properties = {}, required = [] } = toRules(shape, 'input')
  return Object.entries(properties).map(([name, property]) => {
    const schema = property as JsonSchema
    const needed = place === 'path' || (required.includes(name) && !shape.shape[name]?.safeParse(undefined).success)
    return { name, place, kind: findKind(schema), required: needed, shown: formatType(schema) }
  })
}

function typeNames(schema: JsonSchema): string[] {
  if (schema.anyOf) return schema.anyOf.flatMap(typeNames)
  return schema.type === undefined ? [] : [schema.type].flat()
}

// Values that a schema accepts in any form (such as paging numbers in a query) are sent as text: the schema converts
// them.
function findKind(schema: JsonSchema): EndpointField['kind'] {
  const names = typeNames(schema)
  if (names.includes('string') || names.length === 0) return 'text'
  if (names.includes('number') || names.includes('integer')) return 'number'
  return names.includes('boolean') ? 'flag' : 'json'
}

function formatType(schema: JsonSchema): string {
  if (schema.enum) return schema.enum.map((one) => JSON.stringify(one)).join(' | ')
  return { text: 'text', number: 'number', flag: 'true | false', json: 'JSON' }[findKind(schema)]
}

function readObject(text: string | undefined): Record<string, unknown> {
  if (text === undefined) return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new UsageError(words('--data-json is not valid JSON.'))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(words('--data-json must be a JSON object.'))
  return value as Record<string, unknown>
}

function unknownField(flag: string, fields: readonly EndpointField[]): Words {
  const names = fields.map(({ name }) => `--${name}`).join(' ')
  return fields.length === 0
    ? fillTemplate(words('Unknown field --{flag}: this endpoint has no fields.'), { flag })
    : fillTemplate(words('Unknown field --{flag}: choose among {names}'), { flag, names })
}

const formatFlag = (path: readonly PropertyKey[]): Words => {
  const flag = `--${path.map(String).join('.') || 'data-json'}`
  return toWords(flag)
}

/** Rewords a clause to name the flag that gave the value. */
function aboutFlag({ field, text: clause }: InputFault): InputFault {
  const flag = `--${field || 'data-json'}`
  const write = (language: Language) => {
    const sentence = clause[language].replace(/[.!\u3002\uff01]$/, '')
    return fillTemplate(sentence.startsWith(flag) ? SENTENCE : SENTENCE_OF_FLAG, { flag, sentence })[language]
  }
  return { field, text: composeWords(write) }
}

const SENTENCE = words('{sentence}.')
const SENTENCE_OF_FLAG = words('{flag}: {sentence}.')
