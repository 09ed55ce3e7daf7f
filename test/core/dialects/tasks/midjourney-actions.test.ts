// Buttons, short texts, models and prompts of Midjourney, as the tables of its proxies have them.
import { describe, expect, it } from 'vitest'
import {
  DRAWING_ACTION_MODELS,
  DRAWING_SPEED_MODES,
  getActionModel,
  findDrawingMode,
  opensDrawingWindow,
  parseButton,
  parseSimpleChange,
  type DrawingAction,
} from '../../../../core/dialects/tasks/midjourney/codes.ts'
import { parseSubmission, removeModeFlags, SUBMISSION_KINDS } from '../../../../core/dialects/tasks/midjourney/index.ts'
import { isSameModel, listSameModels } from '../../../../core/models/same-model.ts'
import { modelPrice } from '../../../../core/settings/model-prices.data.ts'
import { midjourneyPlus, midjourney } from '../../../../core/providers/midjourney.ts'
import { buttonsOf } from '../../../tasks/vendors/midjourney-buttons.ts'

const JOB = '82c51c9d-bc33-4c07-a471-36c3dcb1a6f0'

/** The table of a button's action word. */
const table: [customId: string, action: DrawingAction, index: number][] = [
  [`MJ::JOB::upsample::1::${JOB}`, 'UPSCALE', 1],
  [`MJ::JOB::upsample::4::${JOB}`, 'UPSCALE', 4],
  [`MJ::JOB::upsample_v5_2x::1::${JOB}::SOLO`, 'UPSCALE', 1],
  [`MJ::JOB::upsample_v6_2x_creative::1::${JOB}::SOLO`, 'UPSCALE', 1],
  [`MJ::JOB::variation::3::${JOB}`, 'VARIATION', 3],
  [`MJ::JOB::low_variation::1::${JOB}::SOLO`, 'LOW_VARIATION', 1],
  [`MJ::JOB::high_variation::2::${JOB}::SOLO`, 'HIGH_VARIATION', 1],
  [`MJ::JOB::pan_left::1::${JOB}::SOLO`, 'PAN', 1],
  [`MJ::JOB::pan_down::3::${JOB}::SOLO`, 'PAN', 1],
  [`MJ::JOB::reroll::0::${JOB}::SOLO`, 'REROLL', 1],
  [`MJ::Outpaint::50::1::${JOB}::SOLO`, 'ZOOM', 1],
  [`MJ::Outpaint::75::1::${JOB}::SOLO`, 'ZOOM', 1],
  [`MJ::CustomZoom::${JOB}`, 'CUSTOM_ZOOM', 1],
  [`MJ::Inpaint::1::${JOB}::SOLO`, 'INPAINT', 1],
  ['MJ::upsample::x::2', 'UPSCALE', 2],
]

describe('a button of a drawing', () => {
  it.each(table)('%s is %s of picture %i', (customId, action, index) => {
    expect(parseButton(customId)).toEqual({ action, index })
  })

  it.each([
    [`MJ::BOOKMARK::${JOB}`, 'unknown_action:MJ::BOOKMARK'],
    ['MJ::Job::PicReader::1', 'unknown_action'],
    ['MJ::JOB::variations::1::x', 'unknown_action'],
    ['MJ::JOB::Outpainted', 'unknown_action'],
    ['MJ::JOB', 'unknown_action:MJ::JOB'],
    // Without the colons: a 400 and no crash.
    ['upsample', 'unknown_action:upsample'],
    ['MJ::JOB::upsample', 'index_parse_failed'],
    ['MJ::JOB::upsample::one::x', 'index_parse_failed'],
    ['MJ::JOB::variation::-1::x', 'index_parse_failed'],
    ['MJ::JOB::upsample::99999999999999999999::x', 'index_parse_failed'],
  ])('%s is refused with %s', (customId, word) => {
    expect(() => parseButton(customId)).toThrow(word)
  })

  it('is known wherever the bot makes one that asks for an action of the table', () => {
    const known = ['IMAGINE', 'UPSCALE'].flatMap(buttonsOf).filter(({ customId }) => !customId.includes('BOOKMARK'))
    expect(known.map(({ customId }) => parseButton(customId).action)).toHaveLength(21)
  })
})

describe('a simple change', () => {
  it.each([
    ['1730000000000001 U1', { follows: '1730000000000001', action: 'UPSCALE', index: 1 }],
    ['1730000000000001 v4', { follows: '1730000000000001', action: 'VARIATION', index: 4 }],
    ['  1730000000000001   R ', { follows: '1730000000000001', action: 'REROLL', index: 1 }],
  ])('%j is read', (content, read) => {
    expect(parseSimpleChange(content)).toEqual(read)
  })

  it.each(['', '173', '173 U', '173 U0', '173 U5', '173 R1', '173 X1', 'U1', '173 U1 more', '173 U11'])(
    '%j is refused',
    (content) => {
      expect(() => parseSimpleChange(content)).toThrow('content_parse_failed')
    },
  )
})

