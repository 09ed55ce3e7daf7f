// The types of one-api's channels, by its numbers: ours, the address that it had by default where ours has another, and
// why one cannot be used.
import { fillTemplate, words, type Words } from '../../errors.ts'

interface KnownType {
  type: number
  base_url?: string
  why?: Words
}

const same = (...types: number[]) => Object.fromEntries(types.map((type) => [type, { type }]))
const openai = (base_url: string): KnownType => ({ type: 1, base_url })
const none = (name: string): KnownType => ({
  type: 1,
  why: fillTemplate(words('{name} is not served here: it came as OpenAI-compatible, switched off'), { name }),
})

export const ONE_API_TYPES: Readonly<Record<number, KnownType>> = {
  ...same(1, 3, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 31, 33),
  2: openai('https://oa.api2d.net'),
  4: openai('https://api.closeai-proxy.xyz'),
  5: openai('https://api.openai-sb.com'),
  26: openai('https://api.baichuan-ai.com'),
  27: { type: 35 },
  28: { type: 42 },
  29: { type: 1001 },
  30: { type: 4 },
  32: openai('https://api.stepfun.com'),
  34: { type: 49 },
  35: { type: 34 },
  36: { type: 43 },
  37: { type: 39 },
  38: none('DeepL'),
  39: { type: 1002 },
  40: { type: 45 },
  41: openai('https://api.novita.ai/openai'),
  42: { type: 41 },
  43: none('Proxy'),
  44: { type: 40 },
  45: { type: 48 },
  46: none('Replicate'),
  47: { type: 46 },
  48: openai('https://spark-api-open.xf-yun.com'),
  49: openai('https://dashscope.aliyuncs.com/compatible-mode'),
  50: { type: 1 },
  51: { type: 24 },
}
