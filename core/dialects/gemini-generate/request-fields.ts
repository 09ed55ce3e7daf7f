// Declares the fields of this format's requests and how the reader handles each of them.
import { asText } from '../json/json-value.ts'
import {
  each,
  flagField,
  storedByVendor,
  members,
  object,
  acceptAny,
  textField,
  type FieldCheck,
} from '../requests/shape.ts'
import { numberOrTextField as number } from './fields.ts'

/** Addresses that only Google can open: its Files API, its buckets, videos. */
const AT_GOOGLE =
  /^(files\/|gs:\/\/|https:\/\/(generativelanguage\.googleapis\.com|(www\.|m\.)?youtube\.com|youtu\.be)\/)/
const file = storedByVendor('a file at Google')
const fileUri: FieldCheck = (value, ...place) => AT_GOOGLE.test(asText(value) ?? '') && file(value, ...place)

const media = {
  inlineData: members({ data: textField, mimeType: textField }),
  fileData: members({ fileUri, mimeType: textField }),
}

const part = members({
  ...media,
  text: textField,
  thought: flagField,
  thoughtSignature: textField,
  functionCall: members({ id: textField, name: textField, args: object }),
  functionResponse: members({ id: textField, name: textField, response: object, parts: each(unnamed(members(media))) }),
  executableCode: object,
  codeExecutionResult: object,
})

/** Parts are reported by their content, wherever they are. */
function unnamed(shape: FieldCheck): FieldCheck {
  return (value, _, ...rest) => shape(value, '', ...rest)
}

const content = members({ role: textField, parts: each(unnamed(part)) })

export const GENERATION_CONFIG = {
  temperature: number,
  topP: number,
  topK: number,
  candidateCount: number,
  maxOutputTokens: acceptAny,
  stopSequences: each(textField),
  presencePenalty: number,
  frequencyPenalty: number,
  seed: number,
  responseLogprobs: flagField,
  logprobs: number,
  responseMimeType: textField,
  responseSchema: object,
  responseJsonSchema: object,
  thinkingConfig: members({ includeThoughts: flagField, thinkingBudget: number, thinkingLevel: textField }),
  responseModalities: each(textField),
}

const functionDeclaration = members({
  name: textField,
  description: textField,
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
  fileSearch: storedByVendor('a store of files at Google'),
  retrieval: storedByVendor('a store of texts at Google'),
  mcpServers: storedByVendor('servers that Google asks for their tools'),
})

export const REQUEST_FIELDS = {
  model: acceptAny,
  contents: each(content),
  systemInstruction: content,
  tools: each(tool),
  toolConfig: members({ functionCallingConfig: members({ mode: textField, allowedFunctionNames: each(textField) }) }),
  generationConfig: members(GENERATION_CONFIG),
  serviceTier: textField,
  cachedContent: storedByVendor('a prompt at Google'),
}
