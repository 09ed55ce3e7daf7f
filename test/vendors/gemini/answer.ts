// A scripted turn in Gemini's format, whole and as a stream.
import type { Json } from '../../support/json.ts'
import type { TestReply } from '../../support/upstream.ts'
import type { Asked, Turn } from '../script.ts'
import { tokensOf } from '../tokens.ts'
import type { VendorUsage } from '../vendor.ts'
import type { Content, GenerateBody } from './shape.ts'

/** The conversation as a script sees it. */
export function readContents(model: string, { contents, tools = [], generationConfig = {} }: GenerateBody): Asked {
  const isResult = ({ parts = [] }: Content) => parts.some(({ functionResponse }) => functionResponse)
  const lastUser = contents.findLastIndex((content) => content.role !== 'model' && !isResult(content))
  const results = contents.slice(lastUser + 1).flatMap(({ parts = [] }) => parts)
  return {
    model,
    tools: tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name, parameters, parametersJsonSchema }) => ({
        name,
        schema: parameters ?? parametersJsonSchema,
      })),
    ),
    said: (contents[lastUser]?.parts ?? []).map(({ text = '' }) => text).join('\n'),
    results: results.flatMap(({ functionResponse }) => (functionResponse ? [wordsOf(functionResponse.response)] : [])),
    format: /json/.test(generationConfig.responseMimeType ?? '')
      ? { schema: generationConfig.responseSchema ?? generationConfig.responseJsonSchema }
      : undefined,
  }
}

const wordsOf = (response: Json): string =>
  String(response.output ?? response.result ?? response.error ?? JSON.stringify(response))

export function geminiUsage(
  body: GenerateBody,
  { thought = '', text = '', calls = [] }: Turn,
  cache_read: number,
): VendorUsage {
  const reasoning = tokensOf(thought)
  const counted = tokensOf(body.systemInstruction ?? '') + tokensOf(body.contents) + tokensOf(body.tools ?? '')
  const completion = reasoning + tokensOf(text) + tokensOf(calls)
  return { prompt: Math.max(cache_read, counted), cache_read, cache_write: 0, completion, reasoning }
}

const said = ({ prompt, cache_read, completion, reasoning }: VendorUsage) => ({
  promptTokenCount: prompt,
  candidatesTokenCount: completion - reasoning,
  totalTokenCount: prompt + completion,
  ...(cache_read
    ? { cachedContentTokenCount: cache_read, cacheTokensDetails: [{ modality: 'TEXT', tokenCount: cache_read }] }
    : {}),
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: prompt }],
  ...(reasoning ? { thoughtsTokenCount: reasoning } : {}),
})

let made = 0

/** @param sign gives a signature that the vendor knows again; undefined of models that sign nothing */
export function geminiReply(
  model: string,
  body: GenerateBody,
  turn: Turn,
  usage: VendorUsage,
  sign: (() => string) | undefined,
  streamed: boolean,
): TestReply {
  const { thought, text, calls = [] } = turn
  const responseId = `scripted${(++made).toString(36).padStart(14, '0')}`
  const shown = thought !== undefined && body.generationConfig?.thinkingConfig?.includeThoughts
  const thoughts = shown ? [{ text: thought, thought: true }] : []
  const called = calls.map(({ name, args }, at) => ({
    functionCall: { name, args, ...(sign ? { id: `call_${responseId}_${at}` } : {}) },
    ...(sign && at === 0 ? { thoughtSignature: sign() } : {}),
  }))
  const closing = sign && text !== undefined && calls.length === 0 ? { thoughtSignature: sign() } : undefined
  const answer = (parts: Json[], finishReason?: string, counted = usage) => ({
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason ? { finishReason } : {}), index: 0 }],
    usageMetadata: said(counted),
    modelVersion: model,
    responseId,
  })
  if (!streamed)
    return { body: answer([...thoughts, ...(text === undefined ? [] : [{ text, ...closing }]), ...called], 'STOP') }
  // What was counted so far is said with every event; the signature of a text stands behind it, in a part without words.
  const early: VendorUsage = { ...usage, completion: usage.reasoning }
  const parts: Json[] = [...thoughts, ...pieces(text).map((piece) => ({ text: piece })), ...called]
  const last = closing ? [{ text: '', ...closing }] : [{ text: '' }]
  const events = [...parts.map((part) => answer([part], undefined, early)), answer(last, 'STOP')]
  return { chunks: events.map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`) }
}

const pieces = (text = ''): string[] => text.match(/[\s\S]{1,24}/g) ?? []
