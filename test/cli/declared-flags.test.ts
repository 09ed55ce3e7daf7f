// Flags that are made from the declared fields of a form.
import { expect, test } from 'vitest'
import { flagsOf, valuesOf } from '../../cli/declared-flags.ts'
import { ChannelForm } from '../../core/channels/channel.ts'
import { TokenForm } from '../../core/tokens/contract.ts'

test('a token’s budgets, rates and fallbacks have a flag each, in the order of the form', () => {
  const flags = flagsOf(TokenForm, 'limits')
  expect(Object.values(flags).map(({ flag }) => flag)).toEqual([
    '--budget-day <number>',
    '--budget-week <number>',
    '--budget-month <number>',
    '--time-zone <text>',
    '--requests-per-minute <number>',
    '--tokens-per-minute <number>',
    '--max-concurrent <number>',
    '--fallback-models <text>',
  ])
  expect(flags.budget_day?.help).toBe('What may be charged in a day, in quota units; 0 for no limit')
  const given = { budget_day: '500', time_zone: 'Europe/Berlin', max_concurrent: '', name: 'no limit' }
  expect(() => valuesOf(TokenForm, 'limits', given)).toThrow('--max-concurrent must be a whole number')
  expect(valuesOf(TokenForm, 'limits', { ...given, max_concurrent: undefined })).toEqual({
    budget_day: 500,
    time_zone: 'Europe/Berlin',
  })
})

test('so have a channel’s longest prompt and how its keys are used', () => {
  expect(flagsOf(ChannelForm, 'routing')).toEqual({
    max_input_tokens: {
      flag: '--max-input-tokens <number>',
      help: 'Longest prompt that it takes, in tokens; 0 for no limit',
    },
  })
  expect(flagsOf(ChannelForm, 'keys').key_mode?.flag).toBe('--key-mode <random|turn>')
})
