// What usage is asked by, as people fill it in.
import type { Field } from '../contract/field.ts'
import { words } from '../errors.ts'

const moment = (en: string, zh: string) =>
  words(
    `${en}: epoch seconds or ISO 8601, by the clock of the time zone where it says no offset`,
    `${zh}：Unix 秒数或 ISO 8601 时间，未写偏移量时按所选时区`,
  )

export const usageFields = {
  from: {
    label: words('From', '开始时间'),
    help: moment(
      'From when on, in whole quarters of an hour; the 30 days before the end without it',
      '从何时起，以一刻钟为单位；未填写时为结束前 30 天',
    ),
    example: '2026-01-01',
  },
  to: {
    label: words('To', '结束时间'),
    help: moment('Until when, not included; now without it', '到何时为止（不含）；未填写时为现在'),
    example: '2026-02-01',
  },
  zone: {
    label: words('Time zone', '时区'),
    help: words(
      'IANA name of the time zone whose clock cuts the steps; UTC without it',
      '用于划分步长的时区（IANA 名称）；未填写时为 UTC',
    ),
    example: 'Europe/Berlin',
  },
  step: {
    label: words('Step', '步长'),
    help: words(
      'How time is cut: hour, day, week (from Monday), month, or total for not at all',
      '时间划分方式：hour 小时，day 天，week 周（从周一开始），month 月，total 不划分',
    ),
    example: 'day',
  },
  by: {
    label: words('By', '分组依据'),
    help: words(
      'Dimensions in addition to time, separated by commas: user, token, team, group, model, channel; for users their own by token, team, group and model',
      '除时间外的分组依据，以逗号分隔：user、token、team、group、model、channel；普通用户仅限 token、team、group、model',
    ),
    example: 'model',
  },
  user: {
    label: words('User', '用户'),
    help: words('Only of this user, by id or name', '仅此用户，填写 ID 或用户名'),
    example: 'ada',
  },
  token: {
    label: words('Token', '令牌'),
    help: words('Only of this token, by id or name', '仅此令牌，填写 ID 或名称'),
    example: 'my program',
  },
  team: {
    label: words('Team', '团队'),
    help: words('Only of tokens of this team, by id or name', '仅此团队的令牌，填写 ID 或名称'),
    example: 'crew',
  },
  group: {
    label: words('Group', '分组'),
    help: words('Only of calls in this group', '仅此分组的调用'),
    example: 'default',
  },
  model: {
    label: words('Model', '模型'),
    help: words('Only of this model', '仅此模型'),
    example: 'gpt-4.1-mini',
  },
  channel: {
    label: words('Channel', '渠道'),
    help: words('Only by this channel, by id or name', '仅此渠道，填写 ID 或名称'),
    example: 'OpenAI',
  },
  order: {
    label: words('Order', '排序依据'),
    help: words(
      'Order of the groups, largest first: quota, calls, tokens, errors or cost',
      '按何者从多到少排列：quota 额度，calls 调用次数，tokens 词元，errors 错误，cost 成本',
    ),
    example: 'quota',
  },
  limit: {
    label: words('Groups at most', '最多分组数'),
    help: words(
      'So many groups at most: those with most in the whole span, each in all of its steps',
      '最多返回的分组数：取整个时间范围内最多者，并包含其全部步长',
    ),
    example: 10,
  },
  times: {
    label: words('Times', '耗时'),
    help: words('Include the durations of calls', '同时给出调用耗时'),
    example: true,
  },
  fewer: {
    label: words('Also where the log knows fewer', '日志较少时也重建'),
    help: words(
      'Also hours of which the log knows fewer calls than were counted, as where it was cleaned up',
      '日志中的调用少于已统计数的小时（例如日志已被清理）也一并重建',
    ),
    example: false,
  },
} as const satisfies Record<string, Field>
