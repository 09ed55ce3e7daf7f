// Requests of other formats, written in Gemini's, and the bytes of Gemini's own callers on their way.
import { joinParts } from '../../../core/dialects/json/json-bytes.ts'
import { describe, expect, it } from 'vitest'
import type { ContentPart, Message, ModelRequest } from '../../../core/dialects/model-request.ts'
import { geminiGenerate } from '../../../core/dialects/gemini-generate/index.ts'
import type { Json } from '../../support/json.ts'

const json = (body: Uint8Array): Json => JSON.parse(new TextDecoder().decode(body))
const said = (text: string) => ({ role: 'user', parts: [{ text }] })
const plain: ModelRequest = {
  dialect: 'openai-chat',
  model: 'gemini-3.5-flash',
  stream: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }],
  extra: {},
}
const write = (more: Partial<ModelRequest>) => {
  const { body, dropped } = geminiGenerate.writeModelRequest({ ...plain, ...more })
  return { ...json(body), dropped }
}

describe('requests of other formats, in Gemini’s', () => {
  it('sign a call whose signature is lost, on models that insist', () => {
    const calls = [
      { id: 'x', name: 'f', arguments: '{}' },
      { id: 'y', name: 'g', arguments: '' },
    ]
    const messages: Message[] = [...plain.messages, { role: 'assistant', content: [], tool_calls: calls }]
    const [first, second] = write({ messages }).contents[1].parts
    expect(first).toEqual({
      functionCall: { id: 'x', name: 'f', args: {} },
      thoughtSignature: 'skip_thought_signature_validator',
    })
    expect(second).toEqual({ functionCall: { id: 'y', name: 'g', args: {} } })
    expect(write({ messages, model: 'gemini-2.5-pro' }).contents[1].parts[0]).not.toHaveProperty('thoughtSignature')
  })

  it('give a name to what a call answered, and its pictures where the model takes them', () => {
    const messages: Message[] = [
      ...plain.messages,
      { role: 'assistant', content: [], tool_calls: [{ id: 'x', name: 'f', arguments: '{}' }] },
      {
        role: 'tool',
        content: [
          { type: 'text', text: '[1]' },
          { type: 'image', url: 'data:image/png;base64,AA==' },
        ],
        tool_call_id: 'x',
      },
    ]
    const picture = { inlineData: { mimeType: 'image/png', data: 'AA==' } }
    const functionResponse = { id: 'x', name: 'f', response: { output: '[1]' } }
    expect(write({ messages }).contents[2].parts).toEqual([
      { functionResponse: { ...functionResponse, parts: [picture] } },
    ])
    expect(write({ messages, model: 'gemini-2.5-pro' }).contents[2].parts).toEqual([{ functionResponse }, picture])
  })

  it('think by level or by budget, whichever the model knows', () => {
    const config = (model: string, more: Partial<ModelRequest>) =>
      write({ model, ...more }).generationConfig?.thinkingConfig
    expect(config('gemini-3.5-flash', { reasoning_effort: 'high' })).toEqual({
      thinkingLevel: 'HIGH',
      includeThoughts: true,
    })
    expect(config('gemini-3.5-flash', { reasoning_effort: 'none' })).toEqual({ thinkingLevel: 'MINIMAL' })
    for (const model of ['gemini-3.7-flash', 'gemini-3.8-flash', 'gemini-flash-latest', 'gemini-3.1-pro-preview'])
      expect(config(model, { reasoning_effort: 'none' }), model).toEqual({ thinkingLevel: 'LOW' })
    expect(config('gemini-3.1-pro-preview', { reasoning_budget: 0 })).toEqual({ thinkingLevel: 'LOW' })
    expect(config('gemini-3.5-flash', { reasoning_budget: 9000 })).toEqual({
      thinkingLevel: 'MEDIUM',
      includeThoughts: true,
    })
    expect(config('gemini-2.5-flash', { reasoning_effort: 'max' })).toEqual({
      thinkingBudget: 24_576,
      includeThoughts: true,
    })
    expect(config('gemini-2.5-pro', { reasoning_effort: 'none' })).toEqual({ thinkingBudget: 128 })
    expect(config('gemini-2.5-flash-lite', { reasoning_budget: 5 })).toEqual({
      thinkingBudget: 512,
      includeThoughts: true,
    })
    expect(write({ model: 'gemini-2.0-flash', reasoning_effort: 'high' })).toMatchObject({
      dropped: ['reasoning_effort'],
    })
  })

  it('put schemas into Google’s words, or leave them as they are where those do not suffice', () => {
    const tool = (parameters: unknown) => write({ tools: [{ name: 'f', parameters }] }).tools[0].functionDeclarations[0]
    const shape = {
      $schema: 'x',
      type: 'object',
      additionalProperties: false,
      title: 't',
      $defs: { d: { type: 'string', format: 'uri' } },
    }
    expect(
      tool({
        ...shape,
        properties: {
          a: { $ref: '#/$defs/d' },
          b: { anyOf: [{ type: 'number' }, { type: 'null' }] },
          c: { const: 'x' },
        },
      }),
    ).toEqual({
      name: 'f',
      parameters: {
        type: 'OBJECT',
        title: 't',
        properties: {
          a: { type: 'STRING', description: '{format: "uri"}' },
          b: { type: 'NUMBER', nullable: true },
          c: { type: 'STRING', enum: ['x'] },
        },
      },
    })
    expect(tool({ type: 'object', properties: {} })).toEqual({ name: 'f' })
    const tree = { type: 'object', properties: { next: { $ref: '#' } } }
    expect(tool(tree)).toEqual({ name: 'f', parametersJsonSchema: tree })
    const map = { type: 'object', properties: { m: { type: 'object', additionalProperties: { type: 'string' } } } }
    expect(tool(map)).toEqual({ name: 'f', parametersJsonSchema: map })
    expect(write({ response_format: { schema: map } }).generationConfig).toEqual({
      responseMimeType: 'application/json',
      responseJsonSchema: map,
    })
  })

  it('name what is lost', () => {
    const content: ContentPart[] = [
      { type: 'file', file_id: 'file-of-somebody' },
      { type: 'text', text: 'x', cache: '5m' },
    ]
    expect(
      write({
        messages: [
          { role: 'user', content },
          { role: 'assistant', content: [], reasoning: [{ text: 'sealed', redacted: true }] },
        ],
        user: 'ada',
        parallel_tool_calls: false,
        hosted_tools: [{ name: 'mcp' }],
        extra: { logit_bias: {} },
      }).dropped.sort(),
    ).toEqual([
      'cache_control',
      'file.file_id',
      'logit_bias',
      'parallel_tool_calls',
      'redacted_thinking',
      'tools.mcp',
      'user',
    ])
  })

  it('leave Google’s own tools out beside functions: it would refuse them, or want its steps back', () => {
    const f = { name: 'f', parameters: { type: 'object', properties: { a: { type: 'string' } } } }
    const hosted_tools = [{ name: 'web_search' }, { name: 'code_execution' }]
    const both = write({ tools: [f, { name: 'urlContext' }], hosted_tools })
    expect(both.tools).toEqual([{ functionDeclarations: [expect.objectContaining({ name: 'f' })] }])
    expect(both.dropped).toEqual(['tools.web_fetch', 'tools.web_search', 'tools.code_execution'])
    const alone = write({ hosted_tools })
    expect(alone).toMatchObject({ tools: [{ googleSearch: {} }, { codeExecution: {} }], dropped: [] })
    expect(write({ dialect: 'gemini-generate', tools: [f], hosted_tools }).tools).toHaveLength(3)
  })

  it('of the system alone are asked as a user', () => {
    expect(write({ messages: [{ role: 'system', content: [{ type: 'text', text: 'hi' }] }] }).contents).toEqual([
      said('hi'),
    ])
  })
})

