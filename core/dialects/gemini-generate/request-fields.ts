// What this format's requests may hold, and what of it the reader takes.
import { each, kept, members, taken, type Shape } from '../shape.ts'

/** Addresses that only Google opens: its Files API, its buckets, videos. */
const AT_GOOGLE =
  /^(files\/|gs:\/\/|https:\/\/(generativelanguage\.googleapis\.com|(www\.|m\.)?youtube\.com|youtu\.be)\/)/
const file = kept('a file at Google')
const fileUri: Shape = (value, ...place) => AT_GOOGLE.test(String(value)) && file(value, ...place)

const media = {
  inlineData: members({ data: taken, mimeType: taken }),
  fileData: members({ fileUri, mimeType: taken }),
}

const part = members({
  ...media,
  text: taken,
  thought: taken,
  thoughtSignature: taken,
  functionCall: members({ id: taken, name: taken, args: taken }),
  functionResponse: members({ id: taken, name: taken, response: taken, parts: each(unnamed(members(media))) }),
  executableCode: taken,
  codeExecutionResult: taken,
})

/** Parts are named by what they hold, wherever they stand. */
function unnamed(shape: Shape): Shape {
  return (value, _, ...rest) => shape(value, '', ...rest)
}

const content = members({ role: taken, parts: each(unnamed(part)) })

export const CONFIG = {
  temperature: taken,
  topP: taken,
  topK: taken,
  candidateCount: taken,
  maxOutputTokens: taken,
  stopSequences: taken,
  presencePenalty: taken,
  frequencyPenalty: taken,
  seed: taken,
  responseLogprobs: taken,
  logprobs: taken,
  responseMimeType: taken,
  responseSchema: taken,
  responseJsonSchema: taken,
  thinkingConfig: members({ includeThoughts: taken, thinkingBudget: taken, thinkingLevel: taken }),
  responseModalities: taken,
}

const functionDeclaration = members({
  name: taken,
  description: taken,
  parameters: taken,
  parametersJsonSchema: taken,
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
  toolConfig: members({ functionCallingConfig: members({ mode: taken, allowedFunctionNames: taken }) }),
  generationConfig: members(CONFIG),
  serviceTier: taken,
  cachedContent: kept('a prompt at Google'),
}
