// Detects the format of a list by its content, and reads its prices.
import { fail } from '../errors.ts'
import { MOST_MODELS, type Catalogue } from './catalogue.ts'
import { isPricingList, isRatioTables, readPricingList, readRatioTables } from './gateway-lists.ts'
import { isLiteLlm, readLiteLlm } from './litellm.ts'
import { isModelsDev, readModelsDev } from './models-dev.ts'

/** Longest text of a list, in characters. */
export const LONGEST_LIST = 16 * 1024 * 1024

/**
 * @param provider whose offers, of a list that has several providers'; empty for all
 * @throws GatewayError prices.not_json, prices.unknown_list, prices.too_many, prices.empty_list
 */
export function readCatalogue(text: string, provider = ''): Catalogue {
  if (text.length > LONGEST_LIST) fail('prices.too_many', { most: MOST_MODELS })
  const catalogue = read(parse(text), provider)
  const { entries, skipped } = catalogue
  if (entries.length + skipped.length > MOST_MODELS) fail('prices.too_many', { most: MOST_MODELS })
  if (entries.length === 0) fail('prices.empty_list')
  return catalogue
}

function read(list: unknown, provider: string): Catalogue {
  if (isPricingList(list)) return readPricingList(list)
  if (isRatioTables(list)) return readRatioTables(list)
  if (isModelsDev(list)) return readModelsDev(list, provider)
  if (isLiteLlm(list)) return readLiteLlm(list)
  return fail('prices.unknown_list')
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (cause) {
    return fail('prices.not_json', {}, { cause })
  }
}
