// Servers that answer in OpenAI's chat and refuse what OpenAI takes, each in its own words: Groq, Cerebras, DeepSeek, Kimi and
// vLLM. Doors that they have beside chat are those of the vendors whose formats these are.
import type { Json } from '../support/json.ts'
import type { TestReply } from '../support/upstream.ts'
import { anthropicVendor } from './anthropic.ts'
import { servers, type Server } from './compatible/servers.data.ts'
import { chatReply, chatUsage, readChat } from './openai/chat-answer.ts'
import { checkCalls } from './openai/chat-rules.ts'
import { openaiVendor } from './openai.ts'
import type { Script } from './script.ts'
import { createPrefixCache } from './tokens.ts'
import { NO_MODEL, Refusal, WRONG_KEY, type Answering, type VendorKind } from './vendor.ts'

export type ServerName = keyof typeof servers

export const compatibleVendor = (name: ServerName): VendorKind => ({
  open: (script) => open(servers[name], script),
  refused: servers[name].refused,
})

function open(server: Server, script: Script): Answering {
  const cache = createPrefixCache()
  const others = { responses: openaiVendor.open(script), messages: anthropicVendor.open(script) }

  function chat(body: Json): ReturnType<Answering> {
    server.check(body)
    checkCalls(body.messages)
    const turn = script(readChat(body))
    const usage = chatUsage(body, turn, cache.read(JSON.stringify([body.tools, body.messages])))
    return { reply: chatReply(body, turn, usage, server.thoughts), usage }
  }

  return (request) => {
    const { headers, json, method } = request
    const path = new URL(request.path, 'http://vendor').pathname
    const proof = headers.authorization ?? headers['x-api-key'] ?? ''
    if (proof === '' || proof.endsWith(WRONG_KEY)) throw new Refusal('Invalid API Key', { status: 401 })
    if (json?.model === NO_MODEL) throw new Refusal(`The model \`${NO_MODEL}\` does not exist`, { status: 404 })
    if (method === 'POST' && path === server.paths.chat) return chat(json)
    if (method === 'POST' && path === server.paths.responses) {
      server.checkResponse?.(json)
      const { reply, usage } = others.responses({ ...request, path: '/v1/responses', json: withoutThoughts(json) })
      return { reply: withOwnItems(reply), ...(usage ? { usage } : {}) }
    }
    if (method === 'POST' && path === server.paths.messages) {
      server.checkMessages?.(json)
      return others.messages({ ...request, path: '/v1/messages' })
    }
    throw new Refusal('Not Found', { status: 404 })
  }
}

/** An answer as these servers give it: with ids that are not OpenAI's, and thoughts whole in place of their summary. */
function withOwnItems({ body, chunks, ...reply }: TestReply): TestReply {
  if (!chunks) return { ...reply, body: ownItems(body) }
  const events = chunks.map(String).filter((event) => !event.includes('"response.reasoning_summary'))
  const own = events.map((event) =>
    event.replace(/^data: (\{.*)$/m, (_, data: string) => `data: ${JSON.stringify(ownItems(JSON.parse(data)))}`),
  )
  return { ...reply, chunks: own }
}

const ownItems = (value: Json): Json =>
  JSON.parse(JSON.stringify(value).replaceAll(/_0{24,}/g, '_'), (_, inner: Json) =>
    inner?.type === 'reasoning' && inner.summary
      ? {
          ...inner,
          summary: [],
          encrypted_content: undefined,
          content: inner.summary.map(({ text }: Json) => ({ type: 'reasoning_text', text })),
        }
      : inner,
  ) as Json

/** Nothing is stored by these servers, so that no thought that comes back is looked up. */
function withoutThoughts(body: Json): Json {
  const { input } = body
  return Array.isArray(input) ? { ...body, input: input.filter(({ type }: Json) => type !== 'reasoning') } : body
}
