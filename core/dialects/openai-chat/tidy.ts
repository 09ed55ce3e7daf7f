// Corrects the parts of chat answers that strict clients refuse and some servers send; the rest stays as the provider wrote it
// (docs/providers.md, 2.4).
import { asList, getMember, asFiniteNumber, asObject, parseJson, asText, type JsonObject } from '../json/json-value.ts'
import { CHAT_SERVICE_TIERS, DEFAULT_TIERS, buildServiceTierField } from '../requests/service-tier.ts'
import { parseFinishReason } from './events.ts'
import { toJsonBytes } from '../json/json-bytes.ts'

const decoder = new TextDecoder()

/** Corrects a whole answer; bytes without an answer of this format stay as they are. */
export function tidyWholeReply(body: Uint8Array): Uint8Array {
  const answer = asObject(parseJson(decoder.decode(body)))
  if (!answer || !Array.isArray(answer.choices)) return body
  const choices = answer.choices.map((choice, place) => tidyChoice(asObject(choice) ?? {}, place, 'message'))
  return toJsonBytes({ ...tidyHead(answer), object: 'chat.completion', choices })
}

/** Returns a function that corrects the data of the events of one stream, in order. */
export function createTidier(): (data: string) => string {
  const finished = new Set<unknown>()
  let known: JsonObject = {}
  return (data) => {
    const chunk = asObject(parseJson(data))
    if (!chunk || chunk.error !== undefined) return data
    const { id, created, model } = chunk
    known = { ...known, ...given({ id, created, model }) }
    const choices = (asList(chunk.choices) ?? []).map((one, place) => {
      const choice = tidyChoice(asObject(one) ?? {}, place, 'delta')
      // The first reason counts: clients take a second one for another end.
      if (finished.has(choice.index)) return { ...choice, finish_reason: null }
      if (choice.finish_reason !== null) finished.add(choice.index)
      return choice
    })
    return JSON.stringify({ ...tidyHead(chunk), ...known, object: 'chat.completion.chunk', choices })
  }
}

const given = (members: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  )

/** Removes null members of these names, whose types do not allow null. */
const withoutNulls = (members: JsonObject, ...names: string[]): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name, value]) => value !== null || !names.includes(name)))

/** Corrects the members next to the choices: a tier in OpenAI's terms, and usage with its sums. */
function tidyHead({ service_tier, ...answer }: JsonObject): JsonObject {
  const tier = DEFAULT_TIERS.has(String(service_tier)) ? { service_tier: 'default' } : {}
  const named = asText(service_tier)
  return {
    ...answer,
    ...(named === undefined
      ? tier
      : { ...tier, ...buildServiceTierField(CHAT_SERVICE_TIERS, { service_tier: named }) }),
    ...tidyUsage(answer),
  }
}

const REASONS: ReadonlySet<unknown> = new Set(['stop', 'length', 'tool_calls', 'content_filter', 'function_call'])

function tidyChoice(choice: JsonObject, place: number, member: 'message' | 'delta'): JsonObject {
  const isWhole = member === 'message'
  const { finish_reason, logprobs } = choice
  const reason = REASONS.has(finish_reason)
    ? finish_reason
    : parseFinishReason({ finish_reason: finish_reason || undefined })
  return {
    ...choice,
    index: asFiniteNumber(choice.index) ?? place,
    [member]: tidyMessage(asObject(choice[member]) ?? {}, isWhole),
    ...(asObject(logprobs) ? { logprobs: { content: null, refusal: null, ...asObject(logprobs) } } : {}),
    finish_reason: reason ?? (isWhole ? 'stop' : null),
  }
}

function tidyMessage({ tool_calls, annotations, ...fields }: JsonObject, isWhole: boolean): JsonObject {
  const calls = (asList(tool_calls) ?? []).flatMap((call, place) => {
    const own = asObject(call)
    return own ? [tidyCall(own, place, isWhole)] : []
  })
  const sources = asList(annotations)?.filter((note) => asObject(getMember(note, 'url_citation')) !== undefined)
  return {
    ...withoutNulls(fields, 'role'),
    ...(isWhole
      ? { role: fields.role ?? 'assistant', content: fields.content ?? null, refusal: fields.refusal ?? null }
      : {}),
    ...(asObject(fields.content) ? { content: JSON.stringify(fields.content) } : {}),
    ...(sources ? { annotations: sources } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  }
}

function tidyCall(call: JsonObject, place: number, isWhole: boolean): JsonObject {
  const called = asObject(call.function)
  const given = called?.arguments
  const text = typeof given === 'string' || given === undefined ? given : given === null ? '' : JSON.stringify(given)
  return {
    ...withoutNulls(call, 'id', 'type'),
    ...(isWhole ? { type: call.type ?? 'function' } : { index: asFiniteNumber(call.index) ?? place }),
    ...(called
      ? { function: { ...withoutNulls(called, 'name'), ...(text === undefined ? {} : { arguments: text }) } }
      : {}),
  }
}

/** Returns the usage with its three sums, even if a server omits or renames some. */
function tidyUsage({ usage }: JsonObject): JsonObject {
  const own = asObject(usage)
  if (!own) return {}
  const count = (...names: string[]): number =>
    names.map((name) => asFiniteNumber(getMember(own, name))).find((value) => value !== undefined) ?? 0
  const completion_tokens = count('completion_tokens', 'output_tokens')
  const total = asFiniteNumber(own.total_tokens)
  const prompt_tokens =
    asFiniteNumber(own.prompt_tokens) ??
    asFiniteNumber(own.input_tokens) ??
    Math.max(0, (total ?? 0) - completion_tokens)
  const details = Object.fromEntries(
    DETAILS.flatMap((name) => {
      const some = asObject(own[name])
      return some ? [[name, Object.fromEntries(Object.entries(some).filter(([, value]) => value !== null))]] : []
    }),
  )
  const sums = { prompt_tokens, completion_tokens, total_tokens: total ?? prompt_tokens + completion_tokens }
  return { usage: { ...withoutNulls(own, ...DETAILS), ...sums, ...details } }
}

const DETAILS = ['prompt_tokens_details', 'completion_tokens_details']
