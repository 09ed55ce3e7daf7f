// Log probabilities in OpenAI's format, in chat and in Responses.
import type { TokenProbability, OutputTokenLogprobs } from '../answers/model-event.ts'
import { asList, getMember, asFiniteNumber, type JsonObject } from '../json/json-value.ts'

const encoder = new TextEncoder()

/** Reads log probabilities; undefined if there are none: many servers always send an empty list. */
export function readLogProbabilities(list: unknown): OutputTokenLogprobs[] | undefined {
  const entries = asList(list)
  if (!entries?.length) return undefined
  return entries.flatMap((one) => {
    const top_logprobs = (asList(getMember(one, 'top_logprobs')) ?? []).flatMap(readChance)
    return readChance(one).map((chance) => ({ ...chance, top_logprobs }))
  })
}

function readChance(one: unknown): TokenProbability[] {
  const token = getMember(one, 'token')
  const logprob = asFiniteNumber(getMember(one, 'logprob'))
  if (typeof token !== 'string' || logprob === undefined) return []
  const bytes = asList(getMember(one, 'bytes'))?.filter((byte): byte is number => typeof byte === 'number')
  return [{ token, logprob, ...(bytes ? { bytes } : {}) }]
}

export const writeLogProbabilities = (logprobs: readonly OutputTokenLogprobs[]): JsonObject[] =>
  logprobs.map(({ top_logprobs, ...chance }) => ({
    ...writeChance(chance),
    top_logprobs: top_logprobs.map(writeChance),
  }))

const writeChance = ({ token, logprob, bytes }: TokenProbability): JsonObject => ({
  token,
  logprob,
  bytes: bytes ?? [...encoder.encode(token)],
})

/** Writes a choice's member in chat; undefined if log probabilities were not requested. */
export const buildLogprobsField = (logprobs: readonly OutputTokenLogprobs[] | undefined): JsonObject | undefined =>
  logprobs && { logprobs: { content: writeLogProbabilities(logprobs), refusal: null } }
