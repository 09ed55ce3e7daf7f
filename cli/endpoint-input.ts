// `--field value` pairs, converted by an endpoint's schema: numbers of the schema become numbers here.
import type { Endpoint } from '../core/contract/endpoint.ts'
import { toRules } from '../core/contract/field.ts'
import { describeFaults, type Clause } from '../core/contract/validation.ts'
import { words, type Words } from '../core/errors.ts'
import { UsageError } from './failure.ts'

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
export function fieldsOf(endpoint: Endpoint): EndpointField[] {
  return [
    ...readFields(endpoint.params, 'path'),
    ...readFields(endpoint.query, 'query'),
    ...readFields(endpoint.body, 'body'),
  ]
}

/** Builds the input from command-line words and a JSON object. @throws UsageError naming the field */
export function endpointInput(
  endpoint: Endpoint,
  given: readonly string[],
  dataJson: string | undefined,
): Record<string, unknown> {
  const fields = fieldsOf(endpoint)
  const input = { ...readObject(dataJson), ...parsePairs(fields, given) }
  const missing = fields.filter(({ name, place }) => place === 'path' && input[name] === undefined)
  const flags = missing.map(({ name }) => `--${name}`)
  if (flags.length > 0)
    throw new UsageError(words(`${flags.join(' and ')} must be given.`, `必须给出 ${flags.join(' 和 ')}。`))
  for (const part of [endpoint.params, endpoint.query, endpoint.body]) {
    const error = part?.safeParse(input).error
    if (part && error) {
      const clauses = describeFaults(error, part, input, formatFlag).map(aboutFlag)
      throw new UsageError(clauses[0]!.said, clauses)
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
      throw new UsageError(
        words(
          `"${word}" stands alone: write fields as --field value.`,
          `"${word}" 前没有字段名：请写作 --field value。`,
        ),
      )
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
    throw new UsageError(words(`--${name} needs a value.`, `--${name} 需要一个值。`))
  }
  if (kind === 'flag') {
    if (text !== 'true' && text !== 'false')
      throw new UsageError(
        words(`--${name} must be true or false, not "${text}".`, `--${name} 须为 true 或 false，而不是 "${text}"。`),
      )
    return text === 'true'
  }
  if (kind === 'number') {
    if (text.trim() === '' || !Number.isFinite(Number(text)))
      throw new UsageError(
        words(`--${name} must be a number, not "${text}".`, `--${name} 须为数字，而不是 "${text}"。`),
      )
    return Number(text)
  }
  if (kind === 'json') {
    try {
      return JSON.parse(text)
    } catch {
      throw new UsageError(
        words(`--${name} must be JSON, and "${text}" is not.`, `--${name} 须为 JSON，而 "${text}" 不是。`),
      )
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
    throw new UsageError(words('--data-json is not valid JSON.', '--data-json 不是有效的 JSON。'))
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(words('--data-json must be a JSON object.', '--data-json 须为 JSON 对象。'))
  return value as Record<string, unknown>
}

function unknownField(flag: string, fields: readonly EndpointField[]): Words {
  const names = fields.map(({ name }) => `--${name}`).join(' ')
  return fields.length === 0
    ? words(`Unknown field --${flag}: this endpoint takes none.`, `没有字段 --${flag}：此接口不带字段。`)
    : words(`Unknown field --${flag}: choose among ${names}`, `没有字段 --${flag}：可用字段 ${names}`)
}

const formatFlag = (path: readonly PropertyKey[]): Words => {
  const flag = `--${path.map(String).join('.') || 'data-json'}`
  return words(flag, flag)
}

/** Rewords a clause to name the flag that gave the value. */
function aboutFlag({ field, said: { en, zh } }: Clause): Clause {
  const flag = `--${field || 'data-json'}`
  const about = (clause: string, colon: string, stop: string) => {
    const sentence = clause.replace(/[.!。！]$/, '')
    return `${sentence.startsWith(flag) ? '' : `${flag}${colon}`}${sentence}${stop}`
  }
  return { field, said: words(about(en, ': ', '.'), about(zh, '：', '。')) }
}
