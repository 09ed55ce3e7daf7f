// Gemini, strict: generateContent and its stream, counting, embeddings and the list of models.
import type { z } from 'zod'
import type { Json } from '../support/json.ts'
import { geminiReply, geminiUsage, readContents } from './gemini/answer.ts'
import { checkContents } from './gemini/content-rules.ts'
import { inCamelCase, placeOf } from './gemini/field-names.ts'
import { checkOptions, thinks } from './gemini/rules.ts'
import { countShape, embedShape, generateShape, type GenerateBody } from './gemini/shape.ts'
import { embeddings } from './openai/embeddings.ts'
import type { Script } from './script.ts'
import { misfitOf } from './shape.ts'
import { createPrefixCache, tokensOf } from './tokens.ts'
import { NO_MODEL, Refusal, startVendor, WRONG_KEY, type Answering, type Vendor, type VendorKind } from './vendor.ts'

/** Google's copy of OpenAI's door. */
const OPENAIS_EMBEDDINGS = '/v1beta/openai/embeddings'

const STATUS: Record<number, string> = {
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  500: 'INTERNAL',
}

export const geminiVendor: VendorKind = {
  open,
  refused: ({ message, status }) => ({
    error: { code: status, message, status: STATUS[status] ?? 'INVALID_ARGUMENT' },
  }),
}

/** Starts it on 127.0.0.1; every model that is asked for is there, but NO_MODEL. */
export const startGeminiVendor = (script: Script): Promise<Vendor> => startVendor(geminiVendor, script)

function open(script: Script): Answering {
  const cache = createPrefixCache()
  const signatures = new Set<string>()
  const issued = (signature: string) => signatures.has(signature)
  const sign = () => {
    const signature = Buffer.from(`signed by the vendor, number ${signatures.size}`).toString('base64')
    signatures.add(signature)
    return signature
  }

  function checked(model: string, body: Json): GenerateBody {
    const fit = fitting(generateShape, body)
    checkOptions(model, fit)
    checkContents(model, fit, issued)
    return fit
  }

  function generate(model: string, json: Json, streamed: boolean): ReturnType<Answering> {
    const body = checked(model, json)
    const turn = script(readContents(model, body))
    const idle = !thinks(model) || body.generationConfig?.thinkingConfig?.thinkingBudget === 0
    const thought = idle ? { ...turn, thought: undefined } : turn
    const prompt = JSON.stringify([body.systemInstruction, body.tools, body.contents])
    const usage = geminiUsage(body, thought, cache.read(prompt))
    return {
      reply: geminiReply(model, body, thought, usage, /gemini-[3-9]/.test(model) ? sign : undefined, streamed),
      usage,
    }
  }

  function count(model: string, json: Json): ReturnType<Answering> {
    const { contents, generateContentRequest } = fitting(countShape, json)
    const body = checked(model, generateContentRequest ?? { contents: contents ?? [] })
    return { reply: { body: { totalTokens: geminiUsage(body, {}, 0).prompt } } }
  }

  return (request) => {
    const { path, headers, json, method } = request
    const url = new URL(path, 'http://vendor')
    if (url.pathname === OPENAIS_EMBEDDINGS && /^Bearer \S+/.test(headers.authorization ?? ''))
      return embeddings(request)
    if (!headers['x-goog-api-key'] && !url.searchParams.get('key')) {
      throw new Refusal("Method doesn't allow unregistered callers (callers without established identity).", {
        status: 403,
      })
    }
    if ([headers['x-goog-api-key'], url.searchParams.get('key')].includes(WRONG_KEY)) {
      throw new Refusal('API key not valid. Please pass a valid API key.')
    }
    const [, wished] = /^\/v1(?:beta)?\/models\/([^/:]+)$/.exec(url.pathname) ?? []
    if (method === 'GET' && wished && wished !== NO_MODEL) {
      return { reply: { body: { ...models[0], name: `models/${wished}` } } }
    }
    if (method === 'GET' && /^\/v1(beta)?\/models$/.test(url.pathname)) return { reply: { body: { models } } }
    const [, model = '', action = ''] = /^\/v1(?:beta)?\/models\/([^/:]+):(\w+)$/.exec(url.pathname) ?? []
    const body = inCamelCase(json)
    if (model === NO_MODEL) throw absent(model, action)
    if (action === 'generateContent') return generate(model, body, false)
    if (action === 'streamGenerateContent' && url.searchParams.get('alt') === 'sse') return generate(model, body, true)
    if (action === 'countTokens') return count(model, body)
    if (action === 'embedContent') return { reply: { body: { embedding: embedded(body) } } }
    if (action === 'batchEmbedContents') return { reply: { body: { embeddings: body.requests.map(embedded) } } }
    throw absent(model || (wished ?? ''), action)
  }
}

const absent = (model: string, action: string): Refusal =>
  new Refusal(`models/${model} is not found for API version v1beta, or is not supported for ${action}.`, {
    status: 404,
  })

const models = [
  {
    name: 'models/gemini-3-pro-preview',
    displayName: 'Gemini 3 Pro Preview',
    inputTokenLimit: 1_048_576,
    outputTokenLimit: 65_536,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  },
]

function embedded(body: Json): { values: number[] } {
  const { content, outputDimensionality = 8 } = fitting(embedShape, body)
  if (tokensOf((content.parts ?? []).map(({ text = '' }) => text).join('')) === 0)
    throw new Refusal('content contains an empty Part.')
  return { values: Array.from({ length: outputDimensionality }, (_, at) => (at === 0 ? 1 : 0)) }
}

/** @throws Refusal */
function fitting<Shape extends z.ZodType>(shape: Shape, body: Json): z.infer<Shape> {
  const misfit = misfitOf(shape, body)
  if (!misfit) return body
  const { path, kind, message } = misfit
  if (kind === 'unknown') {
    const place = path.length > 1 ? ` at '${placeOf(path.slice(0, -1))}'` : ''
    throw new Refusal(
      `Invalid JSON payload received. Unknown name "${String(path.at(-1))}"${place}: Cannot find field.`,
    )
  }
  throw new Refusal(`Invalid value at '${placeOf(path)}': ${message}`)
}
