// What this format's requests may hold, and what of it the reader takes.
import { textIn } from '../json-value.ts'
import { each, flag, kept, kind, members, object, taken, text, type Shape } from '../shape.ts'
import { numberAt } from './fields.ts'

/** Addresses that only Google opens: its Files API, its buckets, videos. */
const AT_GOOGLE =
  /^(files\/|gs:\/\/|https:\/\/(generativelanguage\.googleapis\.com|(www\.|m\.)?youtube\.com|youtu\.be)\/)/
const file = kept('a file at Google')
const fileUri: Shape = (value, ...place) => AT_GOOGLE.test(textIn(value) ?? '') && file(value, ...place)

const number = kind('a number', (value) => numberAt(value) !== undefined)

const media = {
  inlineData: members({ data: text, mimeType: text }),
  fileData: members({ fileUri, mimeType: text }),
}

const part = members({
  ...media,
  text,
  thought: flag,
  thoughtSignature: text,
  functionCall: members({ id: text, name: text, args: object }),
  functionResponse: members({ id: text, name: text, response: object, parts: each(unnamed(members(media))) }),
  executableCode: object,
  codeExecutionResult: object,
})

/** Parts are named by what they hold, wherever they stand. */
function unnamed(shape: Shape): Shape {
  return (value, _, ...rest) => shape(value, '', ...rest)
}

const content = members({ role: text, parts: each(unnamed(part)) })

export const CONFIG = {
  temperature: number,
  topP: number,
  topK: number,
  candidateCount: number,
  maxOutputTokens: taken,
  stopSequences: each(text),
  presencePenalty: number,
  frequencyPenalty: number,
  seed: number,
  responseLogprobs: flag,
  logprobs: number,
  responseMimeType: text,
  responseSchema: object,
  responseJsonSchema: object,
  thinkingConfig: members({ includeThoughts: flag, thinkingBudget: number, thinkingLevel: text }),
  responseModalities: each(text),
}

const functionDeclaration = members({
  name: text,
  description: text,
  parameters: object,
  parametersJsonSchema: object,
})

const tool = members({
  functionDeclarations: each(functionDeclaration),
  // Their options are Google's own.
  googleSearch: members({}),
  googleSearchRetrieval: members({}),
  enterpriseWebSearch: members({}),
  urlContext: members({}),
  codeExecution: members({}),
  fileSearch: kept('a store of files at Google'),
  retrieval: kept('a store of texts at Google'),
  mcpServers: kept('servers that Google asks for their tools'),
})

/** A request's fields. */
export const FIELDS = {
  model: taken,
  contents: each(content),
  systemInstruction: content,
  tools: each(tool),
  toolConfig: members({ functionCallingConfig: members({ mode: text, allowedFunctionNames: each(text) }) }),
  generationConfig: members(CONFIG),
  serviceTier: text,
  cachedContent: kept('a prompt at Google'),
}