describe("a Gemini caller's own bytes", () => {
  const head = { model: 'm', stream: true, include_usage: true, prompt_estimate: 1 }
  const patched = (body: string, change: object) =>
    new TextDecoder().decode(
      joinParts(
        geminiGenerate.patchRequestBody(new TextEncoder().encode(body), {
          model: 'gemini-2.5-pro',
          head,
          override: {},
          ...change,
        }),
      ),
    )

  it('go on as they are', () => {
    const body = '{ "contents": [ {"parts":[{"text":"\\u0041"}]} ], "unheard_of": 1.0 }'
    expect(patched(body, {})).toBe(body)
  })

  it('take overrides, and never name another model', () => {
    expect(
      patched('{"model":"models/dearer","contents":[],"labels":{}}', {
        override: { labels: null, cachedContent: 'c' },
      }),
    ).toBe('{"model":"models/gemini-2.5-pro","contents":[],"cachedContent":"c"}')
  })

  it('say what the model’s name implies, unless the caller does', () => {
    const implied = { reasoning_budget: 0, modalities: ['text', 'image'] }
    expect(JSON.parse(patched('{"generationConfig":{"seed":1}}', { implied })).generationConfig).toEqual({
      seed: 1,
      thinkingConfig: { thinkingBudget: 128 },
      responseModalities: ['TEXT', 'IMAGE'],
    })
    const own = '{"generation_config":{"thinking_config":{"thinking_budget":5},"response_modalities":["TEXT"]}}'
    expect(patched(own, { implied })).toBe(own)
  })
})
