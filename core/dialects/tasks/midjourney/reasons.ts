// The errors of submissions, in the words that clients of Midjourney proxies know, and their explanations.
import { fail, words, type Words } from '../../../errors.ts'

/** The word, the request member that it refers to, and its explanation. Some are spelled as clients expect them. */
const reasons = {
  prompt_is_required: [
    'prompt',
    words('set prompt to the description of the drawing', '请在 prompt 中描述要绘制的内容'),
  ],
  task_id_is_required: ['taskId', words('set taskId to the id of the drawing', '请在 taskId 中指明绘图任务')],
  action_is_required: [
    'action',
    words('set action to UPSCALE, VARIATION or REROLL', '请在 action 中填写 UPSCALE、VARIATION 或 REROLL'),
  ],
  index_is_required: ['index', words('set index to the picture: 1, 2, 3 or 4', '请在 index 中填写图片序号：1 到 4')],
  content_is_required: [
    'content',
    words(
      'set content to the id of a drawing and U1 to U4, V1 to V4 or R',
      '请在 content 中填写任务 ID 与 U1–U4、V1–V4 或 R',
    ),
  ],
  content_parse_failed: [
    'content',
    words(
      'content is the id of a drawing, a blank, and U1 to U4, V1 to V4 or R',
      'content 应为任务 ID、空格与 U1–U4、V1–V4 或 R',
    ),
  ],
  custom_id_is_required: ['customId', words('set customId to the button that is pressed', '请在 customId 中指明按钮')],
  unknown_action: ['action', words('unknown action', '没有这种操作')],
  index_parse_failed: ['customId', words('the button does not name the picture', '按钮未指明图片序号')],
  sour_base64_and_target_base64_is_required: [
    'sourceBase64',
    words('give both faces: sourceBase64 and targetBase64', '请同时提供 sourceBase64 与 targetBase64'),
  ],
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
