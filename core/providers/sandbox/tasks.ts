// Tasks of the sandbox: a drawing, a song and a film, each finished some seconds after its request. It stores nothing:
// the id contains the start and the result of a task.
import { joinParts, toJsonBytes } from '../../dialects/json/json-bytes.ts'
import { asList, asObject, asText, type JsonObject, parseJsonBytes } from '../../dialects/json/json-value.ts'
import type { Clock } from '../../ports/clock.ts'
import type { UpstreamReply, UpstreamRequest } from '../../ports/upstream.ts'
import { FILM } from './film.data.ts'
import { hashTextToNumber } from './text.ts'

// A picture of the sandbox: water behind a weir, in colours that its name decides. A bitmap needs no packing.

const SIDE = 128
const HEAD = 54
const CREST = 72

/** BMP, 24 bits a pixel, rows from the bottom up. */
function drawBitmapPicture(name: string): Uint8Array {
  const file = new Uint8Array(HEAD + SIDE * SIDE * 3)
  const view = new DataView(file.buffer)
  view.setUint16(0, 0x4d42, true)
  view.setUint32(2, file.length, true)
  view.setUint32(10, HEAD, true)
  view.setUint32(14, 40, true)
  view.setInt32(18, SIDE, true)
  view.setInt32(22, SIDE, true)
  view.setUint16(26, 1, true)
  view.setUint16(28, 24, true)
  const tint = hashTextToNumber(name) % 96
  for (let y = 0; y < SIDE; y += 1) {
    for (let x = 0; x < SIDE; x += 1) {
      const wave = CREST + Math.round(4 * Math.sin((x + tint) / 9))
      const [red, green, blue] =
        y > wave ? [200 + (tint >> 2), 210, 225] : y > 40 ? [40, 90 + tint, 170] : [70, 74 + (tint >> 1), 80]
      file.set([blue ?? 0, green ?? 0, red ?? 0], HEAD + (y * SIDE + x) * 3)
    }
  }
  return file
}

/** How long each takes, in ms. */
const LASTS = { picture: 3_000, song: 3_000, film: 4_000 } as const
type Made = keyof typeof LASTS

/** A prompt with this text makes the task fail. */
const FAILS = /\[\[\s*fail\s*\]\]/i
const ID = /^sandbox-(picture|song|film)-([0-9a-z]+)-([0-9a-f]+)(-f)?$/

