// Anthropic, strict: messages, counting and the list of models.
import type { z } from 'zod'
import type { Json } from '../support/json.ts'
import type { ReceivedRequest } from '../support/upstream.ts'
import { messageOf, messageStream, messageUsage, readMessages } from './anthropic/answer.ts'
import { createCache } from './anthropic/cache.ts'
import { checkMessages, unexpectedRole } from './anthropic/message-rules.ts'
import { checkOptions } from './anthropic/rules.ts'
import { betas, countShape, messagesShape } from './anthropic/shape.ts'
import { misfitOf, placesOf, type Misfit } from './shape.ts'
import type { Script } from './script.ts'
import { NO_MODEL, Refusal, startVendor, WRONG_KEY, type Answering, type Vendor, type VendorKind } from './vendor.ts'

const ERRORS: Record<number, string> = { 401: 'authentication_error', 404: 'not_found_error', 500: 'api_error' }

export const anthropicVendor: VendorKind = {
  open,
  refused: ({ message, status }) => ({
    type: 'error',
    error: { type: ERRORS[status] ?? 'invalid_request_error', message },
    request_id: 'req_011CScriptedVendor00000',
  }),
}

/** Starts it on 127.0.0.1; every model that is asked for is there, but NO_MODEL. */
export const startAnthropicVendor = (script: Script): Promise<Vendor> => startVendor(anthropicVendor, script)

function open(script: Script): Answering {
  const cache = createCache()
  const signatures = new Set<string>()
  const issued = (signature: string) => signatures.has(signature)
  const sign = () => {
    const signature = `Er8B${Buffer.from(`signed by the vendor, number ${signatures.size}`).toString('base64')}`
    signatures.add(signature)
    return signature
  }

  function messages(request: ReceivedRequest): ReturnType<Answering> {
    const body = fitting(messagesShape, request)
    checkOptions(body)
    checkMessages(body, issued)
    const turn = script(readMessages(body))
    const thinks = body.thinking?.type === 'enabled' || body.thinking?.type === 'adaptive'
    const cached = cache.count(body)
    const usage = messageUsage(thinks ? turn : { ...turn, thought: '' }, cached)
    const message = messageOf(body, turn, usage, cached, sign)
    return { reply: body.stream ? messageStream(message) : { body: message }, usage }
  }

  function counted(request: ReceivedRequest): ReturnType<Answering> {
    const body = fitting(countShape, request)
    checkMessages({ ...body, max_tokens: 1 }, issued)
    return { reply: { body: { input_tokens: createCache().count(body).prompt } } }
  }

  return (request) => {
    const { headers, method } = request
    const path = new URL(request.path, 'http://vendor').pathname
    if (!headers['x-api-key'] && !/^Bearer \S+/.test(headers.authorization ?? '')) {
      throw new Refusal('x-api-key header is required', { status: 401 })
    }
    if ([headers['x-api-key'], headers.authorization].some((key) => key?.endsWith(WRONG_KEY))) {
      throw new Refusal('invalid x-api-key', { status: 401 })
    }
    if (request.json?.model === NO_MODEL) throw new Refusal(`model: ${NO_MODEL}`, { status: 404 })
    if (!headers['anthropic-version']) throw new Refusal('anthropic-version: header is required')
    if (method === 'POST' && path === '/v1/messages') return messages(request)
    if (method === 'POST' && path === '/v1/messages/count_tokens') return counted(request)
    if (method === 'GET' && path === '/v1/models') return { reply: { body: models } }
    throw new Refusal('Not Found', { status: 404 })
  }
}

const models = {
  data: [
    { type: 'model', id: 'claude-sonnet-4-6', display_name: 'Claude Sonnet 4.6', created_at: '2026-02-17T00:00:00Z' },
  ],
  has_more: false,
  first_id: 'claude-sonnet-4-6',
  last_id: 'claude-sonnet-4-6',
}

/** The body, where it fits and every beta in it is asked for. @throws Refusal */
function fitting<Shape extends z.ZodType>(shape: Shape, { json, headers }: ReceivedRequest): z.infer<Shape> {
  const misfit = misfitOf(shape, json)
  if (misfit) throw refusalOf(misfit, json)
  const asked = headers['anthropic-beta'] ?? ''
  const closed = Object.entries(betas).flatMap(([path, beta]) =>
    beta.test(asked) ? [] : placesOf(json, path.split('.')),
  )
  if (closed[0]) throw new Refusal(`${closed[0]}: Extra inputs are not permitted`)
  if (json.thinking?.display === 'updates' && !asked.includes('thinking-display-updates-'))
    throw new Refusal("thinking.adaptive.display: Input should be 'summarized' or 'omitted'")
  return json
}

function refusalOf({ path, kind, message }: Misfit, body: Json): Refusal {
  const where = path.join('.')
  if (kind === 'unknown') return new Refusal(`${where}: Extra inputs are not permitted`)
  if (kind === 'missing') return new Refusal(`${where}: Field required`)
  if (path.at(-1) === 'role' && path.length === 3) {
    return unexpectedRole(body.messages[path[1] as number].role)
  }
  return new Refusal(`${where}: ${message}`)
}
