// Declares the members of OpenAI's formats that refer to objects stored at OpenAI.
import type { JsonObject } from '../json/json-value.ts'
import type { FormatObjectDeclarations, ObjectDeclarations } from './object-places.ts'
import { normalizeFileAddress, declareId } from './object-places.ts'

const file_id = declareId('file')
const address = declareId('file', { read: normalizeFileAddress })
const container_id = declareId('container')
/** Built-in voices are texts; a custom voice is an object with its id. */
const voice: ObjectDeclarations = { id: declareId('voice') }

/** A part of a message, a tool result, or a value of a prompt. */
const part: ObjectDeclarations = {
  file_id,
  file: { file_id, file_url: address, file_data: address },
  file_url: address,
  image_url: declareId('file', { read: normalizeFileAddress, within: { url: address } }),
  video_url: declareId('file', { read: normalizeFileAddress, within: { url: address } }),
  audio_url: declareId('file', { read: normalizeFileAddress, within: { url: address } }),
  document_url: declareId('file', { read: normalizeFileAddress, within: { url: address } }),
  // A citation names the file and the container of its source.
  annotations: { file_id, container_id, file_citation: { file_id }, file_path: { file_id } },
}

/** Built-in skills have recognizable names. */
const skill_id = declareId('skill', {
  read: (id, { type }) => (type === 'anthropic' || id.startsWith('openai-') ? undefined : id),
})
const environment: ObjectDeclarations = { container_id, file_ids: file_id, skills: { skill_id } }

const tool: ObjectDeclarations = {
  vector_store_ids: declareId('vector_store'),
  container: declareId('container', { within: environment }),
  environment,
  input_image_mask: part,
  tunnel_id: declareId('tunnel'),
  retrieval: { knowledge_id: declareId('vector_store') },
  tools: () => tool,
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
/** OpenAI's item ids; other providers, whose answers include the reasoning itself, have shorter ones. */
const OPENAI_ITEM = /^[a-z]+_[0-9a-f]{48,}$/

/** Does the item refer to one stored at the provider? It has only its id, or the provider looks the id up anyway. */
function isReference(item: JsonObject, id: string): boolean {
  const { type = null } = item
  if (type === null) return isEmpty(item.role) && isEmpty(item.content)
  if (type === 'image_generation_call') return isEmpty(item.result)
  if (type !== 'reasoning') return type === 'item_reference'
  if (!isEmpty(item.encrypted_content)) return false
  return OPENAI_ITEM.test(id) || (isEmpty(item.summary) && isEmpty(item.content))
}

const item: ObjectDeclarations = {
  id: declareId('item', { read: (id, holder) => (isReference(holder, id) ? id : undefined) }),
  content: part,
  output: part,
  results: { file_id },
  container_id,
  environment,
  tools: tool,
}

/** A prompt stored at the vendor, and its variables. */
const prompt: ObjectDeclarations = { id: declareId('prompt'), variables: { '*': part } }

const answerItem: ObjectDeclarations = {
  id: declareId('item'),
  container_id,
  environment: { container_id },
  content: { annotations: part.annotations! },
  results: { file_id },
}
const answer: ObjectDeclarations = {
  id: declareId('response', { read: (id, { object }) => (object === 'response' ? id : undefined) }),
  conversation: { id: declareId('conversation') },
  output: answerItem,
}

export const responsesObjectPlaces: FormatObjectDeclarations = {
  request: {
    previous_response_id: declareId('response'),
    conversation: declareId('conversation', { within: { id: declareId('conversation') } }),
    prompt,
    input: item,
    tools: tool,
  },
  // A whole answer, and the stream events that contain one or a part of one.
  answer: { ...answer, response: answer, item: answerItem, annotation: part.annotations! },
  unknown: 'object.missing',
}

const sound: ObjectDeclarations = { id: declareId('audio') }

export const chatObjectPlaces: FormatObjectDeclarations = {
  request: { messages: { content: part, audio: sound }, audio: { voice }, tools: tool },
  answer: { choices: { message: { audio: sound }, delta: { audio: sound } } },
  unknown: 'object.missing',
}

/** Objects of formats with texts only. */
export const NO_OBJECT_PLACES: FormatObjectDeclarations = { request: {}, answer: {}, unknown: 'object.missing' }

/** Objects of operations other than chat: images, audio, texts. */
export const plainObjectPlaces: FormatObjectDeclarations = {
  request: {
    ...part,
    image: part,
    images: part,
    mask: part,
    input: part,
    input_reference: part,
    voice,
  },
  answer: {},
  unknown: 'object.missing',
}

const session: ObjectDeclarations = {
  prompt,
  voice,
  audio: { output: { voice } },
  tools: tool,
  input: { content: part },
}

/** Places of object ids in the events that a client of a realtime session sends. */
export const realtimeObjectPlaces: FormatObjectDeclarations = {
  request: { session, response: session, item: { content: part } },
  answer: {},
  unknown: 'object.missing',
}
