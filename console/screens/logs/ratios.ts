// The ratios of a charge, in short for its row and in full for its details.
import { isFixedPrice, type CallDetail } from '../../../core/calls/detail.ts'
import { fillPhrase } from '../../data/texts.tsx'
import type { words } from './texts.ts'

type Words = Record<keyof (typeof words)['en'], string>

/** Prompts that are read from a cache, or written to one of Claude, have a separate ratio. */
const readsCache = ({ cache_tokens = 0 }: CallDetail) => cache_tokens > 0
const writesCache = ({ claude, cache_creation_tokens = 0 }: CallDetail) => claude === true && cache_creation_tokens > 0

/** `model: 1.25 * group: 1 * cache: 0.5`. */
export function formatShortPrice(detail: CallDetail, t: Words): string {
  const { model_ratio = 0, model_price = 0, group_ratio = 1, cache_ratio = 1, image, image_ratio } = detail
  if (isFixedPrice(detail)) return fillPhrase(t.shortFixed, { price: `$${model_price}`, group: group_ratio })
  return [
    fillPhrase(t.shortRatio, { model: model_ratio, group: group_ratio }),
    ...(readsCache(detail) || writesCache(detail) ? [fillPhrase(t.shortCache, { cache: cache_ratio })] : []),
    ...(image && image_ratio !== undefined ? [fillPhrase(t.shortImage, { image: image_ratio })] : []),
  ].join('')
}

/** Formats all ratios, and the paid tool calls in addition. */
export function formatRatios(detail: CallDetail, t: Words): string {
  const { model_ratio = 0, model_price = 0, completion_ratio = 1, group_ratio = 1, cache_ratio = 1 } = detail
  if (isFixedPrice(detail)) return fillPhrase(t.fixedPrice, { price: `$${model_price}`, group: group_ratio })
  const { claude, cache_creation_ratio, image, image_ratio } = detail
  const searches = detail['web_search'] === true ? Number(detail['web_search_call_count'] ?? 0) : 0
  return [
    fillPhrase(t.ratioLine, { model: model_ratio, output: completion_ratio, group: group_ratio }),
    ...(claude || readsCache(detail) ? [fillPhrase(t.cacheRatio, { cache: cache_ratio })] : []),
    ...(claude && cache_creation_ratio !== undefined
      ? [fillPhrase(t.createdRatio, { created: cache_creation_ratio })]
      : []),
    ...(image && image_ratio !== undefined ? [fillPhrase(t.imageRatio, { image: image_ratio })] : []),
    ...(searches > 0 ? [fillPhrase(t.webSearches, { n: searches })] : []),
  ].join(t.comma)
}
