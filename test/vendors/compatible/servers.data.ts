// The refusals of servers that use OpenAI's format, from their documentation and from reported answers.
import type { Json } from '../../support/json.ts'
import { Refusal, type VendorKind } from '../vendor.ts'

export interface Server {
  paths: { chat: string; responses?: string; messages?: string }
  /** Where an answer has its thoughts. */
  thoughts: 'reasoning' | 'reasoning_content'
  /** What it refuses of a chat. @throws Refusal */
  check(body: Json): void
  /** What it refuses of Responses, and of Anthropic's messages. @throws Refusal */
  checkResponse?(body: Json): void
  checkMessages?(body: Json): void
  refused: VendorKind['refused']
}

const names = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/))

const refused: VendorKind['refused'] = ({ message, status, code }) => ({
  error: { message, type: status === 401 ? 'authentication_error' : 'invalid_request_error', param: null, code },
})

/** Fields of a message that every one of them takes. */
const MESSAGE = names('role content name tool_calls tool_call_id')

/** The first field that is not known, with the place of its message, if it is one's. */
function strangeField(body: Json, known: ReadonlySet<string>): { field: string; at?: number; role?: string } | undefined {
  const own = Object.keys(body).find((field) => !known.has(field))
  if (own !== undefined) return { field: own }
  for (const [at, message] of body.messages.entries()) {
    const field = Object.keys(message).find((one) => !MESSAGE.has(one))
    if (field !== undefined) return { field, at, role: message.role }
  }
  return undefined
}

/** Turns with calls, by their places. */
const turnsWithCalls = ({ messages }: Json): [number, Json][] =>
  [...messages.entries()].filter(([, { role, tool_calls }]) => role === 'assistant' && (tool_calls ?? []).length > 0)

const isPlain = ({ content }: Json): boolean =>
  !Array.isArray(content) || content.every(({ type }: Json) => type === 'text')

/** Tools are functions. */
function checkFunctions(tools: Json[] | undefined, words: (at: number, type: string) => string): void {
  const at = (tools ?? []).findIndex(({ type }) => type !== 'function')
  if (at >= 0) throw new Refusal(words(at, tools?.[at].type))
}

/** In Anthropic's format the thoughts of a turn with calls come back, too. */
function checkThoughts({ messages, thinking }: Json, words: string): void {
  if (thinking?.type === 'disabled') return
  for (const { role, content } of messages) {
    const types = Array.isArray(content) ? content.map(({ type }: Json) => type) : []
    if (role === 'assistant' && types.includes('tool_use') && !types.includes('thinking')) throw new Refusal(words)
  }
}

