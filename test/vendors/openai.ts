// OpenAI, strict: chat, responses, embeddings and the list of models.
import type { Json } from '../support/json.ts'
import type { ReceivedRequest } from '../support/upstream.ts'
import type { Script, Turn } from './script.ts'
import { createPrefixCache } from './tokens.ts'
import { NO_MODEL, Refusal, startVendor, WRONG_KEY, type Answering, type Vendor, type VendorKind } from './vendor.ts'
import { chatReply, chatUsage, readChat } from './openai/chat-answer.ts'
import { checkChat } from './openai/chat-rules.ts'
import { chatShape } from './openai/chat-shape.ts'
import { embeddings } from './openai/embeddings.ts'
import { readable, readInput, responseOf, responseStream, responseUsage } from './openai/responses-answer.ts'
import { createResponsesMemory } from './openai/responses-memory.ts'
import { checkResponse } from './openai/responses-rules.ts'
import { responsesShape } from './openai/responses-shape.ts'
import { reasons, familyOf } from './openai/families.ts'
import { fitting } from './openai/shape-refusal.ts'

export const openaiVendor: VendorKind = {
  open,
  refused: ({ message, status, param, code }) => ({
    error: { message, type: status >= 500 ? 'server_error' : 'invalid_request_error', param, code },
  }),
}

/** Starts it on 127.0.0.1; every model that is asked for is there, but NO_MODEL. */
export const startOpenaiVendor = (script: Script): Promise<Vendor> => startVendor(openaiVendor, script)

function open(script: Script): Answering {
  const cache = createPrefixCache()
  const memory = createResponsesMemory()

  /** Thoughts are those of models that think. */
  const turnOf = (model: string, turn: Turn): Turn =>
    reasons(familyOf(model)) ? turn : { ...turn, thought: undefined }

  function chat({ json }: ReceivedRequest): ReturnType<Answering> {
    const body = fitting(chatShape, json, 'chat')
    checkChat(body)
    const turn = turnOf(body.model, script(readChat(body)))
    const usage = chatUsage(body, turn, cache.read(JSON.stringify([body.tools, body.messages])))
    return { reply: chatReply(body, turn, usage), usage }
  }

  function responses({ json }: ReceivedRequest): ReturnType<Answering> {
    const body = fitting(responsesShape, json, 'responses')
    const before = body.previous_response_id ? memory.find(body.previous_response_id, 'previous_response_id').input : []
    const input = [...before, ...listed(body.input)].map((item) =>
      item.type === 'item_reference' ? referred(item.id) : item,
    )
    checkResponse(body, input, memory)
    const turn = turnOf(body.model, script(readInput(body, input)))
    const cached = cache.read(readable([body.tools, body.instructions, input]))
    const usage = responseUsage(body, input, turn, cached)
    const response = responseOf(body, turn, usage, memory)
    memory.note({ input, response }, body.store ?? true)
    return { reply: body.stream ? responseStream(response) : { body: response }, usage }
  }

  function referred(id: string): Json {
    const found = memory.item(id)
    if (!found) throw new Refusal(`Item with id '${id}' not found.`, { status: 404, param: 'input' })
    return found
  }

  function kept({ method }: ReceivedRequest, id: string, part: string): ReturnType<Answering> {
    const { input, response } = memory.find(id, 'response_id')
    if (part === 'input_items') return { reply: { body: { object: 'list', data: input, has_more: false } } }
    if (method === 'DELETE') return { reply: { body: { id, object: 'response', deleted: memory.forget(id) } } }
    return { reply: { body: response } }
  }

  return (request) => {
    const path = new URL(request.path, 'http://vendor').pathname
    const [, id = '', part = ''] = /^\/v1\/responses\/(resp_[^/]+)(?:\/(\w+))?$/.exec(path) ?? []
    if (!/^Bearer \S+/.test(request.headers.authorization ?? '')) {
      throw new Refusal("You didn't provide an API key.", { status: 401 })
    }
    if (request.headers.authorization?.endsWith(WRONG_KEY)) {
      throw new Refusal('Incorrect API key provided.', { status: 401, code: 'invalid_api_key' })
    }
    if (request.json?.model === NO_MODEL) {
      const words = `The model \`${NO_MODEL}\` does not exist or you do not have access to it.`
      throw new Refusal(words, { status: 404, code: 'model_not_found' })
    }
    if (id) return kept(request, id, part)
    const door = doors[`${request.method} ${path}`]
    if (!door) throw new Refusal(`Invalid URL (${request.method} ${path})`, { status: 404 })
    return door(request, { chat, responses })
  }
}

interface Talking {
  chat: Answering
  responses: Answering
}

const doors: Record<string, (request: ReceivedRequest, talking: Talking) => ReturnType<Answering>> = {
  'POST /v1/chat/completions': (request, { chat }) => chat(request),
  'POST /v1/responses': (request, { responses }) => responses(request),
  'POST /v1/embeddings': embeddings,
  'GET /v1/models': () => ({
    reply: {
      body: { object: 'list', data: [{ id: 'gpt-5.5', object: 'model', created: 1_776_000_000, owned_by: 'openai' }] },
    },
  }),
}

const listed = (input: Json): Json[] => (typeof input === 'string' ? [{ role: 'user', content: input }] : (input ?? []))
