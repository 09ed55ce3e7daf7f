// Patterns of Anthropic's request fields that hold something other than text.
import { createRequestCostScanner } from '../requests/cost-scanner.ts'

export const COST_SCANNER = createRequestCostScanner({
  pictures: ['image'],
  files: ['file\\w*', 'document', 'web_?search\\w*'],
  hostedTools: [
    ...['web_?search\\w*', 'web_?fetch\\w*', '(?:\\w+_)?code_?execution\\w*', 'tool_search\\w*', 'advisor\\w*'],
    ...['mcp\\w*', 'container'],
  ],
  // The last two are fields of other vendors that use this format for their own models.
  thoughts: ['thinking', 'reasoning_effort', 'enable_thinking'],
  mediaOut: [],
  sound: [],
})
