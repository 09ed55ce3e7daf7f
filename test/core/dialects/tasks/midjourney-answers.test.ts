// The answers of a Midjourney proxy, the resulting states of the task, and the answers to the client.
import { describe, expect, it } from 'vitest'
import {
  parseAcceptance,
  parseTaskStates,
  writeAcceptance,
  writeDrawing,
} from '../../../../core/dialects/tasks/midjourney/answer.ts'
import { readErrorReply, writeErrorReply } from '../../../../core/dialects/tasks/midjourney/codes.ts'
import type { JsonObject } from '../../../../core/dialects/json/json-value.ts'
import type { PublicTask } from '../../../../core/dialects/tasks/task-format.ts'

const text = (bytes: Uint8Array) => JSON.parse(new TextDecoder().decode(bytes)) as unknown
const answer = (code: number, more: object = {}) => ({
  code,
  description: 'said',
  result: '173',
  properties: {},
  ...more,
})

describe('the code of a submission', () => {
  it.each([
    ['1: taken', answer(1), 'IMAGINE', { upstream_id: '173', status: 'NOT_START', progress: 0 }],
    [
      '1 with an id that is a number',
      answer(1, { result: 1730000000000001 }),
      'PAN',
      { upstream_id: '1730000000000001' },
    ],
    ['22: queued', answer(22), 'IMAGINE', { upstream_id: '173', status: 'SUBMITTED', progress: 0 }],
    [
      '21: there already, and done',
      answer(21, { properties: { status: 'SUCCESS', imageUrl: 'http://proxy/1.png' } }),
      'IMAGINE',
      { upstream_id: '173', status: 'SUCCESS', progress: 100, files: [{ kind: 'image', url: 'http://proxy/1.png' }] },
    ],
    [
      '21: there already, and drawing',
      answer(21, { properties: { status: 'IN_PROGRESS' } }),
      'PAN',
      { status: 'IN_PROGRESS' },
    ],
    ['21: a window is open', answer(21), 'INPAINT', { upstream_id: '173', status: 'MODAL' }],
    ['21: a window is open', answer(21), 'CUSTOM_ZOOM', { upstream_id: '173', status: 'MODAL' }],
    ['21: a window to mix with', answer(21, { properties: { remix: true } }), 'VARIATION', { status: 'MODAL' }],
  ])('%s', (_, said, action, state) => {
    const accepted = parseAcceptance(said, { action })
    expect(accepted).toMatchObject({ state })
    // What only opens a window is paid for when that is filled in.
    expect('unpaid' in accepted).toBe((state as { status?: string }).status === 'MODAL')
  })

  it.each([
    [23, 429],
    [3, 503],
    [9, 500],
  ])('%i lets another channel be asked', (code, status) => {
    expect(parseAcceptance(answer(code, { result: null }), { action: 'IMAGINE' })).toMatchObject({
      refused: { code, status, message: 'said' },
    })
  })

  it('that is none at all is a refusal', () => {
    for (const said of [undefined, 'gone', [], { error: 'x' }, { code: '1' }])
      expect(parseAcceptance(said, { action: 'IMAGINE' })).toMatchObject({ refused: { status: 502 } })
  })

  it.each([4, 24, 77])('%i is told as it was said, kept with its reason, and paid for by nobody', (code) => {
    const said = answer(code, { result: null, properties: { bannedWord: 'naked' } })
    const accepted = parseAcceptance(said, { action: 'IMAGINE' })
    expect(accepted).toEqual({
      state: { upstream_id: '', status: 'FAILURE', progress: 100, fail_reason: 'said', details: { code: 0 } },
      unpaid: true,
      reply: said,
    })
    expect(writeAcceptance(told({ status: 'FAILURE' }), said)).toEqual(said)
  })

  it('1 without an id fails, unpaid: nobody could ask what became of it', () => {
    expect(parseAcceptance(answer(1, { result: '' }), { action: 'IMAGINE' })).toMatchObject({
      state: { status: 'FAILURE' },
      unpaid: true,
    })
  })

  it('1 of an upload is done, with its addresses', () => {
    const said = answer(1, { result: ['http://proxy/a.png', 'http://proxy/b.png'] })
    const files = ['http://proxy/a.png', 'http://proxy/b.png'].map((url) => ({ kind: 'image', url }))
    expect(parseAcceptance(said, { action: 'UPLOAD' })).toMatchObject({
      state: { status: 'SUCCESS', progress: 100, files },
    })
  })
})

const told = (more: Partial<PublicTask> = {}): PublicTask => ({
  task_id: 'ours',
  action: 'IMAGINE',
  model: 'mj_imagine',
  status: 'NOT_START',
  progress: 0,
  fail_reason: '',
  prompt: 'a cat',
  prompt_en: '',
  submit_time: 1,
  start_time: 0,
  finish_time: 0,
  files: [],
  data: {},
  details: {},
  ...more,
})

