// Log probabilities in Google's format: the chosen tokens, and the most likely ones at each position.
import type { TokenProbability, OutputTokenLogprobs } from '../answers/model-event.ts'
import { asList, asFiniteNumber, asText, type JsonObject } from '../json/json-value.ts'
import { getEitherSpelling } from './fields.ts'

/** Reads the log probabilities of a candidate; undefined if it has none. */
export function readLogProbabilities(candidate: unknown): OutputTokenLogprobs[] | undefined {
  const result = getEitherSpelling(candidate, 'logprobsResult')
  const chosen = asList(getEitherSpelling(result, 'chosenCandidates'))
  if (!chosen?.length) return undefined
  const top = asList(getEitherSpelling(result, 'topCandidates')) ?? []
  return chosen.map((one, place) => ({
    ...readChance(one),
    top_logprobs: (asList(getEitherSpelling(top[place], 'candidates')) ?? []).map(readChance),
  }))
}

/** Google omits zeros: a token that was certain. */
const readChance = (one: unknown): TokenProbability => ({
  token: asText(getEitherSpelling(one, 'token')) ?? '',
  logprob: asFiniteNumber(getEitherSpelling(one, 'logProbability')) ?? 0,
})

/** Writes the member of a candidate; undefined if log probabilities were not requested. */
export const buildLogprobsField = (logprobs: readonly OutputTokenLogprobs[] | undefined): JsonObject | undefined =>
  logprobs && {
    logprobsResult: {
      topCandidates: logprobs.map(({ top_logprobs }) => ({ candidates: top_logprobs.map(writeChance) })),
      chosenCandidates: logprobs.map(writeChance),
    },
  }

const writeChance = ({ token, logprob }: TokenProbability): JsonObject => ({ token, logProbability: logprob })
