// Declares the members of Anthropic's messages that refer to objects stored at Anthropic.
import { fileAddress, declareId, type FormatObjects, type ObjectPlaces } from '../object-places.ts'

const file_id = declareId('file')

/** A block of a message or of a tool result. */
const block: ObjectPlaces = {
  source: { file_id, url: declareId('file', { read: fileAddress }), content: () => block },
  // An upload into the container, or a file that code created there.
  file_id,
  content: () => block,
  citations: { file_id },
}

/** The type marks Anthropic's built-in skills. */
const skill_id = declareId('skill', { read: (id, { type }) => (type === 'anthropic' ? undefined : id) })
const container = declareId('container', { within: { id: declareId('container'), skills: { skill_id } } })

const message: ObjectPlaces = {
  id: declareId('thread', { read: (id, { type }) => (type === 'message' ? id : undefined) }),
  container: { id: declareId('container') },
  content: block,
}

export const objects: FormatObjects = {
  request: {
    system: block,
    messages: { content: block },
    container,
    thread: { previous_message_id: declareId('thread') },
    user_profile_id: declareId('profile'),
  },
  // A whole answer, and the stream events that start it, hold a block or end it.
  answer: { ...message, message, content_block: block, delta: { container: { id: declareId('container') } } },
  unknown: 'object.missing',
}