describe('the model of an action', () => {
  it('has a price, and stands in the list of a proxy', () => {
    const offered = new Set([...midjourney.models, ...midjourneyPlus.models])
    for (const model of Object.values(DRAWING_ACTION_MODELS)) {
      expect(Object.keys(modelPrice), model).toContain(model)
      expect([...offered], model).toContain(model)
    }
    expect(offered.size).toBe(Object.keys(DRAWING_ACTION_MODELS).length)
  })

  it('costs nothing where it only opens a window, and something everywhere else', () => {
    for (const [action, model] of Object.entries(DRAWING_ACTION_MODELS))
      expect(modelPrice[model] === 0, action).toBe(opensDrawingWindow(action))
  })

  it('has a name of its own for each mode, which stands for the plain one', () => {
    expect(getActionModel('IMAGINE')).toBe('mj_imagine')
    for (const mode of DRAWING_SPEED_MODES) {
      expect(getActionModel('PAN', mode)).toBe(`mj_${mode}_pan`)
      expect(listSameModels(getActionModel('PAN', mode), ['mj_zoom', 'mj_pan'])).toEqual(['mj_pan'])
    }
    expect(isSameModel('mj_fast_pan', 'mj_turbo_pan')).toBe(false)
    expect(getActionModel('SWAP_FACE', 'turbo')).toBe('swap_face')
    expect([findDrawingMode('turbo'), findDrawingMode('loud'), findDrawingMode(undefined)]).toEqual([
      'turbo',
      undefined,
      undefined,
    ])
  })

  it('trap 2: an upload finds channels that list it as mj_uploads', () => {
    expect(listSameModels(getActionModel('UPLOAD'), ['mj_uploads'])).toEqual(['mj_uploads'])
    expect(listSameModels('mj_uploads', ['mj_upload'])).toEqual(['mj_upload'])
    expect(listSameModels(getActionModel('UPLOAD', 'fast'), ['mj_uploads'])).toEqual(['mj_uploads'])
  })
})

describe('words of speed in a prompt', () => {
  it.each([
    ['a cat --fast', 'a cat'],
    ['a cat --turbo --v 7', 'a cat --v 7'],
    ['--relax a cat', 'a cat'],
    ['a cat --relax --fast --TURBO', 'a cat'],
    ['a cat —fast --ar 16:9', 'a cat --ar 16:9'],
    ['--fast', ''],
  ])('%j becomes %j', (prompt, cleared) => {
    expect(removeModeFlags(prompt)).toBe(cleared)
  })

  it.each(['a cat', ' a cat  on a ferry ', 'a fast cat', 'a cat --faster', 'a cat --fast-forward', 'so--fast'])(
    '%j stays as it is',
    (prompt) => {
      expect(removeModeFlags(prompt)).toBe(prompt)
    },
  )
})

describe('a submission', () => {
  it.each([
    ['imagine', { prompt: 'a cat' }, { action: 'IMAGINE', prompt: 'a cat' }],
    ['change', { taskId: '7', action: 'upscale', index: 2 }, { action: 'UPSCALE', index: 2, follows: '7', prompt: '' }],
    ['change', { taskId: 7, action: 'REROLL' }, { action: 'REROLL', follows: '7', prompt: '' }],
    // Trap 1: a simple change is what it says, and no change without a model.
    ['simple-change', { content: '7 V3' }, { action: 'VARIATION', index: 3, follows: '7', prompt: '' }],
    ['describe', { base64: 'x' }, { action: 'DESCRIBE', prompt: '' }],
    ['blend', { base64Array: ['a', 'b'] }, { action: 'BLEND', prompt: '' }],
    [
      'action',
      { taskId: '7', customId: 'MJ::JOB::pan_up::1::x' },
      { action: 'PAN', index: 1, follows: '7', prompt: '' },
    ],
    ['modal', { taskId: '7', prompt: 'a hat' }, { action: 'MODAL', follows: '7', prompt: 'a hat' }],
    ['shorten', { prompt: 'a long cat' }, { action: 'SHORTEN', prompt: 'a long cat' }],
    ['swap', { sourceBase64: 'a', targetBase64: 'b' }, { action: 'SWAP_FACE', prompt: 'InsightFace' }],
    ['upload-discord-images', { base64Array: ['a'] }, { action: 'UPLOAD', prompt: '' }],
  ] as const)('%s with %j', (kind, body, asked) => {
    expect(parseSubmission(kind, body)).toEqual(asked)
  })

  it('of every kind is tried above', () => {
    expect(SUBMISSION_KINDS).toHaveLength(10)
  })

  it.each([
    ['imagine', {}, 'prompt_is_required'],
    ['imagine', { prompt: 7 }, 'prompt_is_required'],
    ['shorten', { prompt: '' }, 'prompt_is_required'],
    ['change', { action: 'UPSCALE', index: 1 }, 'task_id_is_required'],
    ['change', { taskId: '7', index: 1 }, 'action_is_required'],
    ['change', { taskId: '7', action: 'UPSCALE' }, 'index_is_required'],
    ['change', { taskId: '7', action: 'VARIATION', index: 5 }, 'index_is_required'],
    ['change', { taskId: '7', action: 'VARIATION', index: 1.5 }, 'index_is_required'],
    // Windows are opened by buttons alone: else a change would be free.
    ['change', { taskId: '7', action: 'INPAINT', index: 1 }, 'unknown_action:INPAINT'],
    ['change', { taskId: '7', action: 'toString', index: 1 }, 'unknown_action'],
    ['simple-change', {}, 'content_is_required'],
    ['simple-change', { content: 'U1' }, 'content_parse_failed'],
    ['action', { taskId: '7' }, 'custom_id_is_required'],
    ['action', { customId: 'MJ::JOB::pan_up::1::x' }, 'task_id_is_required'],
    ['modal', { prompt: 'a hat' }, 'task_id_is_required'],
    ['swap', { sourceBase64: 'a' }, 'sour_base64_and_target_base64_is_required'],
  ] as const)('%s with %j is refused with %s', (kind, body, word) => {
    expect(() => parseSubmission(kind, body)).toThrow(word)
  })
})
