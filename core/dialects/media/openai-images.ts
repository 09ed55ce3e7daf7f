// OpenAI's images: generated from a prompt, or from a prompt and other images (as JSON, or as a form with files).
import { fail } from '../../errors.ts'
import { dashscopeForImages } from './dashscope-images.ts'
import { googleForImages } from './google-images.ts'
import type { Usage } from '../answers/usage.ts'
import { type RequestHead, estimateTextTokens } from '../requests/head.ts'
import type { PassthroughDialect } from '../dialect.ts'
import { asList, getMember, parseJsonBytes, asText, type JsonObject } from '../json/json-value.ts'
import { parseUsage } from '../openai-chat/usage.ts'
import { IMAGE_PRICE_WORDS, readPriceWords, toPriceForm } from '../requests/price-words.ts'
import { isStreamRequested, buildKnownUsage, createPassthroughDialect, buildPlainHead } from '../passing.ts'
import { checkKind, textField } from '../requests/shape.ts'

/** Maximum number of images in one call. No provider generates more. */
const MOST_IMAGES = 128

/** All values of a form are texts. */
const toNumber = (n: unknown): unknown => (typeof n === 'string' ? Number(n) : n)
const headFields = {
  prompt: textField,
  n: checkKind(`a whole number from 1 to ${MOST_IMAGES}`, (value) => {
    const n = toNumber(value)
    return typeof n === 'number' && Number.isInteger(n) && n >= 1 && n <= MOST_IMAGES
  }),
  size: textField,
  quality: textField,
} as const

const pictures = (name: string, path: string, requiredInput: 'prompt' | 'image'): PassthroughDialect =>
  createPassthroughDialect({
    name,
    operation: 'images',
    paths: [path],
    forms: true,
    headFields,
    head(request, place) {
      const { model, prompt, n, size, quality } = request
      if (requiredInput === 'prompt' && asText(prompt) === undefined)
        fail('request.invalid', { param: 'prompt', reason: 'prompt is required' })
      return {
        ...buildPlainHead(model, estimateTextTokens(asText(prompt) ?? '')),
        stream: isStreamRequested(request, place?.form !== undefined),
        images: { n: Number(n ?? 1), ...described(size, quality) },
        words: readPriceWords(request, IMAGE_PRICE_WORDS),
      }
    },
    texts: (body) => {
      const prompt = asText(getMember(parseJsonBytes(body), 'prompt'))
      return prompt === undefined ? [] : [prompt]
    },
    usageKeys: ['usage', 'data', 'size', 'quality'],
    usageOf: parseImageUsage,
  })

export const openaiImages: PassthroughDialect = {
  ...pictures('openai-images', '/v1/images/generations', 'prompt'),
  as: [dashscopeForImages, ...googleForImages],
}
export const openaiImageEdits = pictures('openai-image-edits', '/v1/images/edits', 'prompt')
export const openaiImageVariations = pictures('openai-image-variations', '/v1/images/variations', 'image')

type Images = NonNullable<Usage['images']>

const described = (size: unknown, quality: unknown): Partial<Images> => ({
  ...worded('size', size),
  ...worded('quality', quality),
})

function worded(name: 'size' | 'quality', value: unknown): Partial<Images> {
  const word = typeof value === 'string' ? toPriceForm(value) : ''
  return word === '' || word === 'auto' ? {} : { [name]: word }
}

/** Returns the reported tokens and the number of images. The answer reports the values chosen for `auto`. */
function parseImageUsage({ usage, data, size, quality }: JsonObject, { images = { n: 1 } }: RequestHead): Usage {
  const n = Math.min(asList(data)?.length ?? images.n, images.n)
  return { ...(parseUsage(usage) ?? buildKnownUsage({})), images: { ...described(size, quality), ...images, n } }
}
