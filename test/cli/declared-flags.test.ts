// Flags and questions that are made from the declared fields of a form.
import { expect, test } from 'vitest'
import { channelFieldFlags } from '../../cli/input/channel-form.ts'
import { convertToUnits, parseFlagValues, buildQuestion, toFlags } from '../../cli/input/flags.ts'
import { channelForm, channelPatch, tokenForm } from '../../cli/input/forms.built.ts'
import { ChannelSetting } from '../../core/channels/channel.ts'

const OWN_WAY = [
  'team_id',
  'unlimited_quota',
  'remain_quota',
  'expired_time',
  'model_limits_enabled',
  'model_limits',
] as const

test('a token’s plain fields have a flag each, in the order of the form', () => {
  const flags = toFlags(tokenForm, OWN_WAY)
  expect(Object.values(flags).map(({ flag }) => flag)).toEqual([
    '--name <text>',
    '--allow-ips <list>',
    '--group <text>',
    '--budget-day <amount>',
    '--budget-week <amount>',
    '--budget-month <amount>',
    '--time-zone <text>',
    '--requests-per-minute <number>',
    '--tokens-per-minute <number>',
    '--max-concurrent <number>',
    '--fallback-models <list>',
  ])
  expect(flags.budget_day?.help).toEqual({
    en: 'budget per day, in dollars like 5usd or quota units; 0 for no limit',
    zh: '每日可消费的额度（美元如 5usd，或额度单位）；0 表示不限制',
  })
  const given = { time_zone: 'Europe/Berlin', max_concurrent: '', model_limits: 'a', unknown: 'x' }
  expect(() => parseFlagValues(tokenForm, given, OWN_WAY)).toThrow('--max-concurrent must be a whole number')
  expect(
    parseFlagValues(tokenForm, { ...given, max_concurrent: undefined, allow_ips: '::1, 10.0.0.0/8' }, OWN_WAY),
  ).toEqual({
    ...{ time_zone: 'Europe/Berlin', allow_ips: '::1\n10.0.0.0/8' },
  })
})

test('help names what a JSON text may hold, member by member', () => {
  const { help } = channelFieldFlags(channelForm).setting
  for (const said of Object.values(help))
    for (const name of Object.keys(ChannelSetting.shape)) expect(said).toMatch(new RegExp(`\\b${name}\\b`))
})

test('an amount is taken in dollars and in units, and a wrong one refused before any Weir is asked', async () => {
  const money = async () => ({ quota_per_unit: 500_000, display_in_currency: true })
  const values = parseFlagValues(tokenForm, { name: 'one', budget_day: '$5', budget_week: '70' }, OWN_WAY)
  expect(await convertToUnits(values, money)).toEqual({ name: 'one', budget_day: 2_500_000, budget_week: 70 })
  expect(() => parseFlagValues(tokenForm, { budget_day: 'much' }, OWN_WAY)).toThrow('--budget-day must be dollars')
  const nobody = () => Promise.reject(new Error('asked'))
  expect(await convertToUnits(parseFlagValues(tokenForm, { name: 'one' }, OWN_WAY), nobody)).toEqual({ name: 'one' })
})

test('so have those of a channel, with what is taken where a new one leaves them out', () => {
  const flags = channelFieldFlags(channelForm, { name: { en: 'the name of its type', zh: '其类型的名称' } })
  expect(flags).toMatchObject({
    name: { flag: '--name <text>', help: { en: 'name of the channel (default: the name of its type)' } },
    openai_organization: {
      flag: '--organization <text>',
      help: { en: "OpenAI's organization, sent as a header" },
    },
    group: {
      flag: '--group <list>',
      help: {
        en: 'groups that it serves, separated by commas (default: default)',
        zh: expect.stringMatching(/（默认 default）$/),
      },
    },
    max_input_tokens: {
      flag: '--max-input-tokens <number>',
      help: { en: 'longest accepted prompt, in tokens; 0 for no limit' },
    },
    auto_ban: { flag: '--auto-ban <yes|no>', help: { en: expect.stringMatching(/ \(default: yes\)$/) } },
    key_mode: { flag: '--key-mode <one|random|turn>', choices: ['one', 'random', 'turn'] },
  })
  expect(JSON.stringify(channelFieldFlags(channelPatch))).not.toContain('(default: ')
})

test('what is typed becomes what the endpoint takes', () => {
  const given = { key_mode: 'one', auto_ban: 'no', tag: '', weight: '7', setting: '{"proxy":""}' }
  expect(parseFlagValues(channelPatch, given)).toEqual({
    ...{ key_mode: '', auto_ban: 0, tag: null, weight: 7, setting: '{"proxy":""}' },
  })
  expect(() => parseFlagValues(channelPatch, { auto_ban: '1' })).toThrow('--auto-ban must be one of yes, no, not "1".')
  expect(() => parseFlagValues(channelPatch, { priority: 'x' })).toThrow('--priority must be a whole number, not "x".')
})

test('a question is asked by the label of its field', () => {
  expect(buildQuestion(channelPatch, 'group', { initial: 'vip' })).toEqual({
    ...{ name: 'group', label: { en: 'Groups', zh: expect.any(String) }, kind: 'text', initial: 'vip' },
    hint: { en: 'groups that it serves, separated by commas', zh: expect.any(String) },
  })
})
