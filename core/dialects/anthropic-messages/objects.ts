// Declares the members of Anthropic's messages that refer to objects stored at Anthropic.
import { fileAddress, idOf, type FormatObjects, type ObjectPlaces } from '../object-places.ts'

const file_id = idOf('file')

/** A block of a message or of a tool result. */
const block: ObjectPlaces = {
  source: { file_id, url: idOf('file', { read: fileAddress }), content: () => block },
  // An upload into the container, or a file that code created there.
  file_id,
  content: () => block,
  citations: { file_id },
}

/** The type marks Anthropic's built-in skills. */
const skill_id = idOf('skill', { read: (id, { type }) => (type === 'anthropic' ? undefined : id) })
const container = idOf('container', { within: { id: idOf('container'), skills: { skill_id } } })

const message: ObjectPlaces = {
  id: idOf('thread', { read: (id, { type }) => (type === 'message' ? id : undefined) }),
  container: { id: idOf('container') },
  content: block,
}

export const objects: FormatObjects = {
  request: {
    system: block,
    messages: { content: block },
    container,
    thread: { previous_message_id: idOf('thread') },
    user_profile_id: idOf('profile'),
  },
  // A whole answer, and the stream events that start it, hold a block or end it.
  answer: { ...message, message, content_block: block, delta: { container: { id: idOf('container') } } },
  unknown: 'object.missing',
}
