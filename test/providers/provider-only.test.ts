// The formats that only providers speak: what is asked of them, and what is read of answers.
import { joinParts } from '../../core/dialects/json/json-bytes.ts'
import { describe, expect, it } from 'vitest'
import { createProviderDialect } from '../../core/dialects/provider-only/provider-only.ts'
import { openaiChat } from '../../core/dialects/openai-chat/index.ts'
import { cozeChatDialect } from '../../core/dialects/provider-only/coze-chat.ts'
import { difyChatDialect } from '../../core/dialects/provider-only/dify-chat.ts'
import { hunyuanChatDialect } from '../../core/dialects/provider-only/hunyuan-chat.ts'
import { libraryAskDialect } from '../../core/dialects/provider-only/library-ask.ts'
import { sparkChatDialect } from '../../core/dialects/provider-only/spark-chat.ts'
import { wenxinChatDialect } from '../../core/dialects/provider-only/wenxin-chat.ts'
import type { ContentPart, Message, ModelRequest } from '../../core/dialects/model-request.ts'
import type { ProviderDialect } from '../../core/dialects/dialect.ts'
import { createFrameParser } from '../../core/dialects/answers/frames.ts'
import type { Json } from '../support/json.ts'

const text = (words: string): ContentPart[] => [{ type: 'text', text: words }]
const picture = (url: string): ContentPart => ({ type: 'image', url })
const said = (role: Message['role'], words: string): Message => ({ role, content: text(words) })
const talk = [
  said('system', 'Be brief.'),
  said('user', 'Hello'),
  said('assistant', 'Hi.'),
  said('user', 'Who are you?'),
]

const request = (more: Partial<ModelRequest> = {}): ModelRequest => ({
  ...{ dialect: 'openai-chat', model: 'a-model', stream: true, messages: [said('user', 'Hello')], extra: {} },
  ...more,
})
function written(format: ProviderDialect, more: Partial<ModelRequest> = {}): { body: Json; dropped: string[] } {
  const { body, dropped } = format.writeModelRequest(request(more))
  return { body: JSON.parse(new TextDecoder().decode(body)), dropped }
}
const failureOf = (format: ProviderDialect, body: object) =>
  format.readWholeReply(new TextEncoder().encode(JSON.stringify(body))).find(({ type }) => type === 'failure')

describe('a format that few fields fit', () => {
  // The relay names the requested model in every request, and callers of every format may have answers stored.
  const own: Partial<ModelRequest> = { requestedModel: 'an-alias', storesAnswer: true, vendorData: [], lost: [] }

  it.each([
    ['dify', difyChatDialect],
    ['coze', cozeChatDialect],
    ['library', libraryAskDialect],
    ['spark', sparkChatDialect],
    ['wenxin', wenxinChatDialect],
    ['hunyuan', hunyuanChatDialect],
  ])('reports no field as dropped that the caller did not send: %s', (_, format) => {
    expect(written(format, own).dropped).toEqual([])
  })

  it('writes only fields of the format', () => {
    const { body, dropped } = written(openaiChat, { ...own, lost: undefined, system_first: true, top_p: 0.5 })
    expect(Object.keys(body).sort()).toEqual(['messages', 'model', 'stream', 'stream_options', 'top_p'])
    expect(dropped).toEqual([])
  })
})

