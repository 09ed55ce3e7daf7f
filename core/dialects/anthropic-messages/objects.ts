// Declares the members of Anthropic's messages that name objects that Anthropic keeps.
import { fileAddress, idOf, type FormatObjects, type ObjectPlaces } from '../object-places.ts'

const file_id = idOf('file')

/** A block of a message, or of what a tool answered. */
const block: ObjectPlaces = {
  source: { file_id, url: idOf('file', { read: fileAddress }), content: () => block },
  // Of an upload into the container, and of what code made there.
  file_id,
  content: () => block,
  citations: { file_id },
}

/** Skills of the vendor's own say so by their type. */
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
  // A whole answer, and the events of a stream that begin it, hold a block or end it.
  answer: { ...message, message, content_block: block, delta: { container: { id: idOf('container') } } },
  unknown: 'object.missing',
}
