// Log probabilities as Google tells them: the tokens that were chosen, and beside them the likeliest at each place.
import type { TokenChance, TokenLogprob } from '../model-event.ts'
import { asList, asNumber, asText, type JsonObject } from '../json-value.ts'
import { eitherField } from './fields.ts'

/** Of a candidate; undefined where it tells none. */
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

/** Google leaves out what is zero: a token that was certain. */
const readChance = (one: unknown): TokenChance => ({
  token: asText(eitherField(one, 'token')) ?? '',
  logprob: asNumber(eitherField(one, 'logProbability')) ?? 0,
})

/** A candidate's member; nothing where nobody asked for it. */
export const logprobsField = (logprobs: readonly TokenLogprob[] | undefined): JsonObject | undefined =>
  logprobs && {
    logprobsResult: {
      topCandidates: logprobs.map(({ top_logprobs }) => ({ candidates: top_logprobs.map(writeChance) })),
      chosenCandidates: logprobs.map(writeChance),
    },
  }

const writeChance = ({ token, logprob }: TokenChance): JsonObject => ({ token, logProbability: logprob })
