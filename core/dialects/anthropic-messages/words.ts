// Anthropic's words for what a request holds beside text.
import { requestWords } from '../request-words.ts'

export const WORDS = requestWords({
  pictures: ['image'],
  files: ['file\\w*', 'document', 'web_?search\\w*'],
  hostedTools: [
    ...['web_?search\\w*', 'web_?fetch\\w*', '(?:\\w+_)?code_?execution\\w*', 'tool_search\\w*', 'advisor\\w*'],
    ...['mcp\\w*', 'container'],
  ],
  // The last two are words of vendors who speak this format for models of their own.
  thoughts: ['thinking', 'reasoning_effort', 'enable_thinking'],
  mediaOut: [],
  sound: [],
})
