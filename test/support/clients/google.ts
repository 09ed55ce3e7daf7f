// Google's library.
import {
  GoogleGenAI,
  type Content,
  type GenerateContentConfig,
  type GenerateContentResponse,
  type Part,
} from '@google/genai'
import { turns, type Client, type Question, type Reading, type Setup } from './client.ts'

/** The chunks of an answer; a whole one is one. */
async function generate(
  { url, key, model, streamed }: Setup,
  contents: Content[] | string,
  config: GenerateContentConfig,
): Promise<GenerateContentResponse[]> {
  const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
  if (!streamed) return [await models.generateContent({ model, contents, config })]
  const chunks: GenerateContentResponse[] = []
  for await (const chunk of await models.generateContentStream({ model, contents, config })) chunks.push(chunk)
  return chunks
}

const partsOf = (chunks: GenerateContentResponse[]): Part[] =>
  chunks.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])

const textOf = (parts: Part[]): string => parts.map(({ text, thought }) => (thought ? '' : (text ?? ''))).join('')

async function converse(setup: Setup, { system, text, png, tools, limit, run }: Question): Promise<Reading[]> {
  const inlineData = { mimeType: 'image/png', data: png }
  const contents: Content[] = [{ role: 'user', parts: [{ text }, { inlineData }] }]
  const declared = tools.map(({ name, description, parameters }) => ({
    name,
    description,
    parametersJsonSchema: parameters,
  }))
  const config: GenerateContentConfig = {
    systemInstruction: system,
    tools: [{ functionDeclarations: declared }],
    thinkingConfig: { includeThoughts: true, thinkingBudget: 1024 },
    maxOutputTokens: limit,
  }
  return turns(async () => {
    const chunks = await generate(setup, contents, config)
    const parts = partsOf(chunks)
    contents.push({ role: 'model', parts })
    const calls = parts.flatMap(({ functionCall }) => (functionCall ? [functionCall] : []))
    if (calls.length > 0) {
      const answered = calls.map(({ id, name = '', args = {} }) => ({
        functionResponse: { ...(id ? { id } : {}), name, response: { output: run(name, args) } },
      }))
      contents.push({ role: 'user', parts: answered })
    }
    const usage = chunks.findLast(({ usageMetadata }) => usageMetadata)?.usageMetadata
    const thoughts = usage?.thoughtsTokenCount ?? 0
    const reading = {
      text: textOf(parts),
      thought: parts.map((part) => (part.thought ? (part.text ?? '') : '')).join(''),
      calls: calls.map(({ name = '', args = {} }) => ({ name, args })),
      finish: String(chunks.findLast(({ candidates }) => candidates?.[0]?.finishReason)?.candidates?.[0]?.finishReason),
      usage: {
        prompt: usage?.promptTokenCount ?? 0,
        cached: usage?.cachedContentTokenCount ?? 0,
        completion: (usage?.candidatesTokenCount ?? 0) + thoughts,
        reasoning: thoughts,
      },
    }
    return { reading, again: calls.length > 0 }
  })
}

export const googleClient: Client = {
  name: '@google/genai',
  speaks: 'gemini',
  finishes: { calls: 'STOP', stop: 'STOP', length: 'MAX_TOKENS' },
  blind: [],
  returnsThoughts: true,
  converse,
  async json(setup, text, schema) {
    const config = { responseMimeType: 'application/json', responseJsonSchema: schema }
    return JSON.parse(textOf(partsOf(await generate(setup, text, config))))
  },
  ask: async (setup) => textOf(partsOf(await generate(setup, 'Hello', {}))),
}
