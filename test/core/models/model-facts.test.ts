// The facts of models by name, for any provider, and the names of the same model.
import { describe, expect, test } from 'vitest'
import { getDefaultTokenLimit } from '../../../core/dialects/anthropic-messages/thinking.ts'
import { findModelFacts, getModelKind, findReleaseDay } from '../../../core/models/model-facts.ts'
import { toPlainModelName, isSameModel, listSameModels } from '../../../core/models/same-model.ts'
import { snapshots } from '../../../core/models/snapshots.data.ts'

describe('the facts', () => {
  test.each([
    ['claude-sonnet-4-5-20250929', 200_000, 64_000, '2025-09-29'],
    ['us.anthropic.claude-sonnet-4-5-20250929-v1:0', 200_000, 64_000, '2025-09-29'],
    ['claude-opus-4-5@20251101', 200_000, 64_000, '2025-11-24'],
    ['openai/gpt-4o', 128_000, 16_384, '2024-05-13'],
    ['gpt-4o-2024-08-06', 128_000, 16_384, '2024-08-06'],
    ['models/gemini-2.5-pro', 1_048_576, 65_536, '2025-06-17'],
  ])('knows %s', (name, context, output, released) => {
    expect(findModelFacts(name)).toMatchObject({ context, output })
    expect(findReleaseDay(name)).toBe(released)
  })

  test.each([
    ['text-embedding-3-small', 'embeddings'],
    ['an-embedding-of-somebody', 'embeddings'],
    ['bge-m3', 'embeddings'],
    ['rerank-v3.5', 'rerank'],
    ['omni-moderation-latest', 'moderation'],
    ['gpt-image-1', 'images'],
    ['dall-e-3', 'images'],
    ['gemini-2.5-flash-image', 'chat'],
    ['gemini-2.5-flash-preview-tts', 'chat'],
    ['gemini-embedding-001', 'embeddings'],
    ['tts-1-hd', 'speech'],
    ['gpt-4o-mini-tts', 'speech'],
    ['whisper-1', 'transcription'],
    ['gpt-4o-transcribe', 'transcription'],
    ['gpt-realtime', 'realtime'],
    ['gpt-4o', 'chat'],
    ['somebodys-own', 'chat'],
  ])('tells what is asked of %s', (name, kind) => expect(getModelKind(name)).toBe(kind))
})

describe('facts that an operator has taken over', () => {
  const refreshed = {
    'claude-sonnet-4-5': { context: 1_000_000 },
    'house-model': { output: 9000, kind: 'embeddings' as const },
    constructor: { output: 1 },
  }

  test('win over the built-in ones, part by part, under every name of the model', () => {
    for (const name of ['claude-sonnet-4-5', 'claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4-5'])
      expect(findModelFacts(name, refreshed)).toMatchObject({ context: 1_000_000, output: 64_000, kind: 'chat' })
    expect(findModelFacts('claude-sonnet-4-6', refreshed)).toBe(findModelFacts('claude-sonnet-4-6'))
  })

  test('make a model known that Weir does not know', () => {
    expect(findModelFacts('house-model', refreshed)).toEqual({
      ...{ context: 0, output: 9000, released: '', kind: 'embeddings', reads: [], writes: [] },
    })
    expect(getModelKind('house-model', refreshed)).toBe('embeddings')
    expect(findModelFacts('toString', refreshed)).toBeUndefined()
  })

  test('are what the relay allows an answer that names no limit', () => {
    const limits = { 'claude-sonnet-4-6': { output: 200_000 }, 'house-model': { context: 50_000, output: 9000 } }
    const defaults = ['claude-sonnet-4-6', 'house-model'].map((name) => [
      getDefaultTokenLimit(name),
      getDefaultTokenLimit(name, 0, limits),
    ])
    expect(defaults).toEqual([
      [128_000, 200_000],
      [8192, 9000],
    ])
  })
})

describe('names of one model', () => {
  test.each([
    ['claude-sonnet-4-5-20250929', 'claude-sonnet-4-5', true],
    ['claude-3-5-haiku-latest', 'claude-3-5-haiku-20241022', true],
    ['claude-opus-4-0', 'claude-opus-4-20250514', true],
    ['claude-haiku-4-5@20251001', 'claude-haiku-4-5-20251001', true],
    ['gpt-4o', 'gpt-4o-2024-08-06', true],
    ['gpt-4o', 'gpt-4o-2024-05-13', false],
    ['gpt-4o-2024-08-06', 'gpt-4o-2024-05-13', false],
    ['claude-3-5-sonnet-latest', 'claude-3-5-sonnet-20240620', false],
    ['qwen-plus', 'qwen-plus-2025-04-28', false],
    ['gpt-4o', 'gpt-4o-mini', false],
    ['somebodys-own', 'somebodys-own-2026-01-31', true],
    ['x-20260101', 'y-20260101', false],
  ])('%s and %s: %s', (one, other, same) => {
    expect(isSameModel(one, other)).toBe(same)
    expect(isSameModel(other, one)).toBe(same)
  })

  test('the plain one is the best, then the latest', () => {
    const names = ['own-2026-01-31', 'own-20260301', 'other', 'own-2026-02-28']
    expect(listSameModels('own', names)).toEqual(['own-20260301', 'own-2026-02-28', 'own-2026-01-31'])
    expect(listSameModels('own-2026-02-28', [...names, 'own'])).toEqual(['own', 'own-2026-02-28'])
  })

  test('every snapshot that a plain name stands for is a date', () => {
    for (const [plain, date] of snapshots) {
      expect(toPlainModelName(plain)).toBe(plain)
      expect(date).toMatch(/^(\d{8})?$/)
    }
  })
})