describe('what a submission is answered', () => {
  it.each([
    ['1 stays', answer(1), 'IMAGINE', 1],
    ['21 reads as taken', answer(21), 'IMAGINE', 1],
    ['22 reads as taken', answer(22), 'IMAGINE', 1],
    ['21 of a window stays: it is to be filled in', answer(21), 'INPAINT', 21],
    ['21 of a window stays: it is to be filled in', answer(21), 'CUSTOM_ZOOM', 21],
    ['21 of a window to mix with stays', answer(21, { properties: { remix: true } }), 'PAN', 21],
  ])('%s', (_, said, action, code) => {
    expect(writeAcceptance(told({ action }), said)).toMatchObject({ code, description: 'said', result: 'ours' })
  })

  it('names no address of the proxy', () => {
    const theirs = answer(21, { properties: { status: 'SUCCESS', imageUrl: 'http://proxy/1.png' } })
    const file = { kind: 'image' as const, url: 'https://weir/mj/image/ours' }
    expect(writeAcceptance(told({ status: 'SUCCESS', files: [file] }), theirs)).toMatchObject({
      properties: { status: 'SUCCESS', imageUrl: file.url },
    })
    expect(JSON.stringify(writeAcceptance(told(), theirs))).not.toContain('proxy')
  })

  it('has the addresses of uploads as they are: they go into prompts, for others to reach', () => {
    const uploads = answer(1, { result: ['http://proxy/a.png'] })
    expect(writeAcceptance(told({ status: 'SUCCESS' }), uploads)).toMatchObject({ result: ['http://proxy/a.png'] })
  })

  it('of going on with a drawing is never asked elsewhere', () => {
    for (const code of [3, 9, 23])
      expect(parseAcceptance(answer(code), { action: 'PAN', follows: '7' })).toMatchObject({ unpaid: true })
  })
})

const drawing = (more: JsonObject = {}) => ({
  id: '173',
  status: 'IN_PROGRESS',
  progress: '42%',
  failReason: '',
  startTime: 5,
  finishTime: 0,
  imageUrl: '',
  promptEn: 'a cat',
  ...more,
})

describe('how drawings stand', () => {
  it.each([
    [{}, { status: 'IN_PROGRESS', progress: 42, start_time: 5, prompt_en: 'a cat' }],
    [
      { status: 'SUCCESS', progress: '100%', imageUrl: 'u' },
      { status: 'SUCCESS', progress: 100, files: [{ url: 'u' }] },
    ],
    [
      { status: 'FAILURE', failReason: 'no' },
      { status: 'FAILURE', progress: 100, fail_reason: 'no' },
    ],
    [{ status: 'FAILURE' }, { status: 'FAILURE', fail_reason: 'no reason is told' }],
    [{ status: 'CANCEL' }, { status: 'FAILURE', fail_reason: 'cancelled' }],
    // A reason is the end, whatever the status says yet.
    [{ failReason: 'banned' }, { status: 'FAILURE', fail_reason: 'banned' }],
    [{ status: 'MODAL' }, { status: 'MODAL' }],
    [{ status: 'DREAMING' }, { status: 'UNKNOWN' }],
    // Only a status ends it: 100 % of something that runs is not the end.
    [{ progress: '100%' }, { status: 'IN_PROGRESS', progress: 99 }],
    [{ progress: 'soon' }, { status: 'IN_PROGRESS' }],
  ])('%j', (more, state) => {
    expect(parseTaskStates([drawing(more)], ['173'])).toMatchObject([state])
  })

  it('trap 11: what was not asked about is passed over, and so is what is no drawing', () => {
    const known = parseTaskStates([drawing({ id: '1' }), null, 7, {}, drawing(), drawing({ id: 99 })], ['173', '404'])
    expect(known.map(({ upstream_id }) => upstream_id)).toEqual(['173'])
    for (const none of [undefined, null, 'x', {}, []]) expect(parseTaskStates(none, ['173'])).toEqual([])
  })

  it('comes to its caller in the words of proxies, with our id and our addresses', () => {
    const buttons = [{ customId: 'MJ::JOB::upsample::1::x', emoji: '', label: 'U1', style: 2, type: 2 }]
    const [state] = parseTaskStates(
      [drawing({ buttons, state: 'mine', properties: { finalPrompt: 'a cat --v 7', flags: 64 } })],
      ['173'],
    )
    const seen = writeDrawing(
      told({ status: 'SUCCESS', progress: 100, data: state!.data!, files: [{ kind: 'image', url: 'ours.png' }] }),
    )
    expect(seen).toEqual({
      id: 'ours',
      action: 'IMAGINE',
      customId: '',
      botType: '',
      prompt: 'a cat',
      promptEn: '',
      description: '',
      state: 'mine',
      submitTime: 1,
      startTime: 0,
      finishTime: 0,
      imageUrl: 'ours.png',
      status: 'SUCCESS',
      progress: '100%',
      failReason: '',
      buttons,
      maskBase64: '',
      properties: { finalPrompt: 'a cat --v 7', finalZhPrompt: '' },
    })
  })
})

describe('a failure', () => {
  const failure = { status: 400, type: 'x', code: null, param: null, source: 'gateway' } as const
  it.each([
    [{ code: 'drawing_invalid', message: 'prompt_is_required say what' }, 'prompt_is_required say what', 4],
    [{ code: 'invalid_json', message: 'no JSON' }, 'bind_request_body_failed no JSON', 4],
    [{ code: 'insufficient_user_quota', status: 403, message: 'too little' }, 'quota_not_enough too little', 4],
    [{ status: 429, code: 'rate_limit_exceeded', message: 'wait' }, 'rate_limit_exceeded wait', 30],
    [{ status: 502, code: null, message: 'away' }, 'away', 5],
    [{ status: 429, code: 23, message: 'full', source: 'upstream' as const }, 'full', 23],
  ])('%j is said in the codes of Midjourney', (more, description, code) => {
    expect(text(writeErrorReply({ ...failure, ...more }))).toEqual({ description, type: 'upstream_error', code })
  })

  it('of a proxy is read with its code', () => {
    const body = new TextEncoder().encode('{"code":9,"description":"discord is away"}')
    expect(readErrorReply(500, body)).toMatchObject({ status: 500, code: 9, message: 'discord is away' })
    expect(readErrorReply(401, new Uint8Array())).toMatchObject({ status: 401, code: null })
  })
})
