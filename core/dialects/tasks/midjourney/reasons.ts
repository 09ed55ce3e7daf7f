// The errors of submissions, in the words that clients of Midjourney proxies know, and their explanations.
import { fail, words, type Words } from '../../../errors.ts'

/** The word, the request member that it refers to, and its explanation. Some are spelled as clients expect them. */
const reasons = {
  prompt_is_required: ['prompt', words('set prompt to the description of the drawing')],
  task_id_is_required: ['taskId', words('set taskId to the id of the drawing')],
  action_is_required: ['action', words('set action to UPSCALE, VARIATION or REROLL')],
  index_is_required: ['index', words('set index to the picture: 1, 2, 3 or 4')],
  content_is_required: ['content', words('set content to the id of a drawing and U1 to U4, V1 to V4 or R')],
  content_parse_failed: ['content', words('content is the id of a drawing, a blank, and U1 to U4, V1 to V4 or R')],
  custom_id_is_required: ['customId', words('set customId to the button that is pressed')],
  unknown_action: ['action', words('unknown action')],
  index_parse_failed: ['customId', words('the button does not name the picture')],
  sour_base64_and_target_base64_is_required: ['sourceBase64', words('give both faces: sourceBase64 and targetBase64')],
} as const satisfies Record<string, readonly [param: string, means: Words]>

/**
 * Refuses a submission; `said` is the invalid value in the request.
 * @throws GatewayError drawing.invalid
 */
export function rejectSubmission(word: keyof typeof reasons, value = ''): never {
  const [param, means] = reasons[word]
  const shown = value === '' ? '' : `:${value.slice(0, 200)}`
  return fail('drawing.invalid', { param, word: `${word}${shown}`, means })
}
