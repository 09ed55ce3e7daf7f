// A short call of every format that chats, by its path.
import { callerFormats } from './formats.ts'

/** The longest answer that the calls ask for. Unit: tokens. */
export const LONGEST = 50

/** Paths of the formats for a model; those whose answers always stream have `stream` in them. */
export const chatPaths = (model: string): string[] =>
  callerFormats.flatMap((format) => format.paths.map((path) => path.replace('{model}', model)))

/** The body of a short call at a path. */
export function shortCall(path: string, model: string): object {
  if (path.includes(':'))
    return {
      contents: [{ role: 'user', parts: [{ text: 'Hello there' }] }],
      generationConfig: { maxOutputTokens: LONGEST },
    }
  if (path.endsWith('/responses')) return { model, input: 'Hello there', max_output_tokens: LONGEST }
  if (path.endsWith('completions') && !path.includes('chat'))
    return { model, prompt: 'Hello there', max_tokens: LONGEST }
  return { model, messages: [{ role: 'user', content: 'Hello there' }], max_tokens: LONGEST }
}
