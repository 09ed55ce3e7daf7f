// `--field value` pairs, converted as an endpoint declares its fields: its numbers become numbers here.
import { fillTemplate, type Words } from '../../core/errors.ts'
import { UsageError } from '../failure.ts'
import type { EndpointField } from './callable-endpoint.ts'
import { joinFlags } from './flags.ts'
import { words } from '../texts.ts'

/**
 * Builds the input from command-line words and a JSON object. The gateway checks it by the schema of the endpoint.
 * @throws UsageError naming the field
 */
export function buildEndpointInput(
  fields: readonly EndpointField[],
  given: readonly string[],
  dataJson: string | undefined,
): Record<string, unknown> {
  const input = { ...readObject(dataJson), ...parsePairs(fields, given) }
  const missing = fields.filter(({ name, place }) => place === 'path' && input[name] === undefined)
  const flags = missing.map(({ name }) => `--${name}`)
  if (flags.length > 0) throw new UsageError(fillTemplate(words('{flags} must be given.'), { flags: joinFlags(flags) }))
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
