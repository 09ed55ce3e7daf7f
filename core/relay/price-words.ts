// Trims and lowers the request words that the price depends on, so that they are priced and sent in one form. Refuses
// words that the price does not know. Other words stay unchanged.
import { changeTopMembers, toJsonBytes, scanObjectMembers, parseJsonRange } from '../dialects/json/json-bytes.ts'
import type { PriceWord } from '../dialects/requests/price-words.ts'
import { fail } from '../errors.ts'
import type { Price } from '../pricing/price.ts'
import { readWordByPrice } from '../pricing/priced-words.ts'

type RequestedPriceWords = readonly PriceWord[] | undefined

/** @throws GatewayError request.invalid for a word that the price does not know, or that is not text */
export function checkPricedWords(words: RequestedPriceWords, price: Price): void {
  for (const word of words ?? []) getPricedForm(word, price)
}

/**
 * Returns the body with its words in the priced form; the same body if nothing changes. A member that occurs twice gets
 * the same word both times.
 * @throws GatewayError request.invalid
 */
export function withPricedWords(body: Uint8Array, words: RequestedPriceWords, price: Price): Uint8Array {
  if (!words) return body
  const forms = new Map<string, string | null>()
  for (const word of words) {
    const form = getPricedForm(word, price)
    if (form !== undefined) forms.set(word.member, form)
  }
  if (forms.size === 0) return body
  const object = scanObjectMembers(body)
  const isInForm = object.members.every(
    ({ key, ...range }) => !forms.has(key) || parseJsonRange(body, range) === forms.get(key),
  )
  if (isInForm) return body
  const changes = new Map([...forms].map(([member, form]) => [member, toJsonBytes(form)]))
  return changeTopMembers(body, changes, object)
}

function getPricedForm(word: PriceWord, price: Price): string | null | undefined {
  const read = readWordByPrice(word, price)
  if ('word' in read) return read.word
  const { member } = word
  return fail('request.invalid', { param: member, reason: `${member} must be one of ${read.allowed.join(', ')}` })
}
