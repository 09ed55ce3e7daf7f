// Every format of a chat answer, as a provider streams it: the frames of one right answer, and those that go wrong.
import { cozeChatDialect } from '../../core/dialects/provider-only/coze-chat.ts'
import { difyChatDialect } from '../../core/dialects/provider-only/dify-chat.ts'
import { hunyuanChatDialect } from '../../core/dialects/provider-only/hunyuan-chat.ts'
import { libraryAskDialect } from '../../core/dialects/provider-only/library-ask.ts'
import { sparkChatDialect } from '../../core/dialects/provider-only/spark-chat.ts'
import { wenxinChatDialect } from '../../core/dialects/provider-only/wenxin-chat.ts'
import type { Dialect, ProviderDialect } from '../../core/dialects/dialect.ts'
import { anthropicMessages, geminiGenerate, openaiChat, openaiCompletions, openaiResponses } from '../../core/index.ts'

/** What the answer says, and what it is said to have used (tokens). */
export const TEXTS: readonly string[] = ['Hello', ', wörld', ' of formats']
export const USED = { input: 500, output: 77 }

/** The formats that callers speak. */
export const callerFormats: readonly Dialect[] = [
  openaiChat,
  openaiCompletions,
  openaiResponses,
  anthropicMessages,
  geminiGenerate,
]

/** An answer's frames, each a text with its closing blank line; '' where a format has no such frame. */
export interface StreamFormat {
  dialect: ProviderDialect
  opening: string
  texts: string[]
  /** Why it finished, without a usage where that can stand by itself. */
  finish: string
  /** The usage, as the provider tells it of itself. */
  usage: string
  end: string
  /** A failure with the message `broken`; with the usage in the same frame, where `usage` is given. */
  failure(usage?: true): string
}

const frame = (data: unknown, event?: string): string =>
  `${event ? `event: ${event}\n` : ''}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`
const DONE = frame('[DONE]')
const FAILURE = { message: 'broken', type: 'server_error', code: 'broken' }

const OPENAI = { prompt_tokens: USED.input, completion_tokens: USED.output, total_tokens: USED.input + USED.output }
const ANTHROPIC = { input_tokens: USED.input, output_tokens: USED.output }
const GOOGLE = {
  promptTokenCount: USED.input,
  candidatesTokenCount: USED.output,
  totalTokenCount: USED.input + USED.output,
}

function chat(dialect: Dialect, object: string, said: (text: string) => object): StreamFormat {
  const chunk = (choices: object[], more: object = {}) => frame({ object, created: 1, model: 'm', choices, ...more })
  return {
    dialect,
    opening: '',
    texts: TEXTS.map((text) => chunk([{ index: 0, ...said(text), finish_reason: null }])),
    finish: chunk([{ index: 0, ...said(''), finish_reason: 'stop' }]),
    usage: chunk([], { usage: OPENAI }),
    end: DONE,
    failure: (usage) => frame({ error: FAILURE, ...(usage ? { usage: OPENAI } : {}) }),
  }
}

const typed = (event: { type: string } & Record<string, unknown>): string => frame(event, event.type)

const responses = (): StreamFormat => {
  const item = { id: 'msg_1', type: 'message', role: 'assistant' }
  const part = (text: string) => ({ type: 'output_text', text, annotations: [], logprobs: [] })
  const whole = { ...item, status: 'completed', content: [part(TEXTS.join(''))] }
  const response = (status: string, more: object = {}) => ({
    object: 'response',
    status,
    model: 'm',
    output: [],
    ...more,
  })
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 }
  return {
    dialect: openaiResponses,
    opening:
      typed({ type: 'response.created', response: response('in_progress') }) +
      typed({ type: 'response.output_item.added', output_index: 0, item: { ...item, content: [] } }) +
      typed({ type: 'response.content_part.added', ...at, part: part('') }),
    texts: TEXTS.map((delta) => typed({ type: 'response.output_text.delta', ...at, delta })),
    finish:
      typed({ type: 'response.output_text.done', ...at, text: TEXTS.join('') }) +
      typed({ type: 'response.output_item.done', output_index: 0, item: whole }),
    usage: '',
    end: typed({ type: 'response.completed', response: response('completed', { output: [whole], usage: ANTHROPIC }) }),
    failure: (usage) =>
      typed({
        type: 'response.failed',
        response: response('failed', { error: FAILURE, ...(usage ? { usage: ANTHROPIC } : {}) }),
      }),
  }
}

const anthropic = (): StreamFormat => ({
  dialect: anthropicMessages,
  opening:
    typed({
      type: 'message_start',
      message: {
        type: 'message',
        role: 'assistant',
        model: 'm',
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 0, output_tokens: 0 },
      },
    }) + typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
  texts: TEXTS.map((text) => typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } })),
  finish:
    typed({ type: 'content_block_stop', index: 0 }) +
    typed({
      type: 'message_delta',
      delta: { stop_reason: 'end_turn', stop_sequence: null },
      usage: { output_tokens: 0 },
    }),
  usage: typed({ type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: ANTHROPIC }),
  end: typed({ type: 'message_stop' }),
  failure: (usage) =>
    typed({ type: 'error', error: { type: 'api_error', message: 'broken' }, ...(usage ? { usage: ANTHROPIC } : {}) }),
})

