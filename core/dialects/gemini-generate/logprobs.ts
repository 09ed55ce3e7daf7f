// Log probabilities in Google's format: the chosen tokens, and the most likely ones at each position.
import type { TokenChance, TokenLogprob } from '../model-event.ts'
import { asList, asNumber, asText, type JsonObject } from '../json-value.ts'
import { eitherField } from './fields.ts'

/** Reads the log probabilities of a candidate; undefined if it has none. */
export function readLogprobs(candidate: unknown): TokenLogprob[] | undefined {
  const result = eitherField(candidate, 'logprobsResult')
  const chosen = asList(eitherField(result, 'chosenCandidates'))
  if (!chosen?.length) return undefined
  const top = asList(eitherField(result, 'topCandidates')) ?? []
  return chosen.map((one, place) => ({
    ...readChance(one),
    top_logprobs: (asList(eitherField(top[place], 'candidates')) ?? []).map(readChance),
  }))
}

/** Google omits zeros: a token that was certain. */
const readChance = (one: unknown): TokenChance => ({
  token: asText(eitherField(one, 'token')) ?? '',
  logprob: asNumber(eitherField(one, 'logProbability')) ?? 0,
})

/** Writes the member of a candidate; undefined if log probabilities were not requested. */
export const logprobsField = (logprobs: readonly TokenLogprob[] | undefined): JsonObject | undefined =>
  logprobs && {
    logprobsResult: {
      topCandidates: logprobs.map(({ top_logprobs }) => ({ candidates: top_logprobs.map(writeChance) })),
      chosenCandidates: logprobs.map(writeChance),
    },
  }

const writeChance = ({ token, logprob }: TokenChance): JsonObject => ({ token, logProbability: logprob })