export const servers = {
  // "API Reference" of console.groq.com; the words as reported in janhq/jan#8136.
  groq: {
    paths: { chat: '/v1/chat/completions', responses: '/v1/responses' },
    thoughts: 'reasoning',
    refused,
    check(body) {
      const known = names(`model messages temperature top_p n stream stream_options stop max_tokens max_completion_tokens
        presence_penalty frequency_penalty response_format seed service_tier tool_choice tools parallel_tool_calls user
        reasoning_effort reasoning_format include_reasoning metadata store disable_tool_validation documents`)
      const strange = strangeField(body, known)
      if (strange?.at !== undefined) {
        const place = `'messages.${strange.at}'`
        throw new Refusal(
          `${place} : for 'role:${strange.role}' the following must be satisfied[(${place} : property '${strange.field}' is unsupported)]`,
        )
      }
      if (strange) throw new Refusal(`property '${strange.field}' is unsupported`)
      if ((body.n ?? 1) !== 1) throw new Refusal("'n' : number must be at most 1")
      checkFunctions(body.tools, (at) => `'tools.${at}.type' : value must be one of [\`function\`]`)
    },
    // "Responses API", "Unsupported Features", of its documentation.
    checkResponse(body) {
      const unsupported = ['previous_response_id', 'truncation', 'include', 'safety_identifier', 'prompt_cache_key', 'prompt']
      const found = unsupported.find((field) => body[field] !== undefined && body[field] !== null)
      if (found) throw new Refusal(`property '${found}' is unsupported`)
    },
  },
  // "Chat Completions" of inference-docs.cerebras.ai; the words as reported in Kilo-Org/kilocode#10375.
  cerebras: {
    paths: { chat: '/v1/chat/completions' },
    thoughts: 'reasoning',
    refused: ({ message, code }) => ({ message, type: 'invalid_request_error', param: 'validation_error', code }),
    check(body) {
      const known = names(`model messages clear_thinking logprobs max_completion_tokens max_tokens parallel_tool_calls
        prediction reasoning_effort reasoning_format response_format seed service_tier stop stream stream_options
        temperature tool_choice tools top_logprobs top_p user prompt_cache_key`)
      const strange = strangeField(body, known)
      if (strange) {
        const place = strange.at === undefined ? strange.field : `messages.${strange.at}.${strange.role}.${strange.field}`
        throw new Refusal(`${place}: property '${place}' is unsupported`, { code: 'wrong_api_format' })
      }
      checkFunctions(body.tools, (at) => `tools.${at}.type: Input should be 'function'`)
    },
  },
  // "Thinking mode" and "Anthropic API" of api-docs.deepseek.com; other words than these are ignored there.
  deepseek: {
    paths: { chat: '/v1/chat/completions', responses: '/responses', messages: '/anthropic/v1/messages' },
    thoughts: 'reasoning_content',
    refused,
    check(body) {
      const cannot = 'Failed to deserialize the JSON body into the target type:'
      for (const [at, message] of body.messages.entries()) {
        if (!['system', 'user', 'assistant', 'tool'].includes(message.role))
          throw new Refusal(`${cannot} messages[${at}].role: unknown variant \`${message.role}\``)
        const part = isPlain(message) ? undefined : message.content.find(({ type }: Json) => type !== 'text')
        if (part) throw new Refusal(`${cannot} messages[${at}]: unknown variant \`${part.type}\`, expected \`text\``)
      }
      checkFunctions(body.tools, (at, type) => `${cannot} tools[${at}].type: unknown variant \`${type}\``)
      if (body.response_format?.type === 'json_schema') throw new Refusal('This response_format type is unavailable now')
      if (body.thinking?.type === 'disabled') return
      if (turnsWithCalls(body).some(([, { reasoning_content }]) => reasoning_content === undefined))
        throw new Refusal('The `reasoning_content` in the thinking mode must be passed back to the API.')
    },
    checkMessages: (body) =>
      checkThoughts(body, 'The `content[].thinking` in the thinking mode must be passed back to the API.'),
  },
  // "Use thinking models" of platform.kimi.ai; the words as reported in anomalyco/opencode#10996.
  kimi: {
    paths: { chat: '/v1/chat/completions', messages: '/anthropic/v1/messages' },
    thoughts: 'reasoning_content',
    refused,
    check(body) {
      checkFunctions(body.tools, (at) => `Invalid request: tools[${at}].type is invalid`)
      if (body.temperature !== undefined && body.temperature !== 1)
        throw new Refusal('invalid temperature: only 1 is allowed for this model')
      if (body.thinking?.type === 'disabled') return
      const [bare] = turnsWithCalls(body).find(([, { reasoning_content }]) => !reasoning_content) ?? []
      if (bare === undefined) return
      throw new Refusal(
        `thinking is enabled but reasoning_content is missing in assistant tool call message at index ${bare}`,
      )
    },
  },
  // "OpenAI-Compatible Server" of docs.vllm.ai, with the chat template of Qwen 3.5 and later.
  vllm: {
    paths: { chat: '/v1/chat/completions' },
    thoughts: 'reasoning',
    refused: ({ message, status }) => ({ error: { message, type: 'BadRequestError', param: null, code: status } }),
    check(body) {
      if (body.messages.some(({ role }: Json, at: number) => /^(system|developer)$/.test(role) && at > 0))
        throw new Refusal('System message must be at the beginning.')
      if (body.stream_options && !body.stream)
        throw new Refusal('Stream options can only be defined when `stream=True`.')
      if (body.tool_choice && body.tool_choice !== 'none' && !body.tools)
        throw new Refusal('When using `tool_choice`, `tools` must be set.')
      checkFunctions(body.tools, (at) => `1 validation error: {'loc': ('body', 'tools', ${at}, 'type'), 'type': 'literal_error'}`)
    },
  },
} satisfies Record<string, Server> as Readonly<Record<'groq' | 'cerebras' | 'deepseek' | 'kimi' | 'vllm', Server>>
