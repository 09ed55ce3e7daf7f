// The words that a model's name stands for, in requests that stay in their format.
import { describe, expect, it } from 'vitest'
import { joinParts, toJsonBytes } from '../../../core/dialects/json/json-bytes.ts'
import { openaiChat } from '../../../core/dialects/openai-chat/index.ts'
import { openaiCompletions } from '../../../core/dialects/openai-completions.ts'
import type { ModelNameSuffixes } from '../../../core/dialects/model-request.ts'
import type { Dialect } from '../../../core/dialects/dialect.ts'
import { adaptEffort } from '../../../core/providers/effort-names.ts'
import { defaultSettings } from '../../../core/settings/snapshot.ts'
import type { ChannelWithKey } from '../../../core/channels/channel.ts'

const messages = [{ role: 'user', content: 'Hello' }]

function patched(dialect: Dialect, body: object, implied: ModelNameSuffixes, override = {}) {
  const bytes = toJsonBytes({ model: 'm', messages, prompt: 'x', ...body })
  const change = { model: 'n', head: dialect.readRequestHead(bytes), override, implied }
  return JSON.parse(new TextDecoder().decode(joinParts(dialect.patchRequestBody(bytes, change)))) as Record<
    string,
    unknown
  >
}

describe('what a name implies', () => {
  it('is said to chat models where the caller and the operator say nothing of it', () => {
    expect(patched(openaiChat, {}, { reasoning_effort: 'high', modalities: ['text', 'audio'] })).toMatchObject({
      reasoning_effort: 'high',
      modalities: ['text', 'audio'],
    })
    expect(patched(openaiChat, { reasoning_effort: 'low' }, { reasoning_effort: 'high' }).reasoning_effort).toBe('low')
    const overridden = patched(openaiChat, {}, { reasoning_effort: 'high' }, { reasoning_effort: 'none' })
    expect(overridden.reasoning_effort).toBe('none')
    expect(patched(openaiChat, {}, { reasoning_budget: 9000 }).reasoning_effort).toBe('medium')
    expect(patched(openaiChat, {}, { reasoning_budget: -1 })).not.toHaveProperty('reasoning_effort')
  })

  it('is not said to completions, which have no words for it', () => {
    expect(patched(openaiCompletions, {}, { reasoning_effort: 'high' })).not.toHaveProperty('reasoning_effort')
  })
})

describe('an effort at the end of a name', () => {
  const adapt = (model: string) =>
    adaptEffort(
      model,
      { model, stream: false, include_usage: false, prompt_estimate: 1 },
      defaultSettings(),
      {} as ChannelWithKey,
    )

  it.each([
    ['o3-mini-high', 'o3-mini', 'high'],
    ['o1-2024-12-17-low', 'o1-2024-12-17', 'low'],
    ['gpt-5.4-minimal', 'gpt-5.4', 'minimal'],
    ['gpt-5-mini-none', 'gpt-5-mini', 'none'],
    ['gpt-6.2-sol-xhigh', 'gpt-6.2-sol', 'xhigh'],
    ['grok-3-mini-medium', 'grok-3-mini', 'medium'],
  ])('%s asks %s with %s', (asked, model, reasoning_effort) => {
    expect(adapt(asked)).toEqual({ model, implied: { reasoning_effort } })
  })

  it.each(['o3-mini', 'gpt-4o-high', 'omni-moderation-high', 'openai/o3-high', 'qwen3-high', 'gpt-5.1-codex-max'])(
    '%s is the name of a model',
    (asked) => expect(adapt(asked)).toEqual({}),
  )
})
