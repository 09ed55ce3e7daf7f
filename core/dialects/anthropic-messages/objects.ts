// Declares the members of Anthropic's messages that refer to objects stored at Anthropic.
import {
  normalizeFileAddress,
  declareId,
  type FormatObjectDeclarations,
  type ObjectDeclarations,
} from '../requests/object-places.ts'

const file_id = declareId('file')

/** A block of a message or of a tool result. */
const block: ObjectDeclarations = {
  source: { file_id, url: declareId('file', { read: normalizeFileAddress }), content: () => block },
  // An upload into the container, or a file that code created there.
  file_id,
  content: () => block,
  citations: { file_id },
}

/** The type marks Anthropic's built-in skills. */
const skill_id = declareId('skill', { read: (id, { type }) => (type === 'anthropic' ? undefined : id) })
const container = declareId('container', { within: { id: declareId('container'), skills: { skill_id } } })

const message: ObjectDeclarations = {
  id: declareId('thread', { read: (id, { type }) => (type === 'message' ? id : undefined) }),
  container: { id: declareId('container') },
  content: block,
}

export const messageObjects: FormatObjectDeclarations = {
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