/** The answer to a question about tasks; undefined for every other request. */
export function answerTaskRequest(request: UpstreamRequest, clock: Clock): UpstreamReply | undefined {
  const { pathname } = new URL(request.url, 'http://sandbox.invalid')
  const json = asObject(parseJsonBytes(joinParts(request.body ?? []))) ?? {}
  const startTask = (made: Made) =>
    buildId(made, asText(json.prompt) ?? asText(json.gpt_description_prompt) ?? '', clock.now())
  const ids = (asList(json.ids) ?? []).map(String)
  if (/^\/(mj-\w+\/)?mj\/submit\//.test(pathname))
    return reply({ code: 1, description: 'Submit success', result: startTask('picture') })
  if (pathname === '/mj/task/list-by-condition') return reply(ids.flatMap((id) => drawing(id, clock.now()) ?? []))
  if (pathname.startsWith('/suno/submit/')) return reply({ code: 'success', message: '', data: startTask('song') })
  if (pathname === '/suno/fetch')
    return reply({ code: 'success', message: '', data: ids.flatMap((id) => song(id, clock.now()) ?? []) })
  if (pathname === '/v1/videos') return reply(film(startTask('film'), clock.now()))
  const [, id = '', file] = /^\/(?:v1\/videos|files)\/([^/.]+)(?:\/(content)|\.(?:bmp|wav))?$/.exec(pathname) ?? []
  if (pathname.startsWith('/files/'))
    return pathname.endsWith('.wav') ? bytes(generateAudio(id), 'audio/wav') : bytes(drawBitmapPicture(id), 'image/bmp')
  if (!pathname.startsWith('/v1/videos/')) return undefined
  return file
    ? bytes(
        Uint8Array.from(atob(FILM), (letter) => letter.charCodeAt(0)),
        'video/mp4',
      )
    : reply(film(id, clock.now()))
}

const buildId = (made: Made, prompt: string, now: number): string =>
  `sandbox-${made}-${now.toString(36)}-${hashTextToNumber(prompt).toString(16)}${FAILS.test(prompt) ? '-f' : ''}`

interface Standing {
  began: number
  /** Percent. */
  progress: number
  failed: boolean
  over: boolean
}

/** Returns the state of a task by its id; undefined for another id. */
function findState(id: string, now: number): Standing | undefined {
  const [, made, time = '', , fails] = ID.exec(id) ?? []
  if (!made) return undefined
  const began = Number.parseInt(time, 36)
  const progress = Math.min(100, Math.floor(((now - began) / LASTS[made as Made]) * 100))
  const over = progress === 100
  return { began, progress, over, failed: over && fails !== undefined }
}

const WHY = 'The sandbox was asked to fail'

function drawing(id: string, now: number): JsonObject | undefined {
  const at = findState(id, now)
  if (!at) return undefined
  const { began, progress, over, failed } = at
  const status = failed ? 'FAILURE' : over ? 'SUCCESS' : 'IN_PROGRESS'
  return {
    id,
    action: 'IMAGINE',
    status,
    progress: `${progress}%`,
    submitTime: began,
    startTime: began,
    finishTime: over ? began + LASTS.picture : 0,
    failReason: failed ? WHY : '',
    imageUrl: over && !failed ? `http://sandbox.invalid/files/${id}.bmp` : '',
    buttons: over && !failed ? BUTTONS : [],
  }
}

const BUTTONS = [1, 2, 3, 4].map((n) => ({
  customId: `MJ::JOB::upsample::${n}::sandbox`,
  label: `U${n}`,
  emoji: '',
  type: 2,
  style: 2,
}))

function song(id: string, now: number): JsonObject | undefined {
  const at = findState(id, now)
  if (!at) return undefined
  const { began, progress, over, failed } = at
  const clip = {
    id,
    title: 'Water over stone',
    audio_url: `http://sandbox.invalid/files/${id}.wav`,
    image_url: '',
    video_url: '',
  }
  return {
    task_id: id,
    action: 'MUSIC',
    status: failed ? 'FAILURE' : over ? 'SUCCESS' : 'IN_PROGRESS',
    progress: `${progress}%`,
    fail_reason: failed ? WHY : '',
    submit_time: Math.floor(began / 1000),
    start_time: Math.floor(began / 1000),
    finish_time: over ? Math.floor((began + LASTS.song) / 1000) : 0,
    data: over && !failed ? [{ ...clip, text: 'The river leans upon the weir' }] : [],
  }
}

function film(id: string, now: number): JsonObject {
  const at = findState(id, now)
  if (!at) return { error: { message: `no such film: ${id}` } }
  const status = at.failed ? 'failed' : at.over ? 'completed' : at.progress > 0 ? 'in_progress' : 'queued'
  return {
    id,
    object: 'video',
    status,
    progress: at.progress,
    created_at: Math.floor(at.began / 1000),
    completed_at: at.over ? Math.floor((at.began + LASTS.film) / 1000) : null,
    model: 'sandbox-film',
    error: at.failed ? { code: 'sandbox', message: WHY } : null,
  }
}

/** A second of a tone that the id decides: 8000 samples of a byte each. */
function generateAudio(id: string): Uint8Array {
  const samples = 8000
  const file = new Uint8Array(44 + samples)
  const view = new DataView(file.buffer)
  const text = (at: number, word: string) =>
    [...word].forEach((letter, n) => view.setUint8(at + n, letter.charCodeAt(0)))
  text(0, 'RIFF')
  view.setUint32(4, 36 + samples, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, samples, true)
  view.setUint32(28, samples, true)
  view.setUint16(32, 1, true)
  view.setUint16(34, 8, true)
  text(36, 'data')
  view.setUint32(40, samples, true)
  const pitch = 220 + (hashTextToNumber(id) % 220)
  for (let n = 0; n < samples; n += 1)
    file[44 + n] = 128 + Math.round(60 * Math.sin((2 * Math.PI * pitch * n) / samples))
  return file
}

const reply = (json: unknown): UpstreamReply => bytes(toJsonBytes(json), 'application/json')

const bytes = (body: Uint8Array, type: string): UpstreamReply => ({
  status: 200,
  headers: { 'content-type': type, 'content-length': String(body.length) },
  body: (async function* () {
    yield body
  })(),
})
