// Declares the members of OpenAI's formats that name objects that OpenAI keeps.
import type { JsonObject } from './json-value.ts'
import { fileAddress, idOf, type FormatObjects, type ObjectPlaces } from './object-places.ts'

const file_id = idOf('file')
const address = idOf('file', { read: fileAddress })
const container_id = idOf('container')
/** Voices of the vendor's own are texts; one that somebody made is an object with its id. */
const voice: ObjectPlaces = { id: idOf('voice') }

/** A part of a message, a tool's answer, or a value of a prompt. */
const part: ObjectPlaces = {
  file_id,
  file: { file_id, file_url: address, file_data: address },
  file_url: address,
  image_url: idOf('file', { read: fileAddress, within: { url: address } }),
  video_url: idOf('file', { read: fileAddress, within: { url: address } }),
  audio_url: idOf('file', { read: fileAddress, within: { url: address } }),
  document_url: idOf('file', { read: fileAddress, within: { url: address } }),
  // A citation names the file and the container that it was found in.
  annotations: { file_id, container_id, file_citation: { file_id }, file_path: { file_id } },
}

/** Skills of the vendor's own have names that say so. */
const skill_id = idOf('skill', {
  read: (id, { type }) => (type === 'anthropic' || id.startsWith('openai-') ? undefined : id),
})
const environment: ObjectPlaces = { container_id, file_ids: file_id, skills: { skill_id } }

const tool: ObjectPlaces = {
  vector_store_ids: idOf('vector_store'),
  container: idOf('container', { within: environment }),
  environment,
  input_image_mask: part,
  tunnel_id: idOf('tunnel'),
  retrieval: { knowledge_id: idOf('vector_store') },
  tools: () => tool,
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
/** As the vendor makes them; other providers whose answers hold the thoughts themselves have shorter ones. */
const OPENAI_ITEM = /^[a-z]+_[0-9a-f]{48,}$/

/** An item that stands for one that the provider keeps: it holds nothing but its id, or the id is looked up all the same. */
function isReference(item: JsonObject, id: string): boolean {
  const { type = null } = item
  if (type === null) return isEmpty(item.role) && isEmpty(item.content)
  if (type === 'image_generation_call') return isEmpty(item.result)
  if (type !== 'reasoning') return type === 'item_reference'
  if (!isEmpty(item.encrypted_content)) return false
  return OPENAI_ITEM.test(id) || (isEmpty(item.summary) && isEmpty(item.content))
}

const item: ObjectPlaces = {
  id: idOf('item', { read: (id, holder) => (isReference(holder, id) ? id : undefined) }),
  content: part,
  output: part,
  results: { file_id },
  container_id,
  environment,
  tools: tool,
}

/** A prompt that the vendor keeps, and what fills it. */
const prompt: ObjectPlaces = { id: idOf('prompt'), variables: { '*': part } }

const answerItem: ObjectPlaces = {
  id: idOf('item'),
  container_id,
  environment: { container_id },
  content: { annotations: part.annotations! },
  results: { file_id },
}
const answer: ObjectPlaces = {
  id: idOf('response', { read: (id, { object }) => (object === 'response' ? id : undefined) }),
  conversation: { id: idOf('conversation') },
  output: answerItem,
}

export const responsesObjects: FormatObjects = {
  request: {
    previous_response_id: idOf('response'),
    conversation: idOf('conversation', { within: { id: idOf('conversation') } }),
    prompt,
    input: item,
    tools: tool,
  },
  // A whole answer, and the events of a stream that hold one, or a part of one.
  answer: { ...answer, response: answer, item: answerItem, annotation: part.annotations! },
  unknown: 'object.missing',
}

const sound: ObjectPlaces = { id: idOf('audio') }

export const chatObjects: FormatObjects = {
  request: { messages: { content: part, audio: sound }, audio: { voice }, tools: tool },
  answer: { choices: { message: { audio: sound }, delta: { audio: sound } } },
  unknown: 'object.missing',
}

/** Of texts alone. */
export const NO_OBJECTS: FormatObjects = { request: {}, answer: {}, unknown: 'object.missing' }

/** Of what is asked for beside chat: pictures, sound, texts. */
export const plainObjects: FormatObjects = {
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

const session: ObjectPlaces = {
  prompt,
  voice,
  audio: { output: { voice } },
  tools: tool,
  input: { content: part },
}

/** Of the events that a caller sends. */
export const realtimeObjects: FormatObjects = {
  request: { session, response: session, item: { content: part } },
  answer: {},
  unknown: 'object.missing',
}
