// Flags and questions that are made from the declared fields of a form.
import { expect, test } from 'vitest'
import { channelFlags } from '../../cli/channel-form.ts'
import { flagsOf, questionOf, valuesOf } from '../../cli/declared-flags.ts'
import { ChannelForm, ChannelPatch } from '../../core/channels/channel.ts'
import { TokenForm } from '../../core/tokens/contract.ts'

const OWN_WAY = [
  'team_id',
  'unlimited_quota',
  'remain_quota',
  'expired_time',
  'model_limits_enabled',
  'model_limits',
] as const

test('a token’s plain fields have a flag each, in the order of the form', () => {
  const flags = flagsOf(TokenForm, OWN_WAY)
  expect(Object.values(flags).map(({ flag }) => flag)).toEqual([
    '--name <text>',
    '--allow-ips <list>',
    '--group <text>',
    '--budget-day <units>',
    '--budget-week <units>',
    '--budget-month <units>',
    '--time-zone <text>',
    '--requests-per-minute <number>',
    '--tokens-per-minute <number>',
    '--max-concurrent <number>',
    '--fallback-models <list>',
  ])
  expect(flags.budget_day?.help).toBe('what may be charged in a day, in quota units; 0 for no limit')
  const given = { budget_day: '500', time_zone: 'Europe/Berlin', max_concurrent: '', model_limits: 'a', unknown: 'x' }
  expect(() => valuesOf(TokenForm, given, OWN_WAY)).toThrow('--max-concurrent must be a whole number')
  expect(valuesOf(TokenForm, { ...given, max_concurrent: undefined, allow_ips: '::1, 10.0.0.0/8' }, OWN_WAY)).toEqual({
    ...{ budget_day: 500, time_zone: 'Europe/Berlin', allow_ips: '::1\n10.0.0.0/8' },
  })
})

test('so have those of a channel, with what is taken where a new one leaves them out', () => {
  const flags = channelFlags(ChannelForm, { name: 'the name of its type' })
  expect(flags).toMatchObject({
    name: { flag: '--name <text>', help: 'name of the channel (otherwise the name of its type)' },
    openai_organization: { flag: '--organization <text>', help: "OpenAI's organization, sent as a header" },
    group: { flag: '--group <list>', help: 'groups that it serves, separated by commas (otherwise default)' },
    max_input_tokens: {
      flag: '--max-input-tokens <number>',
      help: 'longest prompt that it takes, in tokens; 0 for no limit',
    },
    auto_ban: { flag: '--auto-ban <yes|no>', help: expect.stringMatching(/ \(otherwise yes\)$/) },
    key_mode: { flag: '--key-mode <one|random|turn>', choices: ['one', 'random', 'turn'] },
  })
  expect(JSON.stringify(channelFlags(ChannelPatch))).not.toContain('(otherwise ')
})

test('what is typed becomes what the endpoint takes', () => {
  const given = { key_mode: 'one', auto_ban: 'no', tag: '', weight: '7', setting: '{"proxy":""}' }
  expect(valuesOf(ChannelPatch, given)).toEqual({
    ...{ key_mode: '', auto_ban: 0, tag: null, weight: 7, setting: '{"proxy":""}' },
  })
  expect(() => valuesOf(ChannelPatch, { auto_ban: '1' })).toThrow('--auto-ban must be one of yes, no, not "1".')
  expect(() => valuesOf(ChannelPatch, { priority: 'x' })).toThrow('--priority must be a whole number, not "x".')
})

test('a question is asked by the label of its field', () => {
  expect(questionOf(ChannelPatch, 'group', { initial: 'vip' })).toEqual({
    ...{ name: 'group', label: 'Groups', kind: 'text', initial: 'vip' },
    hint: 'groups that it serves, separated by commas',
  })
})
