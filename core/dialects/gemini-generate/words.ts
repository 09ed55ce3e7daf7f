// Patterns of Google's request fields that hold something other than text, in both spellings.
import { createRequestCostScanner } from '../requests/cost-scanner.ts'

export const COST_SCANNER = createRequestCostScanner({
  pictures: ['inline_?data'],
  files: ['file\\w*', 'cached_?content', '(?:google|file)_?search\\w*', 'url_?context'],
  hostedTools: ['(?:google|file)_?search\\w*', 'url_?context', 'code_?execution\\w*', 'google_?maps'],
  thoughts: ['thinking_?config'],
  mediaOut: ['response_?modalities'],
  sound: ['audio'],
})