const gemini = (): StreamFormat => {
  const candidate = (text: string, more: object = {}) =>
    frame({ candidates: [{ index: 0, content: { role: 'model', parts: [{ text }] }, ...more }], modelVersion: 'm' })
  return {
    dialect: geminiGenerate,
    opening: '',
    texts: TEXTS.map((text) => candidate(text)),
    finish: candidate('', { finishReason: 'STOP' }),
    usage: frame({ usageMetadata: GOOGLE, modelVersion: 'm' }),
    end: '',
    failure: (usage) =>
      frame({
        error: { code: 500, message: 'broken', status: 'INTERNAL' },
        ...(usage ? { usageMetadata: GOOGLE } : {}),
      }),
  }
}

const coze = (): StreamFormat => {
  const usage = { token_count: USED.input + USED.output, input_count: USED.input, output_count: USED.output }
  return {
    dialect: cozeChatDialect,
    opening: frame({ status: 'created' }, 'conversation.chat.created'),
    texts: TEXTS.map((content) => frame({ type: 'answer', content }, 'conversation.message.delta')),
    finish: '',
    usage: frame({ status: 'completed', usage }, 'conversation.chat.completed'),
    end: frame('"[DONE]"', 'done'),
    failure: (counted) =>
      frame({ last_error: { code: 5000, msg: 'broken' }, ...(counted ? { usage } : {}) }, 'conversation.chat.failed'),
  }
}

const dify = (): StreamFormat => {
  const metadata = { usage: OPENAI }
  return {
    dialect: difyChatDialect,
    opening: '',
    texts: TEXTS.map((answer) => frame({ event: 'message', answer })),
    finish: '',
    usage: '',
    end: frame({ event: 'message_end', metadata }),
    failure: (usage) =>
      frame({ event: 'error', status: 500, code: 'broken', message: 'broken', ...(usage ? { metadata } : {}) }),
  }
}

const hunyuan = (): StreamFormat => {
  const Usage = { PromptTokens: USED.input, CompletionTokens: USED.output }
  const chunk = (Content: string, more: object = {}, FinishReason = '') =>
    frame({ Created: 1, Choices: [{ Delta: { Role: 'assistant', Content }, FinishReason }], ...more })
  return {
    dialect: hunyuanChatDialect,
    opening: '',
    texts: TEXTS.map((text) => chunk(text)),
    finish: chunk('', {}, 'stop'),
    usage: frame({ Choices: [], Usage }),
    end: DONE,
    failure: (usage) => frame({ ErrorMsg: { Msg: 'broken', Code: 2000 }, ...(usage ? { Usage } : {}) }),
  }
}

const library = (): StreamFormat => ({
  dialect: libraryAskDialect,
  opening: '',
  texts: TEXTS.map((content) => frame({ content, finish: false, model: 'm' })),
  finish: '',
  usage: '',
  end: frame({ content: '', finish: true, model: 'm' }),
  failure: () => frame({ success: false, message: 'broken', errCode: 'broken' }),
})

const spark = (): StreamFormat => {
  const usage = { text: { prompt_tokens: USED.input, completion_tokens: USED.output } }
  const said = (content: string, status: number, more: object = {}) =>
    frame({
      header: { code: 0, status },
      payload: { choices: { status, text: [{ content, role: 'assistant' }] }, ...more },
    })
  return {
    dialect: sparkChatDialect,
    opening: '',
    texts: TEXTS.map((text) => said(text, 1)),
    finish: '',
    usage: '',
    end: said('', 2, { usage }),
    failure: (counted) =>
      frame({ header: { code: 10012, message: 'broken', status: 2 }, ...(counted ? { payload: { usage } } : {}) }),
  }
}

const wenxin = (): StreamFormat => ({
  dialect: wenxinChatDialect,
  opening: '',
  texts: TEXTS.map((result) => frame({ result, is_end: false })),
  finish: '',
  usage: '',
  end: frame({ result: '', is_end: true, finish_reason: 'normal', usage: OPENAI }),
  failure: (usage) => frame({ error_code: 336100, error_msg: 'broken', ...(usage ? { usage: OPENAI } : {}) }),
})

/** One of every format that a provider answers a chat in; none of them tells an id. */
export const streamFormats: readonly StreamFormat[] = [
  chat(openaiChat, 'chat.completion.chunk', (content) => ({ delta: { content } })),
  chat(openaiCompletions, 'text_completion', (text) => ({ text })),
  responses(),
  anthropic(),
  gemini(),
  coze(),
  dify(),
  hunyuan(),
  library(),
  spark(),
  wenxin(),
]

/** The frames of a right answer. */
export const wholeStream = ({ opening, texts, finish, usage, end }: StreamFormat): string =>
  [opening, ...texts, finish, usage, end].join('')
