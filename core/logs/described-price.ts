// Describes a call's price for its log row: as detail, and as text for people.
import type { ChargeTerms } from '../calls/call-record.ts'
import { memoizeOn } from '../derived.ts'
import type { Usage } from '../dialects/usage.ts'
import type { Language } from '../errors.ts'
import { priceVersion } from '../pricing/price-version.ts'
import { imageDollars, writeRatios } from '../pricing/usage-detail.ts'
import { logText } from './event-texts.ts'

/** The description of a price: its detail as JSON, and its text. */
interface Described {
  json: string
  words: Record<Language, string>
}

/** The last description of a price and its group. Most calls of a model belong to one group. */
interface Last {
  written?: Described & Pick<ChargeTerms, 'group_ratio' | 'special_ratio' | 'quota_per_unit'>
}

const nothingYet = (): Last => ({})

/** Describes a price; for pictures, that of their size and quality. */
export function describedPrice(priced: ChargeTerms, images?: Usage['images']): Described {
  const { price, group_ratio, special_ratio, quota_per_unit } = priced
  if (images && price.kind === 'per_call') return write(priced, describe(priced, imageDollars(price, images)), images)
  const last = memoizeOn(price, nothingYet)
  const known = last.written
  if (
    known?.group_ratio === group_ratio &&
    known.special_ratio === special_ratio &&
    known.quota_per_unit === quota_per_unit
  ) {
    return known
  }
  const written = write(priced, describe(priced, price.kind === 'per_call' ? price.model_price : -1))
  last.written = { group_ratio, special_ratio, quota_per_unit, ...written }
  return written
}

const write = (
  { group_ratio: group }: ChargeTerms,
  detail: ReturnType<typeof describe>,
  images?: Usage['images'],
): Described => {
  const { model_price: price, model_ratio: model, completion_ratio: completion } = detail
  const words = (language: Language) => {
    if (price === -1) return logText('ratios', { model, completion, group }, language)
    if (!images) return logText('fixed', { price, group }, language)
    const { n, size, quality } = images
    const details = [size && logText('size', { size }, language), quality && logText('quality', { quality }, language)]
    return logText('images', { price, n, details: details.filter(Boolean).join(''), group }, language)
  }
  return { json: JSON.stringify(detail), words: { en: words('en'), zh: words('zh') } }
}

function describe({ price, group_ratio, special_ratio, quota_per_unit }: ChargeTerms, model_price: number) {
  const frozen = {
    group_ratio,
    ...(special_ratio ? { user_group_ratio: group_ratio } : {}),
    quota_per_unit,
    price_version: priceVersion(price),
  }
  return price.kind === 'per_call'
    ? { model_price, model_ratio: 0, completion_ratio: 0, cache_ratio: 0, ...frozen }
    : {
        model_price,
        model_ratio: price.model_ratio,
        completion_ratio: price.completion_ratio,
        cache_ratio: price.cache_ratio,
        cache_creation_ratio: writeRatios(price)['5m'],
        ...frozen,
      }
}
