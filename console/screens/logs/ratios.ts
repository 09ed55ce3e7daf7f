// The ratios of a charge, in short for its row and in full for its details.
import { isFixedPrice, type CallDetail } from '../../../core/calls/detail.ts'
import { type Translate } from '../../data/texts.tsx'

/** Prompts that are read from a cache, or written to one of Claude, have a separate ratio. */
const readsCache = ({ cache_tokens = 0 }: CallDetail) => cache_tokens > 0
const writesCache = ({ claude, cache_creation_tokens = 0 }: CallDetail) => claude === true && cache_creation_tokens > 0

/** `model: 1.25 * group: 1 * cache: 0.5`. */
export function formatShortPrice(detail: CallDetail, t: Translate): string {
  const { model_ratio = 0, model_price = 0, group_ratio = 1, cache_ratio = 1, image, image_ratio } = detail
  if (isFixedPrice(detail))
    return t('price: {price} * group: {group}', { price: `$${model_price}`, group: group_ratio })
  return [
    t('model: {model} * group: {group}', { model: model_ratio, group: group_ratio }),
    ...(readsCache(detail) || writesCache(detail) ? [t(' * cache: {cache}', { cache: cache_ratio })] : []),
    ...(image && image_ratio !== undefined ? [t(' * image: {image}', { image: image_ratio })] : []),
  ].join('')
}

/** Formats all ratios, and the paid tool calls in addition. */
export function formatRatios(detail: CallDetail, t: Translate): string {
  const { model_ratio = 0, model_price = 0, completion_ratio = 1, group_ratio = 1, cache_ratio = 1 } = detail
  if (isFixedPrice(detail))
    return t('Model price {price}, group ratio {group}', { price: `$${model_price}`, group: group_ratio })
  const { claude, cache_creation_ratio, image, image_ratio } = detail
  const searches = detail['web_search'] === true ? Number(detail['web_search_call_count'] ?? 0) : 0
  return [
    t('Model ratio {model}, output ratio {output}, group ratio {group}', {
      model: model_ratio,
      output: completion_ratio,
      group: group_ratio,
    }),
    ...(claude || readsCache(detail) ? [t('cache ratio {cache}', { cache: cache_ratio })] : []),
    ...(claude && cache_creation_ratio !== undefined
      ? [t('cache creation ratio {created}', { created: cache_creation_ratio })]
      : []),
    ...(image && image_ratio !== undefined ? [t('image input ratio {image}', { image: image_ratio })] : []),
    ...(searches > 0 ? [t('Web search calls {n}', { n: searches })] : []),
  ].join(t(', '))
}
