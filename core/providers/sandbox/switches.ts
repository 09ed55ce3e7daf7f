// The options of the sandbox: `[[name=value]]` in the last user message, over `sandbox` in the channel's setting.
import { asList, getMember, asObject, type JsonObject } from '../../dialects/json/json-value.ts'

export interface SandboxSwitches {
  /** Wait before the first byte, in ms. */
  latency: number
  /** Wait between chunks, in ms. */
  gap: number
  /** Number of chunks the text comes in. */
  chunks?: number
  /** Length of the answer in tokens, or in words of text. */
  tokens?: number
  words?: number
  /** Answer with this error status. */
  status?: number
  /** Number of content chunks after which the stream is cut off. */
  cut?: number
  /** Never answer. */
  silent: boolean
  /** Call a tool: true for the first one declared, or its name. */
  tool?: string | true
  usage: boolean
  reasoning: boolean
}

/** Most chunks, tokens or words of one answer: enough for a load test, not enough to exhaust memory. */
const MOST = 100_000
/** Longest wait, in ms: ten minutes. */
const LONGEST = 600_000

const inText = /\[\[\s*([a-z]+)\s*(?:=\s*([^\]]*?)\s*)?\]\]/gi

/** Text of a message's content. */
export const getMessageText = (message: unknown): string => {
  const content = getMember(message, 'content')
  if (typeof content === 'string') return content
  return (asList(content) ?? []).map((part) => getMember(part, 'text') ?? '').join('')
}

/** Returns the text without its switches. */
export const removeSandboxSwitches = (text: string): string => text.replace(inText, '').trim()

/** @param setting the channel's `setting`, parsed */
export function parseSwitches(setting: JsonObject, prompt: string): SandboxSwitches {
  const given: JsonObject = { ...asObject(setting.sandbox) }
  for (const [, name, value] of prompt.matchAll(inText)) given[name!.toLowerCase()] = value ?? 'on'
  const status = count(given.status, 599)
  return {
    latency: count(given.latency, LONGEST) ?? 0,
    gap: count(given.gap, LONGEST) ?? 0,
    chunks: count(given.chunks, MOST),
    tokens: count(given.tokens, MOST),
    words: count(given.words, MOST),
    status: status !== undefined && status >= 400 ? status : undefined,
    cut: count(given.cut, MOST),
    silent: isOn(given.silent),
    tool: isOff(given.tool) ? undefined : isOn(given.tool) ? true : String(given.tool),
    usage: given.usage === undefined || !isOff(given.usage),
    reasoning: isOn(given.reasoning),
  }
}

const isOn = (value: unknown): boolean =>
  value === true || value === 'on' || value === 'true' || value === '1' || value === 1
const isOff = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === false ||
  value === 'off' ||
  value === 'false' ||
  value === '' ||
  value === '0'

/** A whole number from 0 to `most`; undefined for anything else. */
function count(value: unknown, most: number): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isInteger(number) && number >= 0 ? Math.min(number, most) : undefined
}
