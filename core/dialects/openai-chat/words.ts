// Patterns of OpenAI's request fields that hold something other than text, in chat, Responses and similar formats,
// including the further fields of vendors that use these formats.
import { requestWords } from '../request-words.ts'

export const OPENAI_WORDS = requestWords({
  pictures: ['image_url', 'input_image', 'image', 'inline_?data'],
  files: [
    ...['file\\w*', 'input_file', 'document', 'video_url', 'input_audio', 'cached_?content'],
    ...['previous_response_id', 'conversation', '(?:web|google|file)_?search\\w*', 'url_?context'],
  ],
  hostedTools: [
    ...['(?:web|google|file)_?search\\w*', 'web_?fetch\\w*', 'url_?context', '(?:\\w+_)?code_?execution\\w*'],
    ...['code_?interpreter', 'tool_search\\w*', 'mcp\\w*', 'google_?maps', 'image_generation', 'container', 'plugins'],
  ],
  thoughts: ['thinking', 'reasoning', 'reasoning_effort', 'thinking_?config', 'enable_thinking', 'thinking_budget'],
  mediaOut: ['modalities', 'response_?modalities', 'audio'],
  sound: ['audio'],
})
