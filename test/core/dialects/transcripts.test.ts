// Transcriptions and translations: an answer of Whisper in each form that a caller may request, and the usage of an answer.
import { describe, expect, it } from 'vitest'
import { ALL_CALLER_FORMATS } from '../../../core/dialects/caller-formats.ts'
import { whisperForTranscriptions, whisperForTranslations } from '../../../core/dialects/media/cloudflare-whisper.ts'
import { openaiTranscriptions } from '../../../core/dialects/media/openai-audio.ts'
import { buildKnownUsage } from '../../../core/dialects/passing.ts'
import type { RequestHead } from '../../../core/dialects/requests/head.ts'

const bytes = (value: object) => new TextEncoder().encode(JSON.stringify(value))
const head: RequestHead = { model: 'm', stream: false, include_usage: false, prompt_estimate: 7 }

it('every format is translated to formats of its own operation', () => {
  const pairs = ALL_CALLER_FORMATS.flatMap((format) =>
    format.operation === 'chat' ? [] : (format.as ?? []).map(({ dialect }) => ({ format, dialect })),
  )
  expect(pairs.length).toBeGreaterThan(5)
  for (const { format, dialect } of pairs)
    expect([dialect.name, dialect.operation]).toEqual([dialect.name, format.operation])
})

describe("Whisper's answer", () => {
  const vtt = 'WEBVTT\n\n00:00.000 --> 00:01.500\nHello\n\n01:00:02.000 --> 01:00:03.000\nthere'
  const word = { word: 'Hello', start: 0, end: 1.5 }
  const result = {
    ...{ text: 'Hello there', vtt, transcription_info: { language: 'en', duration: 90.2 } },
    segments: [
      { start: 0, end: 1.5, text: 'Hello', temperature: 0, words: [word] },
      { start: 3602, end: 3603, text: 'there' },
    ],
  }
  const forms: [format: string | undefined, type: string, expected: unknown][] = [
    [undefined, 'application/json', { text: 'Hello there' }],
    ['json', 'application/json', { text: 'Hello there' }],
    ['text', 'text/plain; charset=utf-8', 'Hello there\n'],
    ['vtt', 'text/vtt; charset=utf-8', vtt],
    [
      'srt',
      'application/x-subrip; charset=utf-8',
      '1\n00:00:00,000 --> 00:00:01,500\nHello\n\n2\n01:00:02,000 --> 01:00:03,000\nthere\n',
    ],
    [
      'verbose_json',
      'application/json',
      {
        ...{ task: 'transcribe', language: 'en', duration: 90.2, text: 'Hello there' },
        segments: [
          { id: 0, start: 0, end: 1.5, text: 'Hello', temperature: 0 },
          { id: 1, start: 3602, end: 3603, text: 'there' },
        ],
        words: [word],
      },
    ],
  ]
  const read = (answer: object, transcript_format?: string, [format] = whisperForTranscriptions) => {
    const asked: RequestHead = { ...head, ...(transcript_format === undefined ? {} : { transcript_format }) }
    const text = new TextDecoder().decode(format!.read(bytes(answer), asked))
    return { type: format!.contentType!(asked), text }
  }

  it.each(forms)('is written as %s of type %s', (format, type, expected) => {
    for (const translated of whisperForTranscriptions) {
      const written = read({ success: true, result }, format, [translated])
      expect(written.type).toBe(type)
      expect(typeof expected === 'string' ? written.text : JSON.parse(written.text)).toEqual(expected)
    }
  })

  it('names the task that was done, and lists words in their segments or next to them', () => {
    const { text } = read({ result: { ...result, words: [] } }, 'verbose_json', whisperForTranslations)
    expect(JSON.parse(text)).toMatchObject({ task: 'translate', words: [] })
    expect(JSON.parse(read({ result: { text: 'Hello' } }, 'verbose_json').text)).toEqual({
      task: 'transcribe',
      text: 'Hello',
    })
    expect(JSON.parse(read({ result: { text: 'Hello', segments: [null] } }, 'verbose_json').text).segments).toEqual([
      { id: 0 },
    ])
  })

  it.each([
    [{ result: { vtt } }, 'json'],
    [{ success: true }, 'text'],
    [{ result: { text: 'Hello' } }, 'vtt'],
    [{ result: { text: 'Hello' } }, 'srt'],
  ])('%j cannot be written as %s', (answer, format) => {
    expect(() => read(answer, format)).toThrow(expect.objectContaining({ code: 'upstream.unreadable' }))
  })
})

describe('the usage of a transcription', () => {
  const tokens = { type: 'tokens', input_tokens: 14, output_tokens: 9, total_tokens: 23 }
  const file: Partial<RequestHead> = { seconds: 30, seconds_by: 'sound_length' }
  const measured = { source: 'estimated', estimated_by: 'sound_length' } as const

  it.each([
    ['the reported tokens', { usage: tokens, duration: 60 }, file, { input: 14, output: 9 }],
    ['the reported seconds', { usage: { type: 'duration', seconds: 60 }, duration: 61 }, file, { seconds: 60 }],
    ['the length of the answer', { duration: 60.5 }, file, { seconds: 60.5 }],
    ['a length that is a text', { duration: '60.5' }, file, { seconds: 60.5 }],
    ['the length of the file', {}, file, { seconds: 30, ...measured }],
    ['the file, for a length of zero', { duration: 0 }, file, { seconds: 30, ...measured }],
    // Token counts that omit the audio do not count alone.
    ['tokens and seconds', { usage: { output_tokens: 9 }, duration: 60 }, file, { output: 9, seconds: 60 }],
    ['tokens and the file', { usage: { output_tokens: 9 } }, file, { output: 9, seconds: 30, ...measured }],
    ['tokens alone, without a length', { usage: { output_tokens: 9 } }, {}, { output: 9 }],
    ['the texts, if nothing is known', {}, {}, { input: 7, source: 'estimated', estimated_by: 'text' }],
  ] as const)('is %s', (_, answer, known, expected) => {
    expect(openaiTranscriptions.usageOf({ ...answer }, { ...head, ...known })).toEqual(buildKnownUsage(expected))
  })

  it('counts audio of the input, under either name of the details', () => {
    for (const name of ['input_token_details', 'input_tokens_details']) {
      const usage = { ...tokens, [name]: { text_tokens: 2, audio_tokens: 12 } }
      expect(openaiTranscriptions.usageOf({ usage }, head)).toMatchObject({ input: 14, audio_in: 12, output: 9 })
    }
  })
})