describe('Dify', () => {
  it('is asked the question alone, or with what was said before it', () => {
    expect(written(difyChatDialect).body).toEqual({
      ...{ inputs: {}, query: 'Hello', response_mode: 'streaming', user: 'weir' },
      ...{ conversation_id: '', auto_generate_name: false, files: [] },
    })
    const { body } = written(difyChatDialect, { messages: talk, user: 'ada' })
    expect(body).toMatchObject({ user: 'ada' })
    expect(body.query).toBe('SYSTEM:\nBe brief.\nUSER:\nHello\nASSISTANT:\nHi.\nUSER:\nWho are you?\n')
  })

  it('gets pictures by their address, and the caller hears of what it has no word for', () => {
    const content = [...text('What is it?'), picture('https://host/a.png')]
    const { body, dropped } = written(difyChatDialect, { messages: [{ role: 'user', content }] })
    expect(body.files).toEqual([{ type: 'image', transfer_method: 'remote_url', url: 'https://host/a.png' }])
    expect(dropped).toEqual([])
    const inline: Message = { role: 'user', content: [picture('data:image/png;base64,AAAA')] }
    const lost = { messages: [inline], temperature: 1, tools: [{ name: 'f' }], extra: { logit_bias: {} } }
    expect(written(difyChatDialect, lost).dropped.sort()).toEqual(['image_url', 'logit_bias', 'temperature', 'tools'])
  })

  it('that takes back what it said is told as a refusal', () => {
    const read = difyChatDialect.reader()
    const frame = (event: object) => read({ data: JSON.stringify({ message_id: 'm', ...event }) })
    expect(frame({ event: 'message', answer: 'no good' }).at(-1)).toMatchObject({ type: 'text' })
    expect(frame({ event: 'message_replace', answer: 'I cannot say.' })).toEqual([
      { type: 'refusal', text: 'I cannot say.', choice: 0 },
    ])
    expect(frame({ event: 'message_end', metadata: {} })[0]).toMatchObject({ reason: 'content_filter' })
  })
})

describe('Coze', () => {
  it('is told the conversation, with the words of the system before the first of the user', () => {
    const { body, dropped } = written(cozeChatDialect, { messages: talk, max_tokens: 5 })
    expect(body).toEqual({
      ...{ user_id: 'weir', stream: true, auto_save_history: false },
      additional_messages: [
        { role: 'user', type: 'question', content: 'Be brief.\nHello', content_type: 'text' },
        { role: 'assistant', type: 'answer', content: 'Hi.', content_type: 'text' },
        { role: 'user', type: 'question', content: 'Who are you?', content_type: 'text' },
      ],
    })
    expect(dropped).toEqual(['max_tokens'])
  })

  it('gets pictures as items of a message', () => {
    const content = [...text('What is it?'), picture('https://host/a.png')]
    const [message] = written(cozeChatDialect, { messages: [{ role: 'user', content }] }).body.additional_messages
    expect(message).toMatchObject({ content_type: 'object_string' })
    expect(JSON.parse(message.content)).toEqual([
      { type: 'text', text: 'What is it?' },
      { type: 'image', file_url: 'https://host/a.png' },
    ])
  })

  it.each([
    [4100, 401],
    [4101, 403],
    [4013, 429],
    [123456, 502],
  ])('code %i with status 200 is a refusal of status %i', (code, status) => {
    expect(failureOf(cozeChatDialect, { code, msg: 'no' })).toMatchObject({ failure: { status, code, message: 'no' } })
  })
})

describe('ERNIE', () => {
  it('is told of the system beside the turns, within its bounds', () => {
    const messages = [...talk, said('user', 'And where?')]
    const { body, dropped } = written(wenxinChatDialect, {
      messages,
      temperature: 2,
      max_tokens: 1,
      stop: ['.'],
      user: 'ada',
    })
    expect(body).toEqual({
      messages: [
        { role: 'user', content: 'Hello' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'Who are you?\nAnd where?' },
      ],
      ...{ system: 'Be brief.', stream: true, temperature: 1, max_output_tokens: 2, stop: ['.'], user_id: 'ada' },
    })
    expect(dropped).toEqual([])
  })

  it.each([
    [110, 401],
    [18, 429],
    [336501, 429],
    [336003, 400],
    [1, 502],
  ])('code %i with status 200 is a refusal of status %i', (error_code, status) => {
    expect(failureOf(wenxinChatDialect, { error_code, error_msg: 'no' })).toMatchObject({
      failure: { status, message: 'no' },
    })
  })
})

