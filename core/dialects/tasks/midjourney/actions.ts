// The actions of a Midjourney proxy, the model names they are sold under, and the buttons and short texts that trigger
// them.
import { rejectSubmission } from './codes.ts'

/** Actions, as in lists, and the model names that they are priced and routed by. */
export const DRAWING_ACTION_MODELS = {
  IMAGINE: 'mj_imagine',
  VARIATION: 'mj_variation',
  REROLL: 'mj_reroll',
  BLEND: 'mj_blend',
  MODAL: 'mj_modal',
  ZOOM: 'mj_zoom',
  SHORTEN: 'mj_shorten',
  HIGH_VARIATION: 'mj_high_variation',
  LOW_VARIATION: 'mj_low_variation',
  PAN: 'mj_pan',
  INPAINT: 'mj_inpaint',
  CUSTOM_ZOOM: 'mj_custom_zoom',
  DESCRIBE: 'mj_describe',
  UPSCALE: 'mj_upscale',
  SWAP_FACE: 'swap_face',
  UPLOAD: 'mj_upload',
} as const
export type DrawingAction = keyof typeof DRAWING_ACTION_MODELS

/** Speed and price of a drawing: the first part of its path, as in `/mj-turbo/mj/submit/imagine`. */
export const DRAWING_SPEED_MODES = ['fast', 'relax', 'turbo'] as const
export type DrawingMode = (typeof DRAWING_SPEED_MODES)[number]

/** Returns the mode in a path, if any. */
export const findDrawingMode = (word: string | undefined): DrawingMode | undefined =>
  DRAWING_SPEED_MODES.find((mode) => mode === word)

/**
 * Returns the model name that an action is routed and priced by. With a mode it is a separate name
 * (`mj_turbo_imagine`), which falls back to the plain one if no channel lists it and it has no price
 * (`models/same-model.ts`).
 */
export function getActionModel(action: DrawingAction, mode?: DrawingMode): string {
  const model = DRAWING_ACTION_MODELS[action]
  // Another service, without modes, swaps faces.
  return mode === undefined ? model : model.replace(/^mj_/, `mj_${mode}_`)
}

/** Does the action only open a window? The submission that fills it in (MODAL) is charged. */
export const opensDrawingWindow = (action: string): boolean => action === 'INPAINT' || action === 'CUSTOM_ZOOM'

/** An action on an earlier drawing, and the index of its image. */
export interface ButtonAction {
  action: DrawingAction
  /** From 1. */
  index: number
}

const buttons: readonly [is: (word: string) => boolean, action: DrawingAction, numbered?: true][] = [
  [(word) => word.includes('upsample'), 'UPSCALE', true],
  [(word) => word === 'variation', 'VARIATION', true],
  [(word) => word === 'low_variation', 'LOW_VARIATION'],
  [(word) => word === 'high_variation', 'HIGH_VARIATION'],
  [(word) => word.includes('pan'), 'PAN'],
  [(word) => word.includes('reroll'), 'REROLL'],
  [(word) => word === 'Outpaint', 'ZOOM'],
  [(word) => word === 'CustomZoom', 'CUSTOM_ZOOM'],
  [(word) => word === 'Inpaint', 'INPAINT'],
]

/**
 * Parses the id of a button: `MJ::JOB::upsample::2::…` upscales the second image.
 * @throws GatewayError drawing.invalid with unknown_action, index_parse_failed
 */
export function parseButton(customId: string): ButtonAction {
  const [, second, third, fourth = ''] = customId.split('::')
  const word = (second === 'JOB' ? third : second) ?? ''
  const [, action, numbered] = buttons.find(([is]) => is(word)) ?? rejectSubmission('unknown_action', customId)
  if (!numbered) return { action, index: 1 }
  return { action, index: /^\d{1,3}$/.test(fourth) ? Number(fourth) : rejectSubmission('index_parse_failed', customId) }
}

const LETTERS: Readonly<Record<string, DrawingAction>> = { U: 'UPSCALE', V: 'VARIATION', R: 'REROLL' }

/**
 * Parses `<task id> U2`, `<task id> V4` or `<task id> R`: upscale, vary, reroll.
 * @throws GatewayError drawing.invalid with content_parse_failed
 */
export function parseSimpleChange(content: string): ButtonAction & { follows: string } {
  const [, follows = '', one = '', which = '1'] =
    /^\s*(\S+)\s+([UV](?=[1-4]\s*$)|R(?=\s*$))([1-4])?\s*$/i.exec(content) ??
    rejectSubmission('content_parse_failed', content)
  return { follows, action: LETTERS[one.toUpperCase()]!, index: Number(which) }
}
