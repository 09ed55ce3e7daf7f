// Google's client at generateContent.
import { GoogleGenAI, type GenerateContentResponse } from '@google/genai'
import type { Json } from '../../support/json.ts'
import { createListener, type Client, type Finish } from '../saying.ts'

const finishes: Record<string, Finish> = {
  MAX_TOKENS: 'length',
  SAFETY: 'content_filter',
  RECITATION: 'content_filter',
  BLOCKLIST: 'content_filter',
  PROHIBITED_CONTENT: 'content_filter',
  SPII: 'content_filter',
  IMAGE_SAFETY: 'content_filter',
}

/** Without the head of the answer, which is the gateway's own. */
const shown = (answer: GenerateContentResponse): object => ({ ...answer, sdkHttpResponse: undefined })

const fenced = (language: string, text: string): string => `\n\`\`\`${language}\n${text.replace(/\n$/, '')}\n\`\`\`\n`

/** Puts a piece of an argument in its place: `$.operations[0].price`. */
function put(args: Json, { jsonPath, stringValue, numberValue, boolValue }: Json): void {
  const path: string[] = jsonPath.match(/[^$.[\]]+/g)
  const last = path.pop()!
  const at = path.reduce((inner, key, place) => (inner[key] ??= /^\d+$/.test(path[place + 1] ?? last) ? [] : {}), args)
  at[last] = stringValue === undefined ? (numberValue ?? boolValue ?? null) : (at[last] ?? '') + stringValue
}

export const geminiClient: Client = {
  name: 'Gemini',
  apis: ['google.generateContent'],
  plain: { contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] },
  // Its own words for a request are others than the format's, but for a plain one.
  async ask({ url, key }, model, body, streamed) {
    const { models } = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url } })
    const [said] = /Hello from caller no. \d+/.exec(JSON.stringify(body)) ?? ['Hello']
    const params = { model, contents: said }
    if (!streamed) return [shown(await models.generateContent(params))]
    const chunks: object[] = []
    for await (const chunk of await models.generateContentStream(params)) chunks.push(shown(chunk))
    return chunks
  },
  raw: ({ url, key }, model, body, streamed) => ({
    url: `${url}/v1beta/models/${model}:${streamed ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    headers: { 'x-goog-api-key': key },
    body,
  }),
  read(chunks) {
    const heard = createListener()
    const calls: { name: string; args: Json }[] = []
    let open = false
    for (const { candidates, usageMetadata: used } of chunks) {
      const candidate = (candidates ?? []).find(({ index = 0 }: Json) => index === 0)
      for (const part of candidate?.content?.parts ?? []) {
        if (part.thought) heard.reasoning(part.text)
        else heard.text(part.text)
        // Code that Google ran, and what came of it, are shown as texts elsewhere.
        if (part.executableCode) heard.text(fenced('python', part.executableCode.code))
        if (part.codeExecutionResult) heard.text(fenced('', part.codeExecutionResult.output ?? ''))
        if (part.inlineData?.mimeType?.startsWith('image/')) heard.image()
        const { functionCall: call } = part
        if (!call) continue
        if (!open) calls.push({ name: call.name, args: call.args ?? {} })
        for (const more of call.partialArgs ?? []) put(calls.at(-1)!.args, more)
        open = call.willContinue === true
      }
      for (const { web } of candidate?.groundingMetadata?.groundingChunks ?? []) heard.source(web?.uri)
      for (const { uri } of candidate?.citationMetadata?.citations ?? []) heard.source(uri)
      const word = candidate?.finishReason
      if (word) heard.finish(finishes[word] ?? 'stop')
      if (used?.totalTokenCount) {
        const prompt = used.promptTokenCount + (used.toolUsePromptTokenCount ?? 0)
        heard.usage({
          prompt,
          cached: used.cachedContentTokenCount ?? 0,
          written: 0,
          completion: used.totalTokenCount - prompt,
          reasoning: used.thoughtsTokenCount ?? 0,
        })
      }
    }
    for (const [at, { name, args }] of calls.entries()) heard.call(at, name, args)
    return heard.heard()
  },
  // A refusal is a text there; what is written to a cache is not counted apart. Arguments are objects: of what is none
  // only the finish reason tells that it was.
  able: (saying) => {
    const calls = saying.calls.filter((call) => typeof call.arguments === 'object')
    return {
      ...saying,
      text: saying.text + saying.refusal,
      refusal: '',
      calls,
      // It has to say a reason, also where none was said.
      finish: saying.finish === 'tool_calls' && calls.length === 0 ? 'stop' : (saying.finish ?? 'stop'),
      usage: saying.usage && { ...saying.usage, written: 0 },
    }
  },
}