describe('a library of AI Proxy', () => {
  it('is asked the last question, and its documents are sources', () => {
    const { body, dropped } = written(libraryAskDialect, { messages: talk })
    expect(body).toEqual({ model: 'a-model', query: 'Who are you?', stream: true })
    expect(dropped).toEqual(['messages'])
    const answer = { success: true, answer: 'Weir.', documents: [{ title: 'A page', url: 'https://host/a' }] }
    const events = libraryAskDialect.readWholeReply(new TextEncoder().encode(JSON.stringify(answer)))
    expect(events).toContainEqual({ type: 'citation', url: 'https://host/a', title: 'A page', choice: 0 })
    expect(events.at(-1)).toEqual({ type: 'end' })
    expect(failureOf(libraryAskDialect, { success: false, message: 'no', errCode: 'x' })).toMatchObject({
      failure: { status: 502, message: 'no', code: 'x' },
    })
  })
})

describe("Hunyuan's own interface", () => {
  it('is asked in capital letters, with tools and their answers', () => {
    const call = { id: 'c1', name: 'weather', arguments: '{"city":"Paris"}' }
    const messages: Message[] = [
      said('user', 'Rain?'),
      { role: 'assistant', content: [], tool_calls: [call] },
      { role: 'tool', content: text('no'), tool_call_id: 'c1' },
    ]
    const tools = [{ name: 'weather', parameters: { type: 'object' } }]
    const { body, dropped } = written(hunyuanChatDialect, {
      messages,
      tools,
      tool_choice: { name: 'weather' },
      max_tokens: 9,
    })
    expect(body).toEqual({
      Model: 'a-model',
      Stream: true,
      Messages: [
        { Role: 'user', Content: 'Rain?' },
        {
          Role: 'assistant',
          Content: '',
          ToolCalls: [{ Id: 'c1', Type: 'function', Function: { Name: 'weather', Arguments: '{"city":"Paris"}' } }],
        },
        { Role: 'tool', Content: 'no', ToolCallId: 'c1' },
      ],
      Tools: [{ Type: 'function', Function: { Name: 'weather', Parameters: '{"type":"object"}' } }],
      ToolChoice: 'custom',
      CustomTool: { Type: 'function', Function: { Name: 'weather' } },
    })
    expect(dropped).toEqual(['max_tokens'])
  })

  it.each([
    ['AuthFailure.SignatureFailure', 401],
    ['LimitExceeded', 429],
    ['ResourceInsufficient.ChargeResourceExhaust', 402],
    ['InvalidParameter', 400],
    ['InternalError', 500],
  ])('%s with status 200 is a refusal of status %i', (Code, status) => {
    const body = { Response: { Error: { Code, Message: 'no' }, RequestId: 'r' } }
    expect(failureOf(hunyuanChatDialect, body)).toMatchObject({ failure: { status, code: Code, message: 'no' } })
  })
})

describe('a format of a provider alone', () => {
  it('takes what a channel lays over a request, but never another way to answer', () => {
    const body = new TextEncoder().encode('{"a":1,"stream":true}')
    const change = { model: 'm', head: { model: 'm', stream: true, include_usage: false, prompt_estimate: 1 } }
    const patched = joinParts(
      createProviderDialect(wenxinChatDialect).patchRequestBody(body, {
        ...change,
        override: { stream: false, b: 2, a: null },
      }),
    )
    expect(JSON.parse(new TextDecoder().decode(patched))).toEqual({ stream: true, b: 2 })
  })

  it('that is no JSON is a failure, not an answer', () => {
    for (const format of [
      difyChatDialect,
      cozeChatDialect,
      wenxinChatDialect,
      libraryAskDialect,
      hunyuanChatDialect,
      sparkChatDialect,
    ]) {
      expect(format.readWholeReply(new TextEncoder().encode('<html>'))[0]).toMatchObject({ failure: { status: 502 } })
      const frames = createFrameParser().push(new TextEncoder().encode(': ping\n\ndata: \n\n'))
      expect(frames.flatMap(format.reader())).toEqual([])
    }
  })
})
